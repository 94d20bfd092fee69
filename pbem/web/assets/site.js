// Pages that a browser runs itself: their version, another one if the player agrees to it, and files that
// the system opens with them.

import { take } from "./files.js";
import { root } from "./run.js";

const workers = navigator.serviceWorker, site = await workers.getRegistration(`${root}/`);

/**
 * Show a text of the page with the version of a service worker, and its hash, in their places.
 * @param {HTMLElement | null} place
 * @param {ServiceWorker | null} [worker]
 */
async function showVersion(place, worker) {
  const words = place?.querySelector("[data-text]"), { port1, port2 } = new MessageChannel();
  if (!place || !(words instanceof HTMLElement) || !worker) return;
  worker.postMessage("about", [port2]);
  const { data } = await new Promise((resolve) => (port1.onmessage = resolve));
  words.textContent = (words.dataset.text ?? "").replace(/\{(\w+)\}/g, (_, name) => data[name]);
  place.hidden = false;
}

const offer = () => showVersion(document.getElementById("update"), site?.waiting);
site?.addEventListener("updatefound", () => site.installing?.addEventListener("statechange", offer));
offer();
document.querySelector("#update button")?.addEventListener("click", () => site?.waiting?.postMessage("use"));
showVersion(document.getElementById("version"), workers.controller);

// The shell passes on one file after another; one that needs an identity or a passphrase comes again.
addEventListener("message", async ({ data, origin, source }) => {
  if (source !== parent || origin !== location.origin || !(data.file instanceof File)) return;
  const { ok, answer } = await take(data.file, data.file.name);
  if (ok || !answer.go) parent.postMessage({ isTaken: true }, location.origin);
});
parent.postMessage({ isReady: true }, location.origin);
