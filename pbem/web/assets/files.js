// Uploads: a file that is chosen or dropped on the page, or the pasted text of a message.
import { once, say, sendFile } from "./parts.js";

/** @param {Blob} data @param {string} name */
function send(data, name) {
  return sendFile(`/files?name=${encodeURIComponent(name)}`, data);
}

/** @param {Blob} data @param {string} name */
async function take(data, name) {
  const { ok, answer } = await send(data, name);
  if (!(ok && answer.go)) say(answer.said || "");
}

const file = /** @type {HTMLInputElement} */ (document.getElementById("file"));
file.addEventListener("change", async () => {
  if (file.files && file.files[0]) await take(file.files[0], file.files[0].name);
  file.value = "";
});

const pasted = /** @type {HTMLFormElement} */ (document.getElementById("pasted"));
const text = /** @type {HTMLTextAreaElement} */ (document.getElementById("text"));
pasted.addEventListener("submit", (event) => {
  event.preventDefault();
  once(pasted, () => send(new Blob([text.value]), ""));
});

document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  const dropped = event.dataTransfer?.files[0];
  if (dropped) take(dropped, dropped.name);
});
