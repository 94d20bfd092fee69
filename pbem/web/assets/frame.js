// What every page has: light or dark, another browser, whether the program is still there.
import { listen } from "./events.js";
import { post, say } from "./parts.js";

const theme = /** @type {HTMLElement} */ (document.getElementById("theme"));
const night = matchMedia("(prefers-color-scheme: dark)");
const CHOSEN = "acres-theme";

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : night.matches;
}
function label() {
  theme.classList.toggle("dark", isDark());
}
function choose() {
  const chosen = sessionStorage.getItem(CHOSEN);
  if (chosen) document.documentElement.dataset.theme = chosen;
  label();
}
theme.addEventListener("click", () => {
  sessionStorage.setItem(CHOSEN, isDark() ? "light" : "dark");
  choose();
});
night.addEventListener("change", label);
choose();
theme.hidden = false;

const gone = /** @type {HTMLElement} */ (document.getElementById("gone"));
listen("lost", () => (gone.hidden = false));
listen("hello", () => (gone.hidden = true));
listen("said", (data) => say(data.text));

const another = /** @type {HTMLElement} */ (document.getElementById("another"));
another.addEventListener("click", async () => {
  const { answer } = await post("/another");
  const address = /** @type {HTMLElement} */ (document.getElementById("another-address"));
  const told = /** @type {HTMLElement} */ (document.getElementById("another-told"));
  address.textContent = answer.address;
  told.hidden = false;
});
