// Uploads: a file that is chosen, or dropped or pasted anywhere on a page, or the text of a message.
import { byId, store } from "../../board/assets/parts.js";
import { listen } from "./events.js";
import { busy, once, put, say, sendFile } from "./parts.js";
import { root } from "./run.js";

/** The beginning of a game in a text, also in a quoted one. */
const GAME = /-----BEGIN ACRES FILE-----|^format = "acres-save"/m;

/** The end of a link with an invitation. */
const LINK = /^#([\w-]{99,})$/;
const linked = LINK.exec(location.hash)?.[1];
// A newcomer gives a name first, on another page.
if (linked) {
  store((kept) => kept.setItem("linked", linked));
  history.replaceState(null, "", location.pathname);
}

/** Return the block of text of a file in a link. @param {string} packed */
function blockOf(packed) {
  const text = packed.replaceAll("-", "+").replaceAll("_", "/") + "=".repeat(-packed.length & 3);
  return ["-----BEGIN ACRES FILE-----", ...(text.match(/.{1,64}/g) ?? []), "-----END ACRES FILE-----", ""].join("\n");
}

const bar = /** @type {HTMLProgressElement} */ (byId("checking"));
/** The number of files that were sent and not answered yet. */
let unanswered = 0;
listen("progress", ({ game, done, total }) => {
  // The progress of an analysis is shown elsewhere.
  if (!game && unanswered) [bar.value, bar.hidden] = [done / total, false];
});

/** @param {Blob} data @param {string} name */
async function send(data, name) {
  const path = document.querySelector("[data-files]") ? "/audit" : `/files?name=${encodeURIComponent(name)}`;
  unanswered++;
  try {
    return await sendFile(path, data);
  } finally {
    if (!--unanswered) bar.hidden = true;
  }
}

/** @param {Blob} data @param {string} [name] */
export async function take(data, name = "") {
  say(busy());
  const response = await send(data, name);
  if (!response.answer.go) tell(response.answer);
  return response;
}

/**
 * Say what became of a file, with a link to its game unless the page shows it.
 * @param {import("./parts.js").Answer & Record<string, any>} answer
 */
function tell(answer) {
  say(answer.said || "");
  put(answer.parts || {});
  if (!answer.link) return;
  const link = document.createElement("a");
  [link.href, link.textContent] = [root + answer.link[0], answer.link[1]];
  byId("said").append(" ", link);
}

/** Take the first file of a drop, a paste, or a field. @param {FileList | null | undefined} files */
function takeFirst(files) {
  const first = files?.[0];
  if (first) take(first, first.name);
  return Boolean(first);
}

document.addEventListener("change", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  if (field.id !== "file") return;
  takeFirst(field.files);
  field.value = "";
});

document.addEventListener("submit", async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.id !== "pasted") return;
  event.preventDefault();
  const text = /** @type {HTMLTextAreaElement} */ (form.elements.namedItem("text")).value;
  const found = await once(form, () => send(new Blob([text]), ""));
  if (found && !found.answer.go) tell(found.answer);
});

// A browser would open a dropped file, and leave the page.
for (const kind of ["dragover", "drop"])
  document.addEventListener(kind, (event) => {
    const dropped = /** @type {DragEvent} */ (event).dataTransfer;
    if (!dropped?.types.includes("Files")) return;
    event.preventDefault();
    if (kind === "drop") takeFirst(dropped.files);
  });
document.addEventListener("paste", (event) => {
  if (event.target instanceof Element && event.target.closest("textarea, input, [contenteditable]")) return;
  const text = event.clipboardData?.getData("text/plain") ?? "";
  if (!takeFirst(event.clipboardData?.files) && GAME.test(text)) take(new Blob([text]));
});

addEventListener("hashchange", () => LINK.test(location.hash) && location.reload());
const waiting = document.getElementById("files") && store((kept) => kept.getItem("linked"));
if (waiting) {
  store((kept) => kept.removeItem("linked"));
  take(new Blob([blockOf(waiting)]));
}
