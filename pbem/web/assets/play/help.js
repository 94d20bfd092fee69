// The help in the page of a game: rules, actions, cards and keys.

import { byId } from "../../../board/assets/parts.js";
import { hasSound, setSound } from "../turns.js";

const help = /** @type {HTMLDialogElement} */ (byId("help"));

/** Open the help, with the faces of all cards. */
function open() {
  if (help.open) return;
  for (const list of help.querySelectorAll("ul[data-colour]"))
    if (!list.children.length) list.innerHTML = faces(/** @type {HTMLElement} */ (list).dataset.colour ?? "");
  const sound = /** @type {HTMLInputElement} */ (byId("sound"));
  sound.checked = hasSound();
  help.showModal();
}

/** @param {string} colour */
function faces(colour) {
  const all = document.querySelectorAll(`#words-on-cards [id^="name-${colour}-"]`);
  return [...all].map(({ id }) => `<li><svg class="card" viewBox="0 0 126 176" role="img" aria-labelledby="${id}">
<use href="#card-${id.replace("name-", "")}"/></svg></li>`).join("");
}

/** Begin to listen for the button and the key of the help. */
export function offerHelp() {
  byId("open-help").addEventListener("click", open);
  byId("close-help").addEventListener("click", () => help.close());
  // A click on the page around the help closes it.
  help.addEventListener("click", (event) => event.target === help && help.close());
  for (const part of help.querySelectorAll("details"))
    part.addEventListener("toggle", () => part.open && part.scrollIntoView({ block: "start" }));
  byId("sound").addEventListener("change", (event) =>
    setSound(/** @type {HTMLInputElement} */ (event.target).checked));
  // Keys in the help are no orders.
  addEventListener("keydown", (event) => help.open && event.stopPropagation(), true);
  document.addEventListener("keydown", (event) => {
    const isText = event.target instanceof Element && event.target.closest("textarea, input, select");
    if (event.key !== "?" || event.defaultPrevented || isText) return;
    event.preventDefault();
    open();
  });
}
