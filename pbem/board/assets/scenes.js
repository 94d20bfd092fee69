// The content of the page after each turn, as packed by `pack_scenes` in pbem/board/templates.py.

import { byId, put } from "./parts.js";

/** @type {{lines: string[], texts: number[][], ids: string[], later: string[], scenes: number[][]}} */
let game = { lines: [], texts: [], ids: [], later: [], scenes: [] };
/** @type {number[][]} For each turn, the text number of each element. */
let shown = [];
/** @type {HTMLElement[]} */
let places = [];
/** @type {Map<string, string> | null} The present state of the game, if it is later than the last turn. */
let standing = null;
/** The number of the scene with the present state; other scenes may follow. */
let present = -1;

/**
 * Unpack a game; throws in a browser without decompression.
 * @param {string} packed
 * @param {number} [now] The number of the scene with the present state, if there is one.
 */
export async function unpack(packed, now = -1) {
  const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  game = await new Response(stream).json();
  places = game.ids.map(byId);
  present = now;
  shown = [];
  for (const scene of game.scenes) {
    const all = shown.length ? shown[shown.length - 1].slice() : scene;
    if (shown.length) for (let i = 0; i < scene.length; i += 2) all[scene[i]] = scene[i + 1];
    shown.push(all);
  }
  // Long parts were left out of the page.
  for (const id of game.later) byId(id).innerHTML = textOf(shown[0][game.ids.indexOf(id)]);
}

/**
 * Use these parts for the present state of the game.
 * @param {Map<string, string>} parts
 */
export function goOnTo(parts) {
  standing = parts;
}

/**
 * Return the text with that number.
 * @param {number} number
 */
function textOf(number) {
  return game.texts[number].map((line) => game.lines[line]).join("\n");
}

/**
 * Return the text of an element in a scene.
 * @param {number} turn
 * @param {number} place
 */
function textIn(turn, place) {
  const text = turn === present ? standing?.get(game.ids[place]) : undefined;
  return text ?? textOf(shown[turn][place]);
}

/**
 * Update the elements that differ between two scenes.
 * @param {number} from
 * @param {number} to
 * @param {(draft: HTMLElement) => void} [prepare]
 */
export function swap(from, to, prepare) {
  const areTurns = from !== present && to !== present;
  places.forEach((part, place) => {
    if (areTurns && shown[from][place] === shown[to][place] || game.later.includes(part.id)) return;
    put(part, textIn(to, place), prepare);
  });
}
