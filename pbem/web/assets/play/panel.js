// The panel: previews and gives orders, undoes and redoes them, and signs the turn.

import { byId } from "../../../board/assets/parts.js";
import { goToEnd, looksBack, stepThrough } from "../../../board/assets/time.js";
import { busy, say } from "../parts.js";
import { clear } from "./board.js";
import { mark } from "./marks.js";
import { lookBack } from "./past.js";
import { ask, plain, select, state } from "./state.js";

const WRITE_AFTER = 800;
/** How long a sentence stays, in milliseconds: so much, and for each letter. */
const STAYS = 4000, FOR_LETTER = 80;
let writing = 0, leaving = 0;

/** @type {Record<string, (button: HTMLElement) => unknown>} The actions of buttons, by their ids. */
const BUTTONS = {
  undo: () => ask("undo"),
  redo: () => ask("redo"),
  "undo-all": () => ask("undo-all"),
  clear,
  now: goToEnd,
  "step-through": stepThrough,
  "look-back": lookBack,
  replay,
  rematch,
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
  // The second click of a double click may meet another button, or undo the first.
  if (byId("panel").ariaBusy === "true" || (event.detail > 1 && !button.matches(".undoing *"))) return;
  const { give, look, out, agree } = button.dataset;
  if (give !== undefined) giveOrder(give, button);
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
 * Give an order once, sign it if its button says so, and move the focus to the next decision.
 * @param {string} order
 * @param {HTMLElement} button
 */
async function giveOrder(order, button) {
  const hadFocus = byId("panel").contains(document.activeElement), signs = "sign" in button.dataset;
  const answer = await busily(button, "order", { order });
  if (answer?.ok && signs && document.getElementById("sign")) {
    // Not a turn that another tab has changed since.
    await sign("sign", { stand: answer.stand });
    return;
  }
  // What the next button signs is in view.
  if (answer?.ok) document.querySelector(".whole:has(#end)")?.scrollIntoView({ block: "nearest" });
  if (answer && hadFocus) focusOnDecision();
}

/**
 * Save the notes and send a request, while the panel and a button of it are busy.
 * @param {HTMLElement | null} button
 * @param {string} action
 * @param {object} data
 */
async function busily(button, action, data) {
  byId("panel").setAttribute("aria-busy", "true");
  button?.setAttribute("aria-disabled", "true");
  try {
    await written();
    return await ask(action, data);
  } finally {
    byId("panel").removeAttribute("aria-busy");
    button?.removeAttribute("aria-disabled");
  }
}

/** Focus what is to be decided next. */
function focusOnDecision() {
  const next = document.querySelectorAll("#panel :is(#sign, [data-agree], #yes, .kind.lit, [data-look])");
  const end = document.getElementById("end");
  const first = end ?? [...next].find((each) => each.checkVisibility()) ?? byId("undo");
  if (first instanceof HTMLElement) first.focus({ preventScroll: true });
}

/**
 * Sign once, then show the file.
 * @param {string} action
 * @param {object} [data]
 */
async function sign(action, data = {}) {
  const button = /** @type {HTMLButtonElement | null} */ (document.querySelector("#sign, #join .yes"));
  if (button?.getAttribute("aria-disabled") === "true") return;
  say(busy());
  const answer = await busily(button, action, data);
  if (!answer?.signed) return;
  // A game that has just begun gets a board.
  if (!document.querySelector(".drawing")) location.reload();
  else {
    // An open log would hide the next step.
    byId("log-open").setAttribute("aria-expanded", "false");
    scrollTo(0, 0);
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

/** Play the game from its first turn. */
function replay() {
  goToEnd();
  byId("play").click();
  byId("play").focus({ preventScroll: true });
  scrollTo(0, 0);
}

/** Write an invitation to the next game, once, and open it. @param {HTMLElement} button */
async function rematch(button) {
  button.setAttribute("aria-disabled", "true");
  say(busy());
  const answer = await ask("rematch");
  if (!answer?.go) button.removeAttribute("aria-disabled");
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

/** Remove a sentence when it is old, if it lies over the page: nothing moves then. */
function leaveSoon() {
  clearTimeout(leaving);
  const said = byId("said"), text = said.textContent ?? "";
  if (!text || text === busy() || said.querySelector("a") || getComputedStyle(said).position !== "fixed") return;
  leaving = setTimeout(() => say(""), STAYS + FOR_LETTER * text.length);
}

/** Begin to listen for the panel's buttons and keys. */
export function listenToPanel() {
  // A held key answers nothing after the button that it pressed first.
  document.addEventListener("keydown", (event) => {
    if (event.repeat && event.key === "Enter" && event.target instanceof Element && event.target.closest("#panel button"))
      event.preventDefault();
  }, true);
  document.addEventListener("click", click);
  document.addEventListener("submit", submit);
  new MutationObserver(leaveSoon).observe(byId("said"), { childList: true });
  document.getElementById("notes")?.addEventListener("input", write);
  document.getElementById("notes")?.addEventListener("blur", written);
  addEventListener("pagehide", () => {
    if (writing) written();
  });
  document.addEventListener("recorded", () => {
    for (const id of ["panel", "choice"]) byId(id).scrollTop = 0;
  });
  document.addEventListener("turnshown", () => {
    const back = looksBack();
    byId("looks-back").hidden = !back;
    byId("play-page").classList.toggle("back", back);
    mark(document);
    for (const id of ["decision", "given", "more", "choice", "actions", "signing"]) {
      const part = byId(id);
      part.inert = back;
      part.hidden = back;
    }
  });
}
