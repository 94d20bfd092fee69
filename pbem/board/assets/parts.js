// Parts of a page: put in place so that what stays is left alone, and whatever has the focus keeps it.

import { stopAt } from "./cards.js";

/**
 * Have a part hold that markup; `prepare` sees it before it is put in place.
 * @param {HTMLElement} part
 * @param {string} markup
 * @param {(draft: HTMLElement) => void} [prepare]
 */
export function put(part, markup, prepare = stopAt) {
  const focused = document.activeElement;
  const draft = /** @type {HTMLElement} */ (part.cloneNode(false));
  const held = part.contains(focused) && focused !== part ? inFocus(focused) : null;
  const key = held ? keyOf(part, held) : null;
  draft.innerHTML = markup;
  prepare(draft);
  become(part, draft);
  if (key !== null && document.activeElement !== focused) focusOn(part, key);
}

/**
 * What has the focus, as an element with data.
 * @param {Element | null} focused
 * @returns {HTMLElement | SVGElement | null}
 */
function inFocus(focused) {
  return focused instanceof HTMLElement || focused instanceof SVGElement ? focused : null;
}

/**
 * Have an element hold what a draft of it holds; what is in both is left alone, and so is cheap.
 * @param {Element} element
 * @param {Element} draft
 */
export function become(element, draft) {
  const left = [...element.childNodes], kept = new Map();
  const wanted = [...draft.childNodes];
  for (const each of wanted) {
    const place = left.findIndex((old) => old.isEqualNode(each));
    if (place >= 0) kept.set(each, left.splice(place, 1)[0]);
  }
  for (const each of wanted) {
    const place = left.findIndex((old) => isLike(old, each));
    if (kept.has(each) || place < 0) continue;
    const old = left.splice(place, 1)[0];
    dress(/** @type {Element} */ (old), /** @type {Element} */ (each));
    become(/** @type {Element} */ (old), /** @type {Element} */ (each));
    kept.set(each, old);
  }
  for (const old of left) old.remove();
  wanted.forEach((each, place) => {
    const now = element.childNodes[place], node = kept.get(each) || each;
    if (now !== node) element.insertBefore(node, now || null);
  });
}

/**
 * Whether one can become the other: elements of a kind, that stand for the same thing.
 * @param {Node} old
 * @param {Node} draft
 */
function isLike(old, draft) {
  return (
    old instanceof Element &&
    draft instanceof Element &&
    old.nodeName === draft.nodeName &&
    old.getAttribute("data-key") === draft.getAttribute("data-key") &&
    old.id === draft.id
  );
}

/**
 * Give an element the attributes of a draft; what a reader has opened stays open.
 * @param {Element} old
 * @param {Element} draft
 */
function dress(old, draft) {
  for (const name of old.getAttributeNames())
    if (!draft.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  for (const name of draft.getAttributeNames())
    old.setAttribute(name, draft.getAttribute(name) ?? "");
}

const FOCUSABLE = "a[href], button, summary, textarea, input, [tabindex]";

/**
 * What tells an element of a part from the others: its key, or where it stands among them.
 * @param {Element} part
 * @param {HTMLElement | SVGElement} element
 * @returns {string | number}
 */
function keyOf(part, element) {
  const place = [...part.querySelectorAll(FOCUSABLE)].indexOf(element);
  return element.dataset.key || element.id || place;
}

/**
 * Focus the element of that key, or what stands for it: the one at its place, or the page.
 * @param {Element} part
 * @param {string | number} key
 */
function focusOn(part, key) {
  const all = /** @type {(HTMLElement | SVGElement)[]} */ ([...part.querySelectorAll(FOCUSABLE)]);
  const same = all.find((each) => each.dataset.key === key || each.id === key);
  const other = all[Math.min(typeof key === "number" ? key : 0, all.length - 1)];
  (same || other || content()).focus({ preventScroll: true });
}

/**
 * What the page is about.
 * @returns {HTMLElement}
 */
export function content() {
  return /** @type {HTMLElement} */ (document.querySelector("main"));
}

/**
 * The element of that id, which every page has.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
}
