// The state of the game on this page: the server's last answer, and the player's choice.

import { get, post, put as putParts, say } from "../parts.js";
import { byId, put } from "../../../board/assets/parts.js";
import { stopAt } from "../../../board/assets/cards.js";
import { goOnTo } from "../../../board/assets/scenes.js";
import { looksBack } from "../../../board/assets/time.js";
import { showTurns } from "../turns.js";
import { mark } from "./marks.js";

/** @typedef {import("../parts.js").Answer & Record<string, any>} Answer */

/** @type {{game: string, stand: string, page: string, side: string, records: number, lit: Set<string>, kinds: Set<string>, chosen: string[], shown: string}} */
export const state = {
  game: "", stand: "", page: "", side: "", records: 0, lit: new Set(), kinds: new Set(), chosen: [], shown: "",
};
/** @type {Map<string, string>} The current parts of the board that have changed. */
const board = new Map();
/** The number of requests so far. */
let asked = 0;
/** @type {Promise<unknown>} The running request, if any. */
let asking = Promise.resolve();

/** Wait for running requests that may change the state. */
export async function settled() {
  for (let last; last !== asking; ) await (last = asking);
}

/** @param {HTMLElement} page */
export function begin(page) {
  state.game = page.dataset.game ?? "";
  state.stand = page.dataset.stand ?? "";
  state.page = page.dataset.page ?? "";
  state.side = page.dataset.side ?? "";
  state.lit = state.kinds = new Set((page.dataset.lit ?? "").split(" ").filter(Boolean));
  state.records = Number(page.dataset.records);
  showTurns(Number(page.dataset.due));
  document.querySelector(".words > details")?.addEventListener("toggle", fetchWords);
  goOnTo(board);
  for (const part of document.querySelectorAll("[id]")) if (isOfBoard(part)) board.set(part.id, part.innerHTML);
  stopAt(document);
  mark(document);
}

/**
 * True if an element is a changing part of the board.
 * @param {Element} part
 */
function isOfBoard(part) {
  return /^(raids|at-.+|(british|french)-.+|strip|neutral|discs|words-\d|turn-lines)$/.test(part.id);
}

/**
 * Send a request of this game with its current state, one after the other, and put the answer in
 * place.
 * @param {string} action
 * @param {object | (() => object)} [data] Its data, or a function that returns them when it is sent.
 * @returns {Promise<Answer | null>} Null for a selection that a later one has replaced.
 */
export function ask(action, data = {}) {
  const number = ++asked;
  const answered = asking.then(async () => {
    if (action === "select" && number !== asked) return null;
    const more = typeof data === "function" ? data() : data;
    const { ok, answer } = await post(`/games/${state.game}/${action}`, { stand: state.stand, page: state.page, words: seesWords(), ...more });
    take(answer);
    return { ...answer, ok };
  });
  asking = answered.catch(() => null);
  return answered;
}

/** True if the position in words is not folded away: otherwise it is not sent. */
function seesWords() {
  return Boolean(document.querySelector(".words > [open]"));
}

/** Fetch the position in words. */
async function fetchWords() {
  if (!seesWords()) return;
  const { answer } = await get(`/games/${state.game}/parts`);
  for (const [id, markup] of Object.entries(answer.board ?? {})) {
    if (!id.startsWith("words-")) continue;
    board.set(id, /** @type {string} */ (markup));
    if (!looksBack()) place(id);
  }
}

/**
 * Fetch the whole state and put it in place, in sequence with other requests: an answer from before
 * an action never replaces the state after it.
 */
export function lookAgain() {
  const looked = asking.then(async () => {
    const { answer } = await get(`/games/${state.game}/parts`);
    // An announcement that came before stays.
    if (answer.stand !== state.stand) take({ ...answer, said: answer.said || byId("said").textContent });
  });
  asking = looked.catch(() => null);
  return looked;
}

/**
 * Send a request that changes nothing, at the same time as others.
 * @param {string} action
 * @param {object} [data]
 */
export async function inquire(action, data = {}) {
  const { answer } = await post(`/games/${state.game}/${action}`, { stand: state.stand, ...data });
  if (answer.board) await lookAgain();
  return answer;
}

/**
 * Put an answer in place.
 * @param {Answer} answer
 */
export function take(answer) {
  if (answer.stand === undefined) {
    say(answer.said ?? "");
    return;
  }
  const isRecorded = answer.board && answer.records !== state.records;
  state.stand = answer.stand;
  state.page = answer.page ?? state.page;
  if (answer.board) {
    // The choice was for the position before.
    state.chosen = [];
    state.shown = "";
    state.records = answer.records;
    byId("play-page").dataset.records = answer.records;
    for (const [id, markup] of Object.entries(answer.board)) board.set(id, /** @type {string} */ (markup));
    const told = document.querySelector("#turns > .now > .told");
    if (told) told.innerHTML = board.get("turn-lines") ?? "";
  }
  if (answer.lit) state.lit = new Set(answer.lit);
  // Without a choice, these are the kinds of order that are legal.
  if (answer.board) state.kinds = state.lit;
  const { hindsight, ...parts } = answer.parts ?? {};
  // A running analysis shows its progress there.
  putParts(byId("hindsight").ariaBusy === "true" ? parts : answer.parts ?? {});
  if (!looksBack()) for (const id of answer.board ? board.keys() : []) place(id);
  mark(document);
  if (answer.writes !== undefined) byId("writing").hidden = !answer.writes;
  if (answer.due !== undefined) showTurns(answer.due);
  if (answer.notes !== undefined) putNotes(answer.notes);
  say(answer.said ?? "");
  if (isRecorded) document.dispatchEvent(new Event("recorded"));
}

/** The newest turn and its headline. */
export function latestHeadline() {
  const draft = document.createElement("template");
  draft.innerHTML = board.get("turn-lines") ?? "";
  const texts = ["h3 a", ".headline"].map((each) => draft.content.querySelector(each)?.textContent ?? "");
  return texts.join(": ");
}

/** @param {string} id */
function place(id) {
  const part = document.getElementById(id);
  if (part) put(part, board.get(id) ?? "", prepare);
}

/**
 * Prepare a part before it is put in place.
 * @param {HTMLElement} draft
 */
export function prepare(draft) {
  stopAt(draft);
  if (!looksBack()) mark(draft);
}

/** @param {string} notes */
function putNotes(notes) {
  const field = /** @type {HTMLTextAreaElement | null} */ (document.getElementById("notes"));
  if (field && field !== document.activeElement) field.value = notes;
}

/** Fetch the orders and parts that can follow the choice. */
export async function select() {
  mark(document);
  await ask("select", () => ({ selection: state.chosen.map(plain), look: state.shown }));
  // The preview is below the actions, so that these do not move under the mouse.
  const next = document.querySelector("#yes, #choice .chosen");
  if (next && !(state.shown && isInView(next))) next.scrollIntoView({ block: "nearest" });
  uncover();
  clearHand();
}

/** @param {Element} part A part of the panel. */
function isInView(part) {
  return part.getBoundingClientRect().bottom <= Math.min(innerHeight, byId("panel").getBoundingClientRect().bottom);
}

/** Scroll the order that is previewed into view, above its preview. */
function uncover() {
  const tray = byId("choice");
  const order = tray.querySelector("[aria-pressed='true']"), preview = tray.querySelector(".preview");
  if (!order || !preview) return;
  order.scrollIntoView({ block: "nearest" });
  tray.scrollTop += Math.max(0, order.getBoundingClientRect().bottom - preview.getBoundingClientRect().top);
}

/** Scroll the hand into view if the choice covers the foot of the page. */
function clearHand() {
  const tray = byId("choice"), hand = document.querySelector(".own-hand");
  if (!hand || getComputedStyle(tray).position !== "fixed") return;
  const covered = hand.getBoundingClientRect().bottom - tray.getBoundingClientRect().top;
  if (covered > 0) scrollBy(0, covered);
}

/**
 * A key as the server knows it, without the number of the copy of a card.
 * @param {string} key
 */
export function plain(key) {
  return key.replace(/#\d+$/, "");
}
