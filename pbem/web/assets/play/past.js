// The earlier turns: fetched after the page has loaded, and shown by the slider. Once the game is over
// they can be fetched with its analysis.

import { byId } from "../../../board/assets/parts.js";
import { unpack } from "../../../board/assets/scenes.js";
import { begin, restart } from "../../../board/assets/time.js";
import { listen } from "../events.js";
import { busy, get, say } from "../parts.js";
import { prepare, state } from "./state.js";

let isOffered = false;
/** The number of requests for the turns so far. */
let asked = 0;

/** Fetch the turns for the slider, which stands at the latest. */
export async function fetchPast() {
  const number = ++asked;
  const { ok, answer } = await get(`/games/${state.game}/history`);
  if (ok && number === asked) await putTurns(answer);
}

/**
 * Fetch the analysis of the game, once, and show it with the turns. The focus goes to a new one.
 * @param {HTMLElement} button
 */
export async function lookBack(button) {
  if (button.getAttribute("aria-disabled")) return;
  const { begun } = byId("hindsight").dataset;
  button.setAttribute("aria-disabled", "true");
  say(busy());
  byId("said").classList.add("aside");
  const bar = byId("look-back-bar");
  bar.hidden = false;
  byId("hindsight").ariaBusy = "true";
  if (begun === undefined) byId("look-back-told").scrollIntoView({ block: "nearest" });
  const { ok, answer } = await get(`/games/${state.game}/analysis`);
  byId("hindsight").ariaBusy = null;
  button.removeAttribute("aria-disabled");
  say(answer.said ?? "");
  bar.hidden = true;
  if (!ok) return;
  await putTurns(answer);
  byId("hindsight").hidden = true;
  byId("graph-heading").textContent = answer.heading;
  byId("deciding-told").innerHTML = answer.deciding;
  byId("deciding").hidden = false;
  if (begun === undefined) byId("deciding-heading").focus();
}

/** Go on with an analysis that was begun before the page was opened. */
export function resumeAnalysis() {
  const button = document.querySelector("#hindsight[data-begun] #look-back");
  if (button instanceof HTMLElement) lookBack(button);
}

/** Show how far the analysis is. */
export function listenForProgress() {
  listen("progress", ({ game, done, total, text }) => {
    const bar = /** @type {HTMLProgressElement | null} */ (document.getElementById("look-back-bar"));
    if (!bar || game !== state.game) return;
    bar.max = total;
    bar.value = done;
    byId("look-back-told").textContent = text;
  });
}

/** @param {import("../parts.js").Answer & Record<string, any>} answer */
async function putTurns(answer) {
  byId("graph-frame").innerHTML = answer.graph;
  byId("graph").hidden = false;
  /** @type {HTMLInputElement} */ (byId("slider")).defaultValue = String(answer.last);
  await unpack(answer.packed, answer.last);
  if (isOffered) restart(answer.steps, answer.turn);
  else begin(prepare, answer.steps, answer.turn);
  isOffered = true;
  byId("step-through").hidden = !answer.steps.length;
}

/** Unpack the turns, if the browser can. */
export async function offerPast() {
  if (!("DecompressionStream" in window)) return;
  await fetchPast();
  byId("time").inert = false;
}
