// Light or dark: the preference of the system, until the reader chooses.

import { byId } from "./parts.js";

const night = matchMedia("(prefers-color-scheme: dark)");

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : night.matches;
}

function label() {
  byId("theme").classList.toggle("dark", isDark());
}

/** Set up the button that switches the theme. */
export function offerThemes() {
  byId("theme").addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    label();
  });
  night.addEventListener("change", label);
  label();
  byId("theme").hidden = false;
}
