// Step through the game: slider, buttons, keys, links, and playback.

import { stopAt } from "./cards.js";
import { byId, content } from "./parts.js";
import { swap } from "./scenes.js";

// The page of an invitation has no turns and neither of these; `begin` is not called there.
const slider = /** @type {HTMLInputElement} */ (document.getElementById("slider"));
const playing = /** @type {HTMLElement} */ (document.getElementById("play"));
/** @typedef {{scene: number, turn: number, step?: number}} Stop A scene, and the turn it belongs to. */
/** @type {HTMLAnchorElement[]} The links to turns in the list of all turns. */
let links;
/** @type {Stop[]} All turns. */
let turns;
/** @type {Stop[]} The steps since the reader's last turn, and the present. */
let steps;
/** @type {Stop[]} The scenes that the slider passes: one of both. */
let stops = [{ scene: 0, turn: 0 }];
/** @type {(draft: HTMLElement) => void} Called with each part before it is inserted. */
let prepare = stopAt;
let last = 0;
/** The number of the newest turn; the present may be a scene after it. */
let newest = 0;
/** The scene on the page. */
let onPage = 0;
const quiet = matchMedia("(prefers-reduced-motion: reduce)");
const phone = matchMedia("(max-width: 40rem)");
const PLAYED = 1500, STEP_PLAYED = 3000, PLAYED_QUIETLY = 4000, SETTLED = 350;
let now = 0;
let clock = 0, settling = 0;

/**
 * Show the stop with that number, 0 for the setup.
 * @param {number} number
 */
function show(number) {
  now = Math.max(0, Math.min(stops.length - 1, number));
  const from = onPage, to = stops[now];
  // The steps lead to the present.
  if (to.scene === last && stops !== turns) {
    stops = turns;
    now = last;
    measure();
  }
  settleSoon();
  if (to.scene === from) return;
  onPage = to.scene;
  swap(from, onPage, prepare);
  mark();
  document.dispatchEvent(new Event("turnshown"));
}

/** Set the length of the slider. */
function measure() {
  slider.max = String(stops.length - 1);
  for (const each of document.querySelectorAll("#time .of"))
    each.textContent = `/ ${stops === turns ? newest : stops.length - 1}`;
}

/** True if the page shows an earlier turn than the last one. */
export function looksBack() {
  return onPage !== last;
}

/** Show the first step since the reader's last turn. */
export function stepThrough() {
  play(false);
  stops = steps;
  measure();
  show(0);
  lead();
  byId("on").focus({ preventScroll: true });
}

function settleSoon() {
  clearTimeout(settling);
  settling = setTimeout(settle, SETTLED);
}

/** Update the turn in all elements outside of the parts. */
function mark() {
  const { turn, step } = stops[now], link = links[turn];
  const told = link.closest("li")?.querySelector(".told")?.innerHTML ?? "";
  for (const each of links) each.removeAttribute("aria-current");
  link.setAttribute("aria-current", "true");
  byId("turn-heading").textContent = link.textContent;
  if (step === undefined || !document.querySelector(`#turn-lines [data-step="${step}"]`))
    byId("turn-lines").innerHTML = told;
  for (const each of document.querySelectorAll("#turn-lines [data-step]")) {
    const isShown = each.getAttribute("data-step") === String(step);
    each.classList.toggle("shown", isShown);
    if (isShown) scrollLogTo(each);
  }
  slider.value = String(now);
  slider.setAttribute("aria-valuetext", textsOf(now)[0]);
  byId("at").textContent = String(step === undefined ? Math.min(now, newest) : now + 1);
  for (const cursor of document.querySelectorAll(".cursor"))
    cursor.setAttribute("transform", `translate(${Math.min(turn, lastIn(cursor))} 0)`);
  for (const id of ["first", "back"]) dim(id, now === 0);
  for (const id of ["on", "last"]) dim(id, stops[now].scene === last);
}

/**
 * Scroll the log, not the page.
 * @param {Element} line
 */
function scrollLogTo(line) {
  const log = /** @type {HTMLElement} */ (byId("turn-lines").parentElement);
  log.scrollTop += line.getBoundingClientRect().top - log.getBoundingClientRect().top - log.clientHeight / 4;
}

/**
 * Return the texts about a stop that is shown.
 * @param {number} number
 */
function textsOf(number) {
  const { turn, step } = stops[number];
  const told = step === undefined ? "#turn-lines :is(h3, p, li)" : "#turn-lines .shown";
  const lines = [...document.querySelectorAll(told)].map((line) => line.textContent ?? "");
  return step === undefined ? [links[turn].textContent ?? "", ...lines] : lines;
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
  const texts = textsOf(now);
  byId("said").textContent = (clock ? texts.slice(0, 1) : texts).join(" \n");
  // Sighted readers see it beside the board.
  byId("said").classList.add("aside");
  try {
    const { turn } = stops[now];
    history.replaceState(null, "", turn > newest ? location.pathname : `#turn=${turn}`);
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
  if (onPage === last) show(0);
  const played = stops === turns ? PLAYED : STEP_PLAYED;
  clock = setInterval(() => {
    show(now + 1);
    if (onPage === last) play(false);
  }, quiet.matches ? PLAYED_QUIETLY : played);
}

/**
 * Go to a turn that the reader chose; playback stops.
 * @param {number} turn
 */
function go(turn) {
  play(false);
  show(turn);
  if (stops === turns) scrollLogTo(byId("turn-heading"));
}

/**
 * Go to a turn by its number.
 * @param {number} turn
 */
function goToTurn(turn) {
  stops = turns;
  measure();
  play(false);
  show(turn);
}

/** Go to the end. */
export function goToEnd() {
  goToTurn(last);
  scrollLogTo(byId("turn-heading"));
}

/** @type {Record<string, () => number>} */
const WAYS = { first: () => 0, back: () => now - 1, on: () => now + 1, last: () => stops.length - 1 };
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
  const board = document.querySelector(".drawing")?.getBoundingClientRect();
  if (board && board.bottom > board.height / 2 && board.top < innerHeight - board.height / 2) return;
  content().focus({ preventScroll: true });
  content().scrollIntoView();
}

/** Go to the turn that the address names, if it names one. */
function follow() {
  const found = /^#turn=(\d+)$/.exec(location.hash);
  if (found) goToTurn(Number(found[1]));
}

/**
 * Start with the unpacked scenes; the scene on the page stays if the reader looks back.
 * @param {number[]} [since] The steps since the reader's last turn.
 * @param {number} [number] The number of the newest turn, if the last scene has another one.
 */
export function restart(since = [], number) {
  const before = stops[now], isBack = turns && looksBack();
  play(false);
  links = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll("#turns > li > h3 > a")]);
  links.sort((a, b) => turnOf(a) - turnOf(b));
  last = links.length - 1;
  newest = number ?? last;
  turns = links.map((_, turn) => ({ scene: turn, turn }));
  steps = [...since.map((step, at) => ({ scene: last + 1 + at, turn: last, step })), turns[last]];
  stops = isBack && before.step !== undefined ? steps : turns;
  now = stops.findIndex((stop) => stop.step === before.step && (before.step || stop.turn === before.turn));
  if (!isBack || now < 0) now = stops === turns ? Number(slider.defaultValue) : 0;
  onPage = stops[now].scene;
  measure();
  for (const chart of document.querySelectorAll(".chart svg[role]"))
    chart.addEventListener("click", (event) => {
      const box = chart.getBoundingClientRect();
      const across = (/** @type {MouseEvent} */ (event).clientX - box.left) / box.width;
      goToTurn(Math.round(across * lastIn(chart)));
      if (phone.matches) lead();
    });
  mark();
}

/** @param {HTMLAnchorElement} link */
function turnOf(link) {
  return Number(link.hash.slice("#turn=".length));
}

/**
 * Listen to the controls.
 * @param {(draft: HTMLElement) => void} [prepared]
 * @param {number[]} [since]
 * @param {number} [number]
 */
export function begin(prepared = stopAt, since = [], number) {
  prepare = prepared;
  for (const [id, where] of Object.entries(WAYS))
    byId(id).addEventListener("click", () => go(where()));
  playing.addEventListener("click", () => play(!clock));
  slider.addEventListener("input", () => go(Number(slider.value)));
  document.addEventListener("keydown", press);
  addEventListener("hashchange", follow);
  // The address may be behind while the reader steps on.
  document.addEventListener("click", (event) => {
    const at = /** @type {Element} */ (event.target).closest(".turn a, .turns a, .deciding a");
    const turn = at instanceof HTMLAnchorElement ? turnOf(at) : NaN;
    if (!(turn >= 0) || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    goToTurn(turn);
    lead();
  });
  restart(since, number);
  stopAt(document);
  follow();
  // Elements that are empty, or wrong, without scripts.
  for (const each of document.querySelectorAll("details[hidden], .keys"))
    /** @type {HTMLElement} */ (each).hidden = false;
  byId("time").inert = false;
}
