"use strict";
// What stands on the page after each turn: as pbem/board/kept.py has written it down.

/** @type {{lines: string[], texts: number[][], ids: string[], later: string[], scenes: number[][]}} */
let game;
/** @type {number[][]} For each turn, the number of the text in each place. */
const shown = [];
/** @type {HTMLElement[]} */
let places;

/** Unpack the game; fails in a browser that cannot. */
async function unpack() {
  const packed = atob(document.getElementById("game").textContent);
  const bytes = Uint8Array.from(packed, (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  game = await new Response(stream).json();
  places = game.ids.map((id) => document.getElementById(id));
  for (const scene of game.scenes) {
    const all = shown.length ? shown[shown.length - 1].slice() : scene;
    if (shown.length) for (let i = 0; i < scene.length; i += 2) all[scene[i]] = scene[i + 1];
    shown.push(all);
  }
  // What is long was left out of the page.
  for (const id of game.later)
    document.getElementById(id).innerHTML = textOf(shown[0][game.ids.indexOf(id)]);
}

/** The text of that number. */
function textOf(number) {
  return game.texts[number].map((line) => game.lines[line]).join("\n");
}

/** Put what differs from one scene to another in its place; whatever has the focus keeps it. */
function swap(from, to) {
  const focused = document.activeElement;
  shown[to].forEach((text, place) => {
    if (shown[from][place] === text) return;
    const part = places[place], draft = part.cloneNode(false);
    const key = part.contains(focused) && focused !== part ? keyOf(part, focused) : null;
    draft.innerHTML = textOf(text);
    stopAt(draft);
    become(part, draft);
    if (key !== null && document.activeElement !== focused) focusOn(part, key);
  });
}

/** Have an element hold what a draft of it holds; what is in both is left alone, and so is cheap. */
function become(element, draft) {
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
    dress(old, each);
    become(old, each);
    kept.set(each, old);
  }
  for (const old of left) old.remove();
  wanted.forEach((each, place) => {
    const now = element.childNodes[place], node = kept.get(each) || each;
    if (now !== node) element.insertBefore(node, now || null);
  });
}

/** Whether one can become the other: elements of a kind, that stand for the same thing. */
function isLike(old, draft) {
  return (
    old.nodeType === Node.ELEMENT_NODE &&
    old.nodeName === draft.nodeName &&
    old.dataset.key === draft.dataset.key &&
    old.id === draft.id
  );
}

/** Give an element the attributes of a draft; what a reader has opened stays open. */
function dress(old, draft) {
  for (const name of old.getAttributeNames())
    if (!draft.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  for (const name of draft.getAttributeNames()) old.setAttribute(name, draft.getAttribute(name));
}

const FOCUSABLE = "a[href], button, summary, [tabindex]";

/** What tells an element of a part from the others: its key, or where it stands among them. */
function keyOf(part, element) {
  return element.dataset.key || element.id || [...part.querySelectorAll(FOCUSABLE)].indexOf(element);
}

/** Focus the element of that key, or what stands for it: the one at its place, or the game. */
function focusOn(part, key) {
  const all = [...part.querySelectorAll(FOCUSABLE)];
  const same = all.find((each) => each.dataset.key === key || each.id === key);
  const other = all[Math.min(Number.isInteger(key) ? key : 0, all.length - 1)];
  (same || other || document.getElementById("game-now")).focus({ preventScroll: true });
}
