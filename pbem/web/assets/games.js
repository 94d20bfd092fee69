// The list of games, which is fetched again after changes.
import { listen } from "./events.js";
import { showTurns } from "./turns.js";
import { get, post, put, say } from "./parts.js";

async function look() {
  const { ok, answer } = await get("/list");
  if (ok && answer.parts) put(answer.parts);
  count();
  drawBoards();
}

/** Count the games in which it is the player's turn. */
function count() {
  const due = Number(document.querySelector("data.due")?.getAttribute("value"));
  showTurns(due, ` (${due})`);
}
count();

/** Get the boards that the server has not drawn yet, one after another. */
async function drawBoards() {
  for (const each of document.querySelectorAll("[data-small]")) {
    if (!(each instanceof HTMLElement && each.dataset.small)) continue;
    const id = each.dataset.small;
    delete each.dataset.small;
    const { ok, answer } = await get(`/list/${id}`);
    if (ok && answer.parts) put(answer.parts);
  }
}
drawBoards();
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
