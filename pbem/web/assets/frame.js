// The frame of every page: light or dark, and the end of the program.

import { byId } from "../../board/assets/parts.js";
import { offerThemes } from "../../board/assets/theme.js";
import { listen } from "./events.js";
import "./files.js";
import { post, say } from "./parts.js";

offerThemes();
byId("theme").addEventListener("click", () => post("/theme", { theme: document.documentElement.dataset.theme }));

listen("said", (data) => say(data.text));
