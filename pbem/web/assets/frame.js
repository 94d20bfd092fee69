// The frame of every page: light or dark, and the end of the program.

import { offerThemes } from "../../board/assets/theme.js";
import { listen } from "./events.js";
import "./files.js";
import { post, say } from "./parts.js";

offerThemes();

// The program keeps what is chosen for the next run, because the browser forgets it.
const root = document.documentElement;
new MutationObserver((changes) => {
  for (const { attributeName } of changes) {
    const name = String(attributeName).slice("data-".length);
    post(`/${name}`, { [name]: root.dataset[name] });
  }
}).observe(root, { attributeFilter: ["data-theme", "data-legend", "data-sound"] });

listen("said", (data) => say(data.text));
