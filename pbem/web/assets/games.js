// The list of games, which is fetched again after changes.
import { listen } from "./events.js";
import { showTurns } from "./turns.js";
import { get, post, put, say } from "./parts.js";

async function look() {
  const { ok, answer } = await get("/list");
  if (ok && answer.parts) put(answer.parts);
  count();
}

/** Count the games in which it is the player's turn. */
function count() {
  const due = Number(document.querySelector("data.due")?.getAttribute("value"));
  showTurns(due, ` (${due})`);
}
count();
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
