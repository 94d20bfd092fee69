// The list of games, which is fetched again after changes.
import { listen } from "./events.js";
import { get, post, put, say } from "./parts.js";

async function look() {
  const { ok, answer } = await get("/list");
  if (ok && answer.parts) put(answer.parts);
}
let isFirst = true;
listen("hello", () => {
  if (!isFirst) look();
  isFirst = false;
});
listen("games", look);
listen("game", look);

document.getElementById("fetch")?.addEventListener("click", async () => {
  const { answer } = await post("/fetch");
  if (answer.said) say(answer.said);
});
