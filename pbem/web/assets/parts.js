// What a page and the server say to each other, and how an answer is put in its place.

/**
 * @typedef {object} Answer
 * @property {Record<string, string>} [parts] By the id of an element, what is to stand in it.
 * @property {string} [said] A sentence for whoever listens or looks.
 * @property {string} [go] The address of a page that is needed first.
 * @property {string} [stand] How the game stands, as pages send it back.
 */

/**
 * Send something to the server, and hear its answer; a page that is needed first is opened.
 * @param {string} path
 * @param {object} what
 * @returns {Promise<{ok: boolean, status: number, answer: Answer & Record<string, any>}>}
 */
export async function post(path, what = {}) {
  const body = JSON.stringify(what);
  const headers = { "Content-Type": "application/json", Accept: "application/json" };
  return heard(fetch(path, { method: "POST", headers, body }));
}

/**
 * Send a file to the server, as it is.
 * @param {string} path
 * @param {Blob} file
 */
export async function sendFile(path, file) {
  const headers = { "Content-Type": "application/octet-stream", Accept: "application/json" };
  return heard(fetch(path, { method: "POST", headers, body: file }));
}

/**
 * Ask the server for something.
 * @param {string} path
 */
export async function get(path) {
  return heard(fetch(path, { headers: { Accept: "application/json" } }));
}

/** @param {Promise<Response>} asked */
async function heard(asked) {
  const response = await asked;
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
    if (!part || part.innerHTML === html) continue;
    const focused = document.activeElement;
    const key = focused && focused !== part && part.contains(focused) ? keyOf(part, focused) : null;
    part.innerHTML = html;
    if (key !== null) focusOn(part, key);
  }
}

/**
 * Say a sentence where all look, and to whoever listens.
 * @param {string} sentence
 */
export function say(sentence) {
  const place = document.getElementById("said");
  if (place) place.textContent = sentence;
}

const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";

/**
 * What tells an element of a part from the others: its key, or where it stands among them.
 * @param {Element} part
 * @param {Element} element
 */
function keyOf(part, element) {
  const data = element instanceof HTMLElement || element instanceof SVGElement ? element.dataset : {};
  return data.key || element.id || [...part.querySelectorAll(FOCUSABLE)].indexOf(element);
}

/**
 * @param {Element} part
 * @param {string | number} key
 */
function focusOn(part, key) {
  const all = /** @type {HTMLElement[]} */ ([...part.querySelectorAll(FOCUSABLE)]);
  const same = all.find((each) => each.dataset.key === key || each.id === key);
  const other = all[Math.min(typeof key === "number" ? key : 0, all.length - 1)];
  (same || other || document.getElementById("content"))?.focus({ preventScroll: true });
}
