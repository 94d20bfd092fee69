// The map: it is enlarged and moved by wheel, fingers, mouse and buttons, and its explanation folds away.

import { store } from "./parts.js";

/** The font sizes of names and of the explanation, in units of the map; see board.css. */
const NAME = 25, EXPLANATION = 19;
/** Sizes in pixels: names are not smaller at first, and enlarged to this size; the explanation likewise. */
const LEGIBLE = 9, CLEAR = 12;
const MOST = 6, STEP = 1.5, DRAGGED = 6;
const LEGEND = "acres-legend";

/** @type {HTMLElement} */
let sheet;
/** @type {SVGSVGElement} */
let board;
/** @type {{width: number, height: number}} The size of the map, in its units. */
let whole;
/** The middle of the visible part, in units of the map, and its enlargement. */
let view = { x: 0, y: 0, zoom: 1 };
/** The view before the explanation was enlarged. @type {typeof view | null} */
let earlier = null;
/** @type {Map<number, {x: number, y: number}>} The pointers that touch the map. */
const pointers = new Map();
let isDragged = false;

/** The pixels of a unit of the map. */
function scale(zoom = view.zoom) {
  return zoom * Math.min(sheet.clientWidth / whole.width, sheet.clientHeight / whole.height);
}

/**
 * Keep a part within the map, or the map in the middle of a larger part.
 * @param {number} middle
 * @param {number} part
 * @param {number} size
 */
function within(middle, part, size) {
  return part >= size ? size / 2 : Math.min(Math.max(middle, part / 2), size - part / 2);
}

function draw() {
  if (!sheet.clientWidth || !sheet.clientHeight) return;
  const width = sheet.clientWidth / scale(), height = sheet.clientHeight / scale();
  view.x = within(view.x, width, whole.width);
  view.y = within(view.y, height, whole.height);
  board.setAttribute("viewBox", `${view.x - width / 2} ${view.y - height / 2} ${width} ${height}`);
  sheet.classList.toggle("zoomed", view.zoom > 1);
  // A finger moves an enlarged map, and scrolls the page at the upper and lower edge of the map.
  const edges = [view.y <= height / 2 && "pan-up", view.y >= whole.height - height / 2 && "pan-down"].filter(Boolean);
  sheet.style.touchAction = view.zoom > 1 ? edges.join(" ") || "none" : "";
  for (const button of sheet.querySelectorAll("[data-zoom]"))
    button.setAttribute("aria-disabled", String(view.zoom === (button.matches("[data-zoom=in]") ? MOST : 1)));
}

/**
 * Enlarge the map, while a point of the window stays in its place.
 * @param {number} by
 * @param {{x: number, y: number}} [at] The middle of the map, if none is given.
 */
function magnify(by, at) {
  const box = sheet.getBoundingClientRect(), before = scale();
  view.zoom = Math.min(Math.max(view.zoom * by, 1), MOST);
  if (at) {
    const change = 1 / before - 1 / scale();
    view.x += (at.x - box.x - box.width / 2) * change;
    view.y += (at.y - box.y - box.height / 2) * change;
  }
  draw();
}

/** @param {WheelEvent} event */
function wheel(event) {
  const isIn = event.deltaY < 0;
  // At its whole size the map leaves the wheel to the page, if that can scroll on.
  if (view.zoom === 1 && !event.ctrlKey && (!isIn || scrollY > 0)) return;
  event.preventDefault();
  magnify(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), event);
}

/** The middle of all pointers, and their distance from it. */
function grip() {
  const all = [...pointers.values()], x = mean(all.map((each) => each.x)), y = mean(all.map((each) => each.y));
  return { x, y, reach: mean(all.map((each) => Math.hypot(each.x - x, each.y - y))) };
}

/** @param {number[]} numbers */
function mean(numbers) {
  return numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
}

/** @param {PointerEvent} event */
function hold(event) {
  if (event.button || (event.target instanceof Element && event.target.closest("button"))) return;
  if (!pointers.size) isDragged = false;
  pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
}

/** @param {PointerEvent} event */
function drag(event) {
  // The button was released outside of the map.
  if (!event.buttons) pointers.delete(event.pointerId);
  const old = pointers.get(event.pointerId);
  if (!old || (pointers.size === 1 && view.zoom === 1)) return;
  if (!isDragged && pointers.size === 1 && Math.hypot(event.clientX - old.x, event.clientY - old.y) < DRAGGED) return;
  if (!isDragged) for (const id of pointers.keys()) sheet.setPointerCapture(id);
  isDragged = true;
  const before = grip();
  pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  const now = grip();
  view.x -= (now.x - before.x) / scale();
  view.y -= (now.y - before.y) / scale();
  magnify(before.reach ? now.reach / before.reach : 1, now);
}

/** @param {PointerEvent} event */
function release(event) {
  pointers.delete(event.pointerId);
}

/**
 * Return the middle of a location, in units of the map.
 * @param {Element} place
 */
function middleOf(place) {
  const { e, f } = /** @type {SVGGElement} */ (place).transform.baseVal[0].matrix;
  return { x: e, y: f };
}

/**
 * True if the middle of a location is visible around a point.
 * @param {{x: number, y: number}} place
 * @param {{x: number, y: number}} [around]
 */
function isInView(place, around = view) {
  const reach = 2.2 * scale();
  return Math.abs(place.x - around.x) < sheet.clientWidth / reach && Math.abs(place.y - around.y) < sheet.clientHeight / reach;
}

/** Move to the locations that changed, else to those to choose, else to pieces, unless some are in view. */
function followAction() {
  const targets = [...board.querySelectorAll("[data-raid]")].map((raid) => `#at-${raid.getAttribute("data-raid")?.split(" ").at(-1)}`);
  const changed = [".halo", ".ghost", ".trenches", ...targets].join();
  const places = [changed, ".lit", ".piece"].map((marks) => [...board.querySelectorAll(`.place:has(${marks})`)].map(middleOf));
  const action = places.find((each) => each.length) ?? [];
  if (view.zoom === 1 || action.some((place) => isInView(place))) return;
  const seen = action.map((around) => action.filter((place) => isInView(place, around)).length);
  Object.assign(view, action[seen.indexOf(Math.max(...seen))]);
  draw();
}

/** Show the whole map, or on a small screen the part with the action in letters that can be read. */
function start() {
  view = { x: 0, y: 0, zoom: Math.max(1, NAME * scale(1) < LEGIBLE ? CLEAR / NAME / scale(1) : 1) };
  followAction();
  draw();
}

/**
 * Fold the explanation or open it, enlarged if its letters are small.
 * @param {boolean} isFolded
 */
function fold(isFolded) {
  sheet.classList.toggle("folded", isFolded);
  sheet.querySelector(".explain")?.setAttribute("aria-expanded", String(!isFolded));
}

function toggleExplanation() {
  const isFolded = !sheet.classList.contains("folded");
  fold(isFolded);
  const state = document.documentElement.dataset.legend = isFolded ? "folded" : "open";
  store((storage) => storage.setItem(LEGEND, state));
  if (isFolded) {
    if (earlier) view = earlier;
    earlier = null;
  } else if (EXPLANATION * scale() < LEGIBLE || view.zoom > 1) {
    const { x, y, width, height } = /** @type {SVGGElement} */ (board.querySelector(".legend")).getBBox();
    earlier = view;
    view = { x: x + width / 2 + 466, y: y + height / 2 + 18, zoom: 0.96 * Math.min(sheet.clientWidth / width, sheet.clientHeight / height) / scale(1) };
  }
  draw();
}

/** @param {MouseEvent} event */
function clickOnMap(event) {
  const button = event.target instanceof Element ? /** @type {HTMLElement | null} */ (event.target.closest("button")) : null;
  if (isDragged && !button) event.stopPropagation();
  isDragged = false;
  if (button?.matches(".explain")) toggleExplanation();
  const by = button?.dataset.zoom;
  if (by) magnify(by === "in" ? STEP : by === "out" ? 1 / STEP : 0);
}

/** Set up the map, if the page has one. */
export function offerMap() {
  const found = document.querySelector(".sheet");
  if (!(found instanceof HTMLElement)) return;
  sheet = found;
  board = /** @type {SVGSVGElement} */ (sheet.querySelector(".board"));
  whole = { width: board.viewBox.baseVal.width, height: board.viewBox.baseVal.height };
  start();
  // A page of the program has the choice of an earlier run.
  const state = store((storage) => storage.getItem(LEGEND)) ?? document.documentElement.dataset.legend;
  fold(EXPLANATION * scale() < LEGIBLE || view.zoom > 1 || state === "folded");
  for (const each of sheet.querySelectorAll("[hidden]")) each.removeAttribute("hidden");
  sheet.addEventListener("wheel", wheel, { passive: false });
  sheet.addEventListener("pointerdown", hold);
  sheet.addEventListener("pointermove", drag);
  for (const end of ["pointerup", "pointercancel"]) sheet.addEventListener(end, (event) => release(/** @type {PointerEvent} */ (event)));
  // Two fingers are never the page's.
  sheet.addEventListener("touchmove", (event) => event.touches.length > 1 && event.preventDefault(), { passive: false });
  sheet.addEventListener("click", clickOnMap, true);
  sheet.addEventListener("focusin", (event) => {
    const place = /** @type {Element} */ (event.target).closest(".place");
    if (!place || isInView(middleOf(place))) return;
    Object.assign(view, middleOf(place));
    draw();
  });
  document.addEventListener("turnshown", followAction);
  addEventListener("beforeprint", () => board.setAttribute("viewBox", `0 0 ${whole.width} ${whole.height}`));
  addEventListener("afterprint", draw);
  new ResizeObserver(draw).observe(sheet);
}
