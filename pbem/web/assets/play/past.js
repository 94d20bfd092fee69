// The earlier turns: fetched after the page has loaded, and shown by the slider. Once the game is over
// they can be fetched with its analysis.

import { byId } from "../../../board/assets/parts.js";
import { unpack } from "../../../board/assets/scenes.js";
import { begin, restart } from "../../../board/assets/time.js";
import { busy, get, say } from "../parts.js";
import { prepare, state } from "./state.js";

let isOffered = false;

/** Fetch the turns for the slider, which stands at the latest. */
export async function fetchPast() {
  const { ok, answer } = await get(`/games/${state.game}/history`);
  if (ok) await putTurns(answer);
}

/**
 * Fetch the analysis of the game, once, and show it with the turns.
 * @param {HTMLElement} button
 */
export async function lookBack(button) {
  button.setAttribute("aria-disabled", "true");
  say(busy());
  const { ok, answer } = await get(`/games/${state.game}/analysis`);
  button.removeAttribute("aria-disabled");
  say(answer.said ?? "");
  if (!ok) return;
  await putTurns(answer);
  byId("hindsight").hidden = true;
  byId("graph-heading").textContent = answer.heading;
  byId("deciding-told").innerHTML = answer.deciding;
  byId("deciding").hidden = false;
  byId("deciding-heading").focus();
}

/** @param {import("../parts.js").Answer & Record<string, any>} answer */
async function putTurns(answer) {
  byId("graph-frame").innerHTML = answer.graph;
  byId("graph").hidden = false;
  /** @type {HTMLInputElement} */ (byId("slider")).defaultValue = String(answer.last);
  await unpack(answer.packed, answer.last);
  if (isOffered) restart(answer.steps);
  else begin(prepare, answer.steps);
  isOffered = true;
  byId("step-through").hidden = !answer.steps.length;
}

/** Unpack the turns, if the browser can. */
export async function offerPast() {
  if (!("DecompressionStream" in window)) return;
  await fetchPast();
  byId("time").inert = false;
}
