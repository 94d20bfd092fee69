// What a page and the server say to each other, and how an answer is put in its place.

import { byId, put as putPart } from "../../board/assets/parts.js";

/**
 * @typedef {object} Answer
 * @property {Record<string, string>} [parts] By the id of an element, what is to stand in it; all
 *   other elements stay as they are.
 * @property {string} [said] A sentence for whoever listens or looks.
 * @property {string} [go] The address of a page that is needed first.
 * @property {string} [stand] How the game stands, as pages send it back.
 */

/** What each request says: that no page is wanted, and to which one to come back. */
const USUAL = { Accept: "application/json", "Acres-Page": location.pathname };

/**
 * Send something to the server, and hear its answer; a page that is needed first is opened.
 * @param {string} path
 * @param {object} what
 * @returns {Promise<{ok: boolean, status: number, answer: Answer & Record<string, any>}>}
 */
export async function post(path, what = {}) {
  const body = JSON.stringify(what);
  const headers = { ...USUAL, "Content-Type": "application/json" };
  return heard(fetch(path, { method: "POST", headers, body }));
}

/**
 * Send a file to the server, as it is.
 * @param {string} path
 * @param {Blob} file
 */
export async function sendFile(path, file) {
  const headers = { ...USUAL, "Content-Type": "application/octet-stream" };
  return heard(fetch(path, { method: "POST", headers, body: file }));
}

/**
 * Ask the server for something.
 * @param {string} path
 */
export async function get(path) {
  return heard(fetch(path, { headers: USUAL }));
}

/**
 * What was answered; nothing, with status 0, where the program has ended.
 * @param {Promise<Response>} asked
 */
async function heard(asked) {
  const response = await asked.catch(() => null);
  byId("gone").hidden = response !== null;
  if (!response) return { ok: false, status: 0, answer: {} };
  const answer = await response.json();
  if (answer.go) location.assign(answer.go);
  return { ok: response.ok, status: response.status, answer };
}

/**
 * Put what came in its places; whatever has the focus keeps it.
 * @param {Record<string, string>} parts
 */
export function put(parts) {
  for (const [id, html] of Object.entries(parts)) {
    const part = document.getElementById(id);
    if (part) putPart(part, html, () => {});
  }
}

/**
 * Send a form, once: until it is answered it is told that it is being done, and its button does
 * nothing. Where another page follows, that stays so.
 * @param {HTMLFormElement} form
 * @param {() => ReturnType<typeof post>} send
 * @param {(answer: Answer) => boolean} leaves Whether another page follows a good answer.
 * @returns {Promise<{ok: boolean, answer: Answer} | null>} None where it is being answered already.
 */
export async function once(form, send, leaves = (answer) => Boolean(answer.go)) {
  if (form.getAttribute("aria-busy") === "true") return null;
  const button = form.querySelector("button:not([type=button])");
  // It keeps the focus, which a button that is disabled would lose.
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

/** That something is being done, in a sentence. */
export function busy() {
  return byId("said").dataset.busy ?? "";
}

/**
 * Say a sentence where all look, and to whoever listens.
 * @param {string} sentence
 */
export function say(sentence) {
  const place = document.getElementById("said");
  place?.classList.remove("aside");
  if (place) place.textContent = sentence;
}
