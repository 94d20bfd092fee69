// The passphrase goes to the server and nowhere else: no browser is asked to keep it.
import { post, say } from "./parts.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("unlock"));
const field = /** @type {HTMLInputElement} */ (document.getElementById("passphrase"));
const opening = /** @type {HTMLElement} */ (document.getElementById("opening"));

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  opening.hidden = false;
  say("");
  const { ok, answer } = await post("/unlock", { passphrase: field.value });
  opening.hidden = true;
  field.value = "";
  if (ok) location.replace(form.dataset.then || "/");
  else {
    say(answer.said || "");
    field.focus();
  }
});
