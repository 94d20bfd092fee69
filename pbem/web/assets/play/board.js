// Choosing cards, locations and actions by mouse, touch and keys.

import { byId } from "../../../board/assets/parts.js";
import { looksBack } from "../../../board/assets/time.js";
import { say } from "../parts.js";
import { choices, goOn, isLit, isReplacement, keyOf } from "./marks.js";
import { inquire, plain, select, state } from "./state.js";

/** The space around the reasons why something cannot be chosen, in pixels. */
const GAP = 6;

/**
 * The choice around an element.
 * @param {EventTarget | null} at
 * @returns {HTMLElement | SVGElement | null}
 */
function choiceAt(at) {
  if (!(at instanceof Element)) return null;
  const found = at.closest("button[data-choice], .place, li[data-card]");
  if (!found) return null;
  if (found.matches("button")) return /** @type {HTMLElement} */ (found);
  return choices(found)[0] ?? null;
}

/** @param {HTMLElement | SVGElement} choice */
async function choose(choice) {
  const key = keyOf(choice);
  if (state.chosen.includes(key)) {
    state.chosen = state.chosen.filter((each) => each !== key);
  } else if (isReplacement(key)) {
    state.chosen = [key];
  } else if (isLit(key)) {
    const other = takesPlaceOf(key);
    state.chosen = [...state.chosen.filter((each) => each !== other), key];
  } else {
    await whyNot(choice);
    return;
  }
  state.shown = "";
  await select();
}

/**
 * The chosen kind or location that a key replaces; cards replace none.
 * @param {string} key
 */
function takesPlaceOf(key) {
  const prefix = key.slice(0, key.indexOf(":") + 1);
  return prefix === "card:" ? undefined : state.chosen.find((each) => each.startsWith(prefix));
}

/**
 * Show beside a choice why it cannot be chosen; any click, or Escape, closes it.
 * @param {HTMLElement | SVGElement} choice
 */
async function whyNot(choice) {
  const selection = state.chosen.map(plain), why = byId("why");
  const answer = await inquire("why", { selection, key: plain(keyOf(choice)) });
  if (!answer.parts?.why) {
    say(answer.said ?? "");
    return;
  }
  why.innerHTML = answer.parts.why;
  const facts = choice.querySelector("title")?.textContent?.trim();
  if (facts) why.append(Object.assign(document.createElement("p"), { textContent: facts }));
  why.showPopover();
  const at = choice.getBoundingClientRect(), { width, height } = why.getBoundingClientRect();
  const below = at.bottom + GAP, isBelow = below + height + GAP <= innerHeight;
  why.style.top = `${Math.max(GAP, isBelow ? below : at.top - GAP - height)}px`;
  why.style.left = `${Math.max(GAP, Math.min(at.left, document.documentElement.clientWidth - width - GAP))}px`;
}

/** Clear the choice. */
export async function clear() {
  if (!state.chosen.length) return;
  state.chosen = [];
  state.shown = "";
  await select();
}

/** @param {MouseEvent} event */
function click(event) {
  const choice = choiceAt(event.target);
  if (choice && isOpen() && event.detail < 2) choose(choice);
}

function isOpen() {
  return !looksBack() && byId("play-page").classList.contains("choosing");
}

/** @param {KeyboardEvent} event */
function press(event) {
  const at = event.target instanceof Element ? event.target : null;
  const isText = Boolean(at?.closest("textarea, input, select"));
  if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "z" && !isText) {
    byId(event.shiftKey ? "redo" : "undo").click();
    event.preventDefault();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || isText) return;
  if (event.key === "Escape" && !event.defaultPrevented) {
    if (!byId("why").matches(":popover-open")) clear();
    return;
  }
  if (!isOpen()) return;
  const choice = at && choices(document).find((each) => each === at);
  if (!choice) return;
  if (event.key === "?") whyNot(choice);
  else if (event.key === "Enter" || event.key === " ") choose(choice);
  else if (event.shiftKey || !goOn(choice, event.key)) return;
  event.preventDefault();
}

/** Begin to listen for choices. */
export function listenToBoard() {
  document.addEventListener("click", click);
  // In the capture phase: arrow keys on the board move through the board.
  document.addEventListener("keydown", press, true);
  addEventListener("scroll", () => byId("why").hidePopover());
}
