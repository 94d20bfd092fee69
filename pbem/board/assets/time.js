// Step through the game: slider, buttons, keys, links, and playback.

import { stopAt } from "./cards.js";
import { byId, content } from "./parts.js";
import { swap } from "./scenes.js";

// The page of an invitation has no turns and neither of these; `begin` is not called there.
const slider = /** @type {HTMLInputElement} */ (document.getElementById("slider"));
const playing = /** @type {HTMLElement} */ (document.getElementById("play"));
/** @type {HTMLAnchorElement[]} The links to turns in the list of all turns. */
let links;
/** @type {(draft: HTMLElement) => void} Called with each part before it is inserted. */
let prepare = stopAt;
let last = 0;
const quiet = matchMedia("(prefers-reduced-motion: reduce)");
const phone = matchMedia("(max-width: 40rem)");
const PLAYED = 1500, PLAYED_QUIETLY = 4000, SETTLED = 350;
let now = 0;
let clock = 0, settling = 0;

/**
 * Show the game after that turn, 0 for the setup.
 * @param {number} turn
 */
function show(turn) {
  turn = Math.max(0, Math.min(last, turn));
  settleSoon();
  if (turn === now) return;
  const from = now;
  now = turn;
  swap(from, turn, prepare);
  mark(from, turn);
  document.dispatchEvent(new Event("turnshown"));
}

/** True if the page shows an earlier turn than the last one. */
export function looksBack() {
  return now < last;
}

function settleSoon() {
  clearTimeout(settling);
  settling = setTimeout(settle, SETTLED);
}

/**
 * Update the turn in all elements outside of the parts.
 * @param {number} from
 * @param {number} to
 */
function mark(from, to) {
  const link = links[to], heading = link.textContent ?? "";
  links[from].removeAttribute("aria-current");
  link.setAttribute("aria-current", "true");
  byId("turn-heading").textContent = heading;
  byId("turn-lines").innerHTML = link.closest("li")?.querySelector("ul")?.innerHTML ?? "";
  slider.value = String(to);
  slider.setAttribute("aria-valuetext", heading);
  byId("at").textContent = String(to);
  for (const cursor of document.querySelectorAll(".cursor"))
    cursor.setAttribute("transform", `translate(${Math.min(to, lastIn(cursor))} 0)`);
  for (const id of ["first", "back"]) dim(id, to === 0);
  for (const id of ["on", "last"]) dim(id, to === last);
}

/**
 * Return the last turn of a chart.
 * @param {Element} within
 */
function lastIn(within) {
  return Number(/** @type {HTMLElement} */ (within.closest(".chart")).dataset.last);
}

/**
 * Disable a button for now, but keep it focusable.
 * @param {string} id
 * @param {boolean} idle
 */
function dim(id, idle) {
  byId(id).setAttribute("aria-disabled", String(idle));
}

/** After a moment without another step: announce the turn, and put it into the address. */
function settle() {
  // During playback there is only time for the heading.
  const lines = clock ? [] : [...document.querySelectorAll("#turn-lines li")];
  byId("said").textContent = [links[now], ...lines]
    .map((line) => line.textContent).join(" \n");
  // Sighted readers see it beside the board.
  byId("said").classList.add("aside");
  try {
    history.replaceState(null, "", `#turn=${now}`);
  } catch {
    // Browsers limit the number of such changes; the page works without them.
  }
}

/**
 * Start playback, from the beginning if it is at the end; or stop it.
 * @param {boolean} on
 */
function play(on) {
  if (clock && !on) settleSoon();
  clearInterval(clock);
  clock = 0;
  const other = playing.dataset.other ?? "";
  if (on !== playing.classList.contains("plays")) {
    playing.dataset.other = playing.title;
    playing.title = other;
    playing.setAttribute("aria-label", other);
    playing.classList.toggle("plays", on);
  }
  if (!on) return;
  if (now === last) show(0);
  clock = setInterval(() => {
    show(now + 1);
    if (now === last) play(false);
  }, quiet.matches ? PLAYED_QUIETLY : PLAYED);
}

/**
 * Go to a turn that the reader chose; playback stops.
 * @param {number} turn
 */
function go(turn) {
  play(false);
  show(turn);
}

/** Go to the end. */
export function goToEnd() {
  go(last);
}

/** @type {Record<string, () => number>} */
const WAYS = { first: () => 0, back: () => now - 1, on: () => now + 1, last: () => last };
/** @type {Record<string, string>} */
const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };

/** @param {KeyboardEvent} event */
function press(event) {
  const at = /** @type {Element} */ (event.target);
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey)
    return;
  // In a text field the keys move the cursor.
  if (at.closest("textarea")) return;
  // Elements that use these keys keep them; the slider does the same anyway.
  const wide = at.closest(".wide");
  if (wide && (wide.scrollWidth > wide.clientWidth || wide.scrollHeight > wide.clientHeight)) return;
  if (event.key in KEYS && at !== slider) go(WAYS[KEYS[event.key]]());
  else if (event.key === " " && (at === slider || !at.closest("button, summary, a, input, label")))
    play(!clock);
  else return;
  event.preventDefault();
}

/** Scroll to the board after a click far away from it. */
function lead() {
  content().focus({ preventScroll: true });
  content().scrollIntoView();
}

/** Go to the turn that the address names, if it names one. */
function follow() {
  const found = /^#turn=(\d+)$/.exec(location.hash);
  if (found) go(Number(found[1]));
}

/**
 * Start with the unpacked scenes, at that turn.
 * @param {number} turn
 */
export function restart(turn = Number(slider.defaultValue)) {
  play(false);
  links = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll("#turns a")]);
  last = Number(slider.max);
  now = turn;
  for (const chart of document.querySelectorAll(".chart svg[role]"))
    chart.addEventListener("click", (event) => {
      const box = chart.getBoundingClientRect();
      const across = (/** @type {MouseEvent} */ (event).clientX - box.left) / box.width;
      go(Math.round(across * lastIn(chart)));
      if (phone.matches) lead();
    });
  mark(now, now);
}

/**
 * Listen to the controls.
 * @param {(draft: HTMLElement) => void} [prepared]
 */
export function begin(prepared = stopAt) {
  prepare = prepared;
  for (const [id, where] of Object.entries(WAYS))
    byId(id).addEventListener("click", () => go(where()));
  playing.addEventListener("click", () => play(!clock));
  slider.addEventListener("input", () => go(Number(slider.value)));
  document.addEventListener("keydown", press);
  addEventListener("hashchange", follow);
  // The address may be behind while the reader steps on.
  byId("turns").addEventListener("click", (event) => {
    const at = /** @type {Element} */ (event.target).closest("a");
    const turn = at ? links.indexOf(at) : -1;
    if (turn < 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    go(turn);
    lead();
  });
  restart();
  stopAt(document);
  follow();
  // Elements that are empty, or wrong, without scripts.
  for (const each of document.querySelectorAll("details[hidden], .keys"))
    /** @type {HTMLElement} */ (each).hidden = false;
  byId("time").inert = false;
}
