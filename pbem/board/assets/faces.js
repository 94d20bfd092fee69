// Parsing all faces of cards would delay the first paint.

import { byId } from "./parts.js";

/** @returns {Promise<void>} */
function painted() {
  return new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}

/** Insert the faces of the cards after the first paint. */
export async function putFaces() {
  await painted();
  const faces = byId("faces");
  faces.outerHTML = faces.textContent ?? "";
}
