// Forms that are sent as JSON, and options that depend on others.
import { byId } from "../../board/assets/parts.js";
import { once, post, put, say } from "./parts.js";

/**
 * The values of a form, by name; several ticked boxes of one name are a list.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} [button] The button that sends it; its value is sent, too.
 */
function given(form, button) {
  const data = new FormData(form, button);
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
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    once(form, () => post(form.dataset.post || "", given(form, event.submitter)));
  });
  const options = form.dataset.options;
  if (!options) return;
  let last = 0;
  form.addEventListener("change", async () => {
    const mine = ++last;
    const { ok, answer } = await post(options, given(form));
    // Ignore the answer to an earlier choice.
    if (mine !== last) return;
    if (ok) put(answer.parts || {});
    else say(answer.said || "");
  });
}

/** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-post]")).forEach(prepare);

document.getElementById("another")?.addEventListener("click", async () => {
  const { answer } = await post("/another");
  byId("another-address").textContent = answer.address;
  byId("another-ready").hidden = false;
});
