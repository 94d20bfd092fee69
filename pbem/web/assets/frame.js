// The frame of every page: light or dark, a link for another browser, and the end of the program.

import { byId } from "../../board/assets/parts.js";
import { offerThemes } from "../../board/assets/theme.js";
import { listen } from "./events.js";
import "./files.js";
import { post, say } from "./parts.js";

// The chosen theme is that of all pages.
const CHOSEN = "acres-theme", root = document.documentElement;
/** @param {() => void} use Uses the storage, which a browser may refuse. */
function store(use) {
  try {
    use();
  } catch {}
}
store(() => {
  const chosen = localStorage.getItem(CHOSEN);
  if (chosen) root.dataset.theme = chosen;
});
offerThemes();
byId("theme").addEventListener("click", () => store(() => localStorage.setItem(CHOSEN, root.dataset.theme ?? "")));

listen("said", (data) => say(data.text));

byId("another").addEventListener("click", async () => {
  const { answer } = await post("/another");
  byId("another-address").textContent = answer.address;
  byId("another-told").hidden = false;
});
