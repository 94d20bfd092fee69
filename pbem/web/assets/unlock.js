// The passphrase goes to the server alone: browsers are not to save it.
import { once, post } from "./parts.js";
import { root } from "./run.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("unlock"));
const field = /** @type {HTMLInputElement} */ (document.getElementById("passphrase"));

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const found = await once(form, () => post("/unlock", { passphrase: field.value }), () => true);
  if (!found) return;
  field.value = "";
  if (found.ok) location.replace(root + (form.dataset.then || "/"));
  else field.focus();
});
