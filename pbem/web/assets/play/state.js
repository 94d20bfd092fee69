// How the game stands on this page: what the server said last, and what is chosen here.

import { get, post, put as putParts, say } from "../parts.js";
import { byId, put } from "../../../board/assets/parts.js";
import { stopAt } from "../../../board/assets/cards.js";
import { goOnTo, isScene } from "../../../board/assets/scenes.js";
import { looksBack } from "../../../board/assets/time.js";
import { mark } from "./marks.js";

/** @typedef {import("../parts.js").Answer & Record<string, any>} Answer */

/** @type {{game: string, stand: string, page: string, side: string, records: number, lit: Set<string>, chosen: string[], shown: string}} */
export const state = {
  game: "", stand: "", page: "", side: "", records: 0, lit: new Set(), chosen: [], shown: "",
};
/** @type {Map<string, string>} The parts of the board as they are now, where it was changed. */
const board = new Map();
/** How often something was asked for. */
let asked = 0;
/** @type {Promise<unknown>} What is being asked for, if anything. */
let asking = Promise.resolve();

/** Wait until nothing is being asked for that may change how the game stands here. */
export async function settled() {
  for (let last; last !== asking; ) await (last = asking);
}

/** @param {HTMLElement} page */
export function begin(page) {
  state.game = page.dataset.game ?? "";
  state.stand = page.dataset.stand ?? "";
  state.page = page.dataset.page ?? "";
  state.side = page.dataset.side ?? "";
  state.lit = new Set((page.dataset.lit ?? "").split(" ").filter(Boolean));
  state.records = Number(page.dataset.records);
  goOnTo(board);
  for (const part of document.querySelectorAll("[id]")) if (isOfBoard(part)) board.set(part.id, part.innerHTML);
  stopAt(document);
  mark(document);
}

/**
 * Whether an element is a part of the board that changes.
 * @param {Element} part
 */
function isOfBoard(part) {
  return /^(raids|at-.+|(british|french)-.+|neutral|discs|position-in-words|turn-lines)$/.test(part.id);
}

/**
 * Ask the server for something in this game, as it stands here by then: one thing after the other.
 * What it answers is put in place.
 * @param {string} what
 * @param {object | (() => object)} [data] What goes with it, maybe as it is by then.
 * @returns {Promise<Answer | null>} None where it was asked what can follow, and then once more.
 */
export function ask(what, data = {}) {
  const number = ++asked;
  const answered = asking.then(async () => {
    if (what === "select" && number !== asked) return null;
    const more = typeof data === "function" ? data() : data;
    const { answer } = await post(`/games/${state.game}/${what}`, { stand: state.stand, page: state.page, ...more });
    take(answer);
    return answer;
  });
  asking = answered.catch(() => null);
  return answered;
}

/**
 * Ask how it all stands now, and put that in place, in turn with all else that is asked for: what
 * was answered before something was done here never comes after it.
 */
export function lookAgain() {
  const looked = asking.then(async () => {
    const { answer } = await get(`/games/${state.game}/parts`);
    if (answer.stand !== state.stand) take(answer);
  });
  asking = looked.catch(() => null);
  return looked;
}

/**
 * Ask for something that changes nothing, whatever else is asked meanwhile.
 * @param {string} what
 * @param {object} [data]
 */
export async function inquire(what, data = {}) {
  const { answer } = await post(`/games/${state.game}/${what}`, { stand: state.stand, ...data });
  if (answer.board) await lookAgain();
  return answer;
}

/**
 * Put what the server said in its place.
 * @param {Answer} answer
 */
export function take(answer) {
  if (answer.stand === undefined) {
    say(answer.said ?? "");
    return;
  }
  state.stand = answer.stand;
  state.page = answer.page ?? state.page;
  if (answer.board) {
    // All that was chosen was for the position before.
    state.chosen = [];
    state.shown = "";
    state.records = answer.records;
    byId("play-page").dataset.records = answer.records;
    for (const [id, markup] of Object.entries(answer.board)) board.set(id, /** @type {string} */ (markup));
  }
  if (answer.lit) state.lit = new Set(answer.lit);
  putParts(answer.parts ?? {});
  if (!looksBack()) for (const id of answer.board ? board.keys() : []) place(id);
  mark(document);
  if (answer.writes !== undefined) byId("writing").hidden = !answer.writes;
  if (answer.notes !== undefined) putNotes(answer.notes);
  say(answer.said ?? "");
}

/** @param {string} id */
function place(id) {
  const part = document.getElementById(id);
  if (part) put(part, board.get(id) ?? "", prepare);
  if (id === "turn-lines" && !isScene(id)) {
    const told = document.querySelector("#turns > li:last-child > ul");
    if (told) told.innerHTML = board.get(id) ?? "";
  }
}

/**
 * What is done to each part before it is put in place.
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

/** Ask what can follow what is chosen. */
export async function select() {
  mark(document);
  await ask("select", () => ({ selection: state.chosen.map(plain), look: state.shown }));
  // What is asked for stands below the actions, which stay where they are under the mouse.
  document.querySelector("#yes, #choice .chosen")?.scrollIntoView({ block: "nearest" });
  clearHand();
}

/** Scroll the hand free where what is chosen lies over the page, at its foot. */
function clearHand() {
  const tray = byId("choice"), hand = document.querySelector(".own-hand");
  if (!hand || getComputedStyle(tray).position !== "fixed") return;
  const covered = hand.getBoundingClientRect().bottom - tray.getBoundingClientRect().top;
  if (covered > 0) scrollBy(0, covered);
}

/**
 * A key as the server knows it: here copies of a card are told apart.
 * @param {string} key
 */
export function plain(key) {
  return key.replace(/#\d+$/, "");
}
