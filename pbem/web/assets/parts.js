// Requests of a page to the server, and putting the answers in place.

import { byId, put as putPart } from "../../board/assets/parts.js";
import { end, isOver, proof, root, sign } from "./run.js";

/**
 * @typedef {object} Answer
 * @property {Record<string, string>} [parts] The new contents of elements, by their ids.
 * @property {string} [said] A sentence for the player.
 * @property {string} [go] The address of a page to open first.
 * @property {[string, string]} [file] The name and the content, in base64, of a file to save.
 * @property {string} [stand] The state of the game, which pages send back.
 */

/** Headers of each request: it wants no page, and this is the page to return to. */
const USUAL = { Accept: "application/json", "Acres-Page": location.pathname.slice(root.length) };

/**
 * Send data to the server, and return its answer; open another page if that is needed first.
 * @param {string} path
 * @param {object} data
 * @returns {Promise<{ok: boolean, status: number, answer: Answer & Record<string, any>}>}
 */
export async function post(path, data = {}) {
  const body = JSON.stringify(data);
  return ask(path, { method: "POST", headers: { "Content-Type": "application/json" }, body });
}

/**
 * Send a file to the server.
 * @param {string} path
 * @param {Blob} file
 */
export async function sendFile(path, file) {
  return ask(path, { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file });
}

/**
 * Get data from the server.
 * @param {string} path
 */
export async function get(path) {
  return ask(path);
}

/**
 * Return the answer; an empty one with status 0 if the program has ended, or another one answers.
 * @param {string} path
 * @param {RequestInit} [init]
 */
async function ask(path, init = {}) {
  const none = { ok: false, status: 0, answer: {} };
  if (isOver) return none;
  const proved = await proof(), headers = { ...USUAL, ...init.headers, ...proved };
  const response = await fetch(root + path, { ...init, headers, redirect: "error" }).catch(() => null);
  const body = await response?.arrayBuffer().catch(() => null);
  byId("gone").hidden = Boolean(body) && !isOver;
  if (!response || !body) return none;
  const signature = await sign(`answer ${proved["Acres-Nonce"]} ${response.status}\n`, body);
  if (isOver || response.headers.get("Acres-Proof") !== signature) {
    end();
    return none;
  }
  // Some refusals have no body.
  const answer = body.byteLength ? JSON.parse(new TextDecoder().decode(body)) : {};
  if (answer.go) location.assign(root + answer.go);
  return { ok: response.ok, status: response.status, answer };
}

/**
 * Put parts in place, keeping the focus.
 * @param {Record<string, string>} parts
 */
export function put(parts) {
  for (const [id, html] of Object.entries(parts)) {
    const part = document.getElementById(id);
    if (part) putPart(part, html, () => {});
  }
}

/**
 * Send a form once: until the answer arrives it is marked as busy, and its button does nothing.
 * If another page follows, it stays so.
 * @param {HTMLFormElement} form
 * @param {() => ReturnType<typeof post>} send
 * @param {(answer: Answer) => boolean} leaves True if another page follows a good answer.
 * @returns {Promise<{ok: boolean, answer: Answer} | null>} Null if it is being sent already.
 */
export async function once(form, send, leaves = (answer) => Boolean(answer.go)) {
  if (form.getAttribute("aria-busy") === "true") return null;
  const button = form.querySelector("button:not([type=button])");
  // A disabled button would lose the focus.
  button?.setAttribute("aria-disabled", "true");
  form.setAttribute("aria-busy", "true");
  say(form.dataset.busy || busy());
  const found = await send();
  if (found.ok && leaves(found.answer)) return found;
  form.removeAttribute("aria-busy");
  button?.removeAttribute("aria-disabled");
  say(found.answer.said || "");
  return found;
}

/** Show that a request is running. */
export function busy() {
  return byId("said").dataset.busy ?? "";
}

/**
 * Show a sentence, also to screen readers.
 * @param {string} sentence
 */
export function say(sentence) {
  const place = document.getElementById("said");
  place?.classList.remove("aside");
  if (place) place.textContent = sentence;
}
