// Forms that are sent as JSON, and what in them depends on what is chosen.
import { post, put, say } from "./parts.js";

/**
 * What is given in a form, by name; what was ticked several times is a list.
 * @param {HTMLFormElement} form
 */
function given(form) {
  const data = new FormData(form);
  /** @type {Record<string, any>} */
  const found = {};
  for (const name of data.keys()) {
    const all = data.getAll(name);
    found[name] = all.length > 1 ? all : all[0];
  }
  return found;
}

/** @param {HTMLFormElement} form */
function prepare(form) {
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    const { ok, answer } = await post(form.dataset.post || "", given(form));
    if (ok && answer.go) return;
    button.disabled = false;
    say(answer.said || "");
  });
  const options = form.dataset.options;
  if (!options) return;
  let last = 0;
  form.addEventListener("change", async () => {
    const mine = ++last;
    const { ok, answer } = await post(options, given(form));
    // An answer to what was chosen before comes too late.
    if (mine !== last) return;
    if (ok) put(answer.parts || {});
    else say(answer.said || "");
  });
}

/** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-post]")).forEach(prepare);
