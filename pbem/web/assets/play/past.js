// The turns before: fetched once the page is up, and stepped through by the same slider. Once the game
// is over they come with what it teaches, where that is asked for.

import { byId } from "../../../board/assets/parts.js";
import { unpack } from "../../../board/assets/scenes.js";
import { begin, restart } from "../../../board/assets/time.js";
import { busy, get, say } from "../parts.js";
import { prepare, state } from "./state.js";
import { mark } from "./marks.js";

let isOffered = false;

/** Fetch the turns, and have the slider go through them, from now on back. */
export async function fetchPast() {
  const { ok, answer } = await get(`/games/${state.game}/history`);
  if (ok) await putTurns(answer);
}

/**
 * Have it found out what the game teaches, once; then the turns have it, too.
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
  const slider = /** @type {HTMLInputElement} */ (byId("slider"));
  slider.max = String(answer.last);
  slider.defaultValue = slider.value = String(answer.last);
  for (const each of document.querySelectorAll("#time .of")) each.textContent = `/ ${answer.last}`;
  await unpack(answer.packed);
  if (isOffered) restart();
  else begin(prepare);
  isOffered = true;
  mark(document);
}

/** The same, where the browser can unpack them. */
export async function offerPast() {
  if (!("DecompressionStream" in window)) return;
  await fetchPast();
  byId("time").inert = false;
}
