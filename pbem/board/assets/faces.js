// What a browser makes of so many faces of cards would keep the first paint waiting.

import { byId } from "./parts.js";

/** @returns {Promise<void>} */
function painted() {
  return new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}

/** Put the faces of the cards in place, once there is something to see. */
export async function putFaces() {
  await painted();
  const faces = byId("faces");
  faces.outerHTML = faces.textContent ?? "";
}
