// Changes from elsewhere: a new file, another tab, a command.

import { listen } from "../events.js";
import { fetchPast } from "./past.js";
import { lookAgain, settled, state } from "./state.js";

async function lookAndGoOn() {
  const before = state.records;
  await lookAgain();
  if (state.records !== before) await fetchPast();
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
}
