// Sends a file, once; the password for that goes to the server alone.
import { get, post, put, say } from "./parts.js";
import { isOver } from "./run.js";

/** @param {HTMLFormElement} form */
async function send(form) {
  const of = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
  const sending = /** @type {HTMLElement} */ (form.querySelector(".sending"));
  const place = /** @type {HTMLElement} */ (form.querySelector(".password"));
  const password = of("password").value;
  of("password").value = "";
  button.disabled = true;
  sending.hidden = false;
  say("");
  const again = "again" in form.dataset;
  const picture = Boolean(of("picture")?.checked);
  const data = { to: of("to").value, word: of("word").value, picture, password, again };
  const { answer } = await post(form.dataset.send || "", data);
  button.disabled = false;
  sending.hidden = true;
  if (answer.asks) {
    const label = /** @type {HTMLElement} */ (place.querySelector("label"));
    label.textContent = answer.asks;
    place.hidden = false;
    of("password").focus();
    return;
  }
  say(answer.said || "");
  if (!answer.parts) return;
  of("word").value = "";
  put(answer.parts);
}

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.dataset.send) return;
  event.preventDefault();
  if (isOver) return;
  if (event.submitter?.getAttribute("name") === "letter") {
    const fields = new FormData(form);
    // An address of the program is no place for a password.
    fields.delete("password");
    location.assign(`${form.action}?${new URLSearchParams(/** @type {any} */ (fields))}`);
  } else send(form);
});

// Only some systems have a sheet that takes files.
const canShare = Boolean(navigator.canShare?.({ files: [new File(["."], "game.txt", { type: "text/plain" })] }));
document.documentElement.classList.toggle("can-share", canShare);
document.addEventListener("click", async (event) => {
  const button = event.target instanceof Element && event.target.closest("[data-share], [data-mail]");
  if (!(button instanceof HTMLElement)) return;
  const { answer } = await get(button.dataset.share || button.dataset.mail || "");
  if (!answer.content) return say(answer.said || "");
  const { name, content, to, subject, words } = answer;
  say("");
  if (button.dataset.share) {
    const files = [new File([content], name, { type: "text/plain" })];
    // The player may change their mind in the sheet.
    navigator.share({ files, title: subject, text: words }).catch(() => {});
  } else {
    const fields = [["subject", subject], ["body", words.replace(/\n/g, "\r\n")]];
    const query = fields.map(([key, text]) => `${key}=${encodeURIComponent(text)}`).join("&");
    // The policy of the shell allows no such address in its frame.
    open(`mailto:${encodeURIComponent(to)}?${query}`, "_top");
  }
});

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element && event.target.closest("[data-copy]");
  if (button instanceof HTMLElement) navigator.clipboard.writeText(button.dataset.copy || "");
});
document.addEventListener("click", async (event) => {
  const button = event.target instanceof Element && event.target.closest("[data-by-hand]");
  if (!(button instanceof HTMLElement)) return;
  const { answer } = await post(button.dataset.byHand || "");
  say(answer.said || "");
  if (answer.parts) put(answer.parts);
});
