// What happens elsewhere: a new file, another tab, a command.

import { listen } from "../events.js";
import { fetchPast } from "./past.js";
import { lookAgain, settled, state } from "./state.js";

async function lookAndGoOn() {
  const before = state.records;
  await lookAgain();
  if (state.records !== before) await fetchPast();
}

/** Look again whenever something was done in this game that was not done here. */
export function listenForNews() {
  let isFirst = true;
  listen("game", async (data) => {
    // What was done here is told here as well, maybe before it is answered.
    await settled();
    if (data.game === state.game && data.stand !== state.stand) lookAndGoOn();
  });
  listen("hello", () => {
    if (!isFirst) lookAndGoOn();
    isFirst = false;
  });
}
