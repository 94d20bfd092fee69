// The panel: previews and gives orders, undoes and redoes them, and signs the turn.

import { byId } from "../../../board/assets/parts.js";
import { goToEnd, looksBack } from "../../../board/assets/time.js";
import { busy, say } from "../parts.js";
import { clear } from "./board.js";
import { lookBack } from "./past.js";
import { ask, plain, select, state } from "./state.js";

const WRITE_AFTER = 800;
let writing = 0;

/** @type {Record<string, (button: HTMLElement) => unknown>} The actions of buttons, by their ids. */
const BUTTONS = {
  undo: () => ask("undo"),
  redo: () => ask("redo"),
  "undo-all": () => ask("undo-all"),
  clear,
  now: goToEnd,
  "look-back": lookBack,
  resign: () => ask("resign", { resigns: true }),
  "not-resign": () => ask("resign", { resigns: false }),
  sign: () => sign("sign"),
  allow: () => ask("allow", { allows: true }),
  forbid: () => ask("allow", { allows: false }),
  "log-open": (button) => button.setAttribute("aria-expanded", String(button.ariaExpanded !== "true")),
};

/** @param {MouseEvent} event */
function click(event) {
  const button = event.target instanceof Element ? /** @type {HTMLElement | null} */ (event.target.closest("button")) : null;
  if (!button || button.getAttribute("aria-disabled") === "true") return;
  const { give, look, out, agree } = button.dataset;
  if (give !== undefined) givesOrder(give);
  else if (look !== undefined) {
    state.shown = state.shown === look ? "" : look;
    select();
  } else if (out !== undefined) {
    const at = state.chosen.findIndex((each) => plain(each) === out);
    state.chosen = state.chosen.filter((_, place) => place !== at);
    select();
  } else if (agree !== undefined) ask("agree", { question: agree });
  else if (button.id in BUTTONS) BUTTONS[button.id](button);
}

/**
 * Give an order, and move the focus to the start of the next one.
 * @param {string} order
 */
async function givesOrder(order) {
  const hadFocus = byId("panel").contains(document.activeElement);
  await written();
  const answer = await ask("order", { order });
  if (answer && hadFocus) focusOn("sign", "end", "undo");
}

/** @param {string[]} ids */
function focusOn(...ids) {
  const first = ids.map((id) => document.getElementById(id)).find((each) => each?.checkVisibility());
  first?.focus({ preventScroll: true });
}

/**
 * Sign once, then show the file.
 * @param {string} action
 * @param {object} [data]
 */
async function sign(action, data = {}) {
  const button = /** @type {HTMLButtonElement | null} */ (document.querySelector("#sign, #join .yes"));
  if (button?.getAttribute("aria-disabled") === "true") return;
  button?.setAttribute("aria-disabled", "true");
  say(busy());
  await written();
  const answer = await ask(action, data);
  button?.setAttribute("aria-disabled", "false");
  if (!answer?.signed) return;
  // A game that has just begun gets a board.
  if (!document.querySelector(".drawing")) location.reload();
  else {
    const next = byId("posting").querySelector("a, button");
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  }
}

/** @param {SubmitEvent} event */
function submit(event) {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.id !== "join") return;
  event.preventDefault();
  const data = new FormData(form);
  sign("join", { side: data.get("side"), start_card: data.get("start_card") });
}

/** Save the notes while they are typed, shortly after the last key. */
function write() {
  clearTimeout(writing);
  writing = setTimeout(written, WRITE_AFTER);
}

/** Save changed notes now. */
async function written() {
  if (!writing) return;
  clearTimeout(writing);
  writing = 0;
  const field = /** @type {HTMLTextAreaElement | null} */ (document.getElementById("notes"));
  if (field) await ask("notes", { notes: field.value });
}

/** Begin to listen for the panel's buttons and keys. */
export function listenToPanel() {
  document.addEventListener("click", click);
  document.addEventListener("submit", submit);
  document.getElementById("notes")?.addEventListener("input", write);
  document.getElementById("notes")?.addEventListener("blur", written);
  addEventListener("pagehide", () => {
    if (writing) written();
  });
  document.addEventListener("turnshown", () => {
    const back = looksBack();
    byId("looks-back").hidden = !back;
    for (const id of ["decision", "given", "choice", "actions", "signing"]) {
      const part = byId(id);
      part.inert = back;
      part.hidden = back;
    }
  });
}
