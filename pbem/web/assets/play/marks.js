// Marks choices as lit, chosen or neither, by shape and in words.

import { looksBack } from "../../../board/assets/time.js";
import { state } from "./state.js";

/**
 * All choices in an element: cards, locations, kinds of order.
 * @param {ParentNode} within
 * @returns {(HTMLElement | SVGElement)[]}
 */
export function choices(within) {
  const all = within.querySelectorAll("button[data-choice], g[data-location], .card[data-key]");
  return /** @type {(HTMLElement | SVGElement)[]} */ ([...all]).filter((each) => keyOf(each) !== "");
}

/**
 * The key of a choice, with the number of the copy of a card; empty for other elements.
 * @param {HTMLElement | SVGElement} element
 * @returns {string}
 */
export function keyOf(element) {
  if (element.dataset.choice) return element.dataset.choice;
  if (element.dataset.location) return `location:${element.dataset.location}`;
  const card = /** @type {HTMLElement | null} */ (element.closest("li[data-card]"));
  const cards = /** @type {HTMLElement | null} */ (card?.closest("ul.cards"));
  const part = cards?.parentElement?.closest("[id]")?.id ?? "";
  if (!card || !cards || !part || card.dataset.copies === "0") return "";
  if (cards.dataset.side !== state.side && cards.dataset.side !== "neutral") return "";
  if (part.endsWith("-locations")) return "";
  const alike = [...cards.querySelectorAll("li[data-card]")].filter(
    (each) => /** @type {HTMLElement} */ (each).dataset.card === card.dataset.card);
  const number = alike.indexOf(card);
  return `card:${card.dataset.card}@${part}${number ? `#${number}` : ""}`;
}

/** @param {string} key */
export function isLit(key) {
  return state.lit.has(key.replace(/#\d+$/, ""));
}

/**
 * True if a key is an action that can be taken instead of the chosen one.
 * @param {string} key
 */
export function isReplacement(key) {
  return key.startsWith("kind:") && state.kinds.has(key) && state.chosen.some((each) => each.startsWith("kind:"));
}

/**
 * Mark all choices in an element.
 * @param {ParentNode} within
 */
export function mark(within) {
  const page = /** @type {HTMLElement} */ (document.getElementById("play-page"));
  const isOpen = !looksBack() && Boolean(page.querySelector(".kinds"));
  page.classList.toggle("choosing", isOpen);
  for (const each of choices(within)) {
    if (!isOpen) {
      settle(each);
      continue;
    }
    const key = keyOf(each), isChosen = state.chosen.includes(key);
    const can = !isChosen && isLit(key);
    each.classList.toggle("lit", can);
    each.classList.toggle("chosen", isChosen);
    set(each, "role", "button");
    set(each, "aria-pressed", String(isChosen));
    if (can || isChosen || isReplacement(key)) each.removeAttribute("aria-disabled");
    else set(each, "aria-disabled", "true");
    if (each instanceof SVGElement) {
      name(each, isChosen ? "chosen" : can ? "can" : "");
      if (!each.hasAttribute("tabindex")) each.setAttribute("tabindex", "-1");
    }
  }
  rove(within);
}

/**
 * Set an attribute, unless it has that value already.
 * @param {Element} each
 * @param {string} name
 * @param {string} value
 */
function set(each, name, value) {
  if (each.getAttribute(name) !== value) each.setAttribute(name, value);
}

/**
 * Turn a choice into a picture, if nothing can be chosen.
 * @param {HTMLElement | SVGElement} each
 */
function settle(each) {
  each.classList.remove("lit", "chosen");
  for (const name of ["aria-pressed", "aria-disabled", "aria-label"]) each.removeAttribute(name);
  if (!(each instanceof SVGElement)) return;
  each.setAttribute("role", "img");
  if (each.hasAttribute("aria-labelledby")) name(each, "");
  if (each.dataset.location) each.removeAttribute("tabindex");
}

/**
 * Label a card or a location for screen readers, with its state: `can`, `chosen` or neither.
 * @param {SVGElement} each
 * @param {string} standing
 */
function name(each, standing) {
  const by = each.getAttribute("aria-labelledby")?.split(" ")[0];
  if (by) set(each, "aria-labelledby", standing ? `${by} word-${standing}` : by);
  else {
    const told = each.querySelector("title")?.textContent?.trim() ?? "";
    const word = standing ? document.getElementById(`word-${standing}`)?.textContent : "";
    set(each, "aria-label", word ? `${told} ${word}` : told);
  }
}

/**
 * Make the board and the actions one tab stop each, as piles are.
 * @param {ParentNode} within
 */
function rove(within) {
  for (const group of [".board", ".kinds"])
    for (const around of within.querySelectorAll(group)) {
      const all = choices(around), at = all.find((each) => each.tabIndex === 0 && each === document.activeElement)
        ?? all.find((each) => each.classList.contains("lit")) ?? all[0];
      for (const each of all) set(each, "tabindex", each === at ? "0" : "-1");
    }
}

/**
 * Move the focus in a group: in reading order, or on the board in a direction.
 * @param {HTMLElement | SVGElement} from
 * @param {string} key
 * @returns {boolean} True if the key moves the focus.
 */
export function goOn(from, key) {
  const around = from.closest(".board, .kinds, .cards");
  if (!around || !key.startsWith("Arrow")) return false;
  const all = choices(around).filter((each) => each.checkVisibility()), next = around.matches(".board")
    ? nearest(from, all, key)
    : all[all.indexOf(from) + (key === "ArrowLeft" || key === "ArrowUp" ? -1 : 1)];
  if (next) {
    if (!around.matches(".cards")) {
      from.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
    }
    next.focus();
  }
  return true;
}

/**
 * The nearest choice on the board in a direction.
 * @param {Element} from
 * @param {(HTMLElement | SVGElement)[]} all
 * @param {string} key
 */
function nearest(from, all, key) {
  const [x, y] = middle(from);
  const [right, down] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] ?? [0, 0];
  let found, least = Infinity;
  for (const each of all) {
    const [ex, ey] = middle(each), along = (ex - x) * right + (ey - y) * down;
    const aside = Math.abs((ex - x) * down + (ey - y) * right);
    if (along > 1 && along + 2 * aside < least) [found, least] = [each, along + 2 * aside];
  }
  return found;
}

/** @param {Element} element */
function middle(element) {
  // The place of its piece, without the drawing around it.
  const at = (element.closest(".place") ?? element).getBoundingClientRect();
  return [at.x + at.width / 2, at.y + at.height / 2];
}
