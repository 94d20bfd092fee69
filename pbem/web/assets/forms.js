// Forms that are sent as JSON, and options that depend on others.
import { byId } from "../../board/assets/parts.js";
import { once, post, put, say, sendFile } from "./parts.js";

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

/**
 * Send a form as JSON, or a file or a text in it, after a line with its passphrase.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} button
 */
function send(form, button) {
  const { post: path, upload } = form.dataset;
  if (!upload) return post(path || "", given(form, button));
  const { secret, sealed, recovery } = given(form);
  return sendFile(upload, new Blob([secret, "\n", sealed.size ? sealed : recovery]));
}

/** Save a file that the program made. @param {[string, string]} file Its name, and its content in base64. */
function save([name, content]) {
  const link = document.createElement("a");
  const bytes = Uint8Array.from(atob(content), (byte) => byte.charCodeAt(0));
  link.href = URL.createObjectURL(new Blob([bytes]));
  link.download = name;
  link.click();
}

/** @param {HTMLFormElement} form */
function prepare(form) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    once(form, () => send(form, event.submitter)).then((found) => found?.answer.file && save(found.answer.file));
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

/** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form:is([data-post], [data-upload])")).forEach(prepare);

document.getElementById("another")?.addEventListener("click", async () => {
  const { answer } = await post("/another");
  byId("another-address").textContent = answer.address;
  byId("another-ready").hidden = false;
});
