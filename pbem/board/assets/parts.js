// Update the parts of a page: unchanged elements stay in place, and the focus is kept.

import { stopAt } from "./cards.js";

/**
 * Update a part with markup; `prepare` is called with the draft before it is inserted.
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
 * Return the focused element, if it has a dataset.
 * @param {Element | null} focused
 * @returns {HTMLElement | SVGElement | null}
 */
function inFocus(focused) {
  return focused instanceof HTMLElement || focused instanceof SVGElement ? focused : null;
}

/**
 * Update the children of an element to those of a draft; equal children stay, which is cheap.
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
 * True if one element can be turned into the other: of one kind, and for the same thing.
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
 * Copy the attributes of a draft to an element; `open` stays as the reader left it.
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
 * Return the identity of an element within its part: its key, else its index.
 * @param {Element} part
 * @param {HTMLElement | SVGElement} element
 * @returns {string | number}
 */
function keyOf(part, element) {
  const place = [...part.querySelectorAll(FOCUSABLE)].indexOf(element);
  return element.dataset.key || element.id || place;
}

/**
 * Focus the element with that key, else the one at that index, else the page.
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
 * Return the main element.
 * @returns {HTMLElement}
 */
export function content() {
  return /** @type {HTMLElement} */ (document.querySelector("main"));
}

/**
 * Return the element with that id; throws if the page has none.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
}

/**
 * Use the storage, which a browser may refuse.
 * @template T
 * @param {(storage: Storage) => T} use
 */
export function store(use) {
  try {
    return use(localStorage);
  } catch {
    return undefined;
  }
}
