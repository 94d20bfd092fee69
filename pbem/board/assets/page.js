// The entry point of a page with scripts.

import { putFaces } from "./faces.js";
import { offerMap } from "./map.js";
import { byId } from "./parts.js";
import { unpack } from "./scenes.js";
import { offerThemes } from "./theme.js";
import { begin } from "./time.js";

offerThemes();
offerMap();
const faced = putFaces();

if ("DecompressionStream" in window) {
  const still = byId("still"), time = byId("time");
  // The bar takes its space at once, and becomes visible when it can be used.
  time.inert = still.hidden = true;
  time.hidden = false;
  faced.then(() => unpack(byId("game").textContent ?? "")).then(() => begin()).catch((error) => {
    time.hidden = true;
    still.hidden = false;
    console.error(error);
  });
}
