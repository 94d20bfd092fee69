// Changes from elsewhere: a new file, another tab, a command.

import { byId } from "../../../board/assets/parts.js";
import { looksBack } from "../../../board/assets/time.js";
import { listen } from "../events.js";
import { say } from "../parts.js";
import { fetchPast } from "./past.js";
import { latestHeadline, lookAgain, settled, state } from "./state.js";

async function lookAndGoOn() {
  const before = state.records;
  await lookAgain();
  if (state.records === before) return;
  const news = latestHeadline();
  say(news);
  // Whoever looks back stays there, and can go to it.
  byId("arrived").textContent = looksBack() ? news : "";
}

/** Update the page after changes that were not made on it. */
export function listenForNews() {
  let isFirst = true;
  listen("game", async (data) => {
    // Own changes are announced here too, perhaps before their answer.
    await settled();
    if (data.game === state.game && data.stand !== state.stand) lookAndGoOn();
  });
  listen("hello", () => {
    if (!isFirst) lookAndGoOn();
    isFirst = false;
  });
  document.addEventListener("recorded", () => {
    // A game that has just begun gets a board.
    if (!document.querySelector(".drawing")) location.reload();
    else fetchPast();
  });
  document.addEventListener("turnshown", () => {
    if (!looksBack()) byId("arrived").textContent = "";
  });
}
