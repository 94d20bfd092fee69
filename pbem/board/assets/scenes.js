// What stands on the page after each turn: as `pack_scenes` of pbem/board/templates.py has packed it.

import { byId, put } from "./parts.js";

/** @type {{lines: string[], texts: number[][], ids: string[], later: string[], scenes: number[][]}} */
let game = { lines: [], texts: [], ids: [], later: [], scenes: [] };
/** @type {number[][]} For each turn, the number of the text in each place. */
let shown = [];
/** @type {HTMLElement[]} */
let places = [];
/** @type {Map<string, string> | null} The game as it stands now, where that is behind the last turn. */
let standing = null;

/**
 * Unpack a game; fails in a browser that cannot.
 * @param {string} packed
 */
export async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  game = await new Response(stream).json();
  places = game.ids.map(byId);
  shown = [];
  for (const scene of game.scenes) {
    const all = shown.length ? shown[shown.length - 1].slice() : scene;
    if (shown.length) for (let i = 0; i < scene.length; i += 2) all[scene[i]] = scene[i + 1];
    shown.push(all);
  }
  // What is long was left out of the page.
  for (const id of game.later) byId(id).innerHTML = textOf(shown[0][game.ids.indexOf(id)]);
}

/**
 * Have one scene more behind the last turn: the game as it stands now, of which these are the parts.
 * @param {Map<string, string>} parts
 */
export function goOnTo(parts) {
  standing = parts;
}

/**
 * Whether an element is one of those that change from scene to scene.
 * @param {string} id
 */
export function isScene(id) {
  return game.ids.includes(id);
}

/**
 * The text of that number.
 * @param {number} number
 */
function textOf(number) {
  return game.texts[number].map((line) => game.lines[line]).join("\n");
}

/**
 * What stands in a place in a scene.
 * @param {number} turn
 * @param {number} place
 */
function textIn(turn, place) {
  if (turn < shown.length) return textOf(shown[turn][place]);
  return standing?.get(game.ids[place]) ?? textOf(shown[shown.length - 1][place]);
}

/**
 * Put what differs from one scene to another in its place.
 * @param {number} from
 * @param {number} to
 * @param {(draft: HTMLElement) => void} [prepare]
 */
export function swap(from, to, prepare) {
  const areTurns = Math.max(from, to) < shown.length;
  places.forEach((part, place) => {
    if (areTurns && shown[from][place] === shown[to][place]) return;
    put(part, textIn(to, place), prepare);
  });
}
