// Pages that a browser runs itself: their version, another one if the player agrees to it, files that
// the system opens with them, and pictures, which the program draws as SVG.

import { take } from "./files.js";
import { proof, root } from "./run.js";

const workers = navigator.serviceWorker, site = await workers.getRegistration(`${root}/`);

/**
 * Show a text of the page with the number and hash of a version in their places.
 * @param {HTMLElement | null} place
 * @param {Record<string, string>} version
 */
function showVersion(place, version) {
  const words = place?.querySelector("[data-text]");
  if (!place || !(words instanceof HTMLElement)) return;
  words.textContent = (words.dataset.text ?? "").replace(/\{(\w+)\}/g, (_, name) => version[name]);
  place.hidden = false;
}

// A service worker that the player has not agreed to offers itself, and ends.
const choice = await caches.open(`acres-version ${site?.scope}`);
const offered = async () => (await choice.match(`${site?.scope}offered`))?.json();
const offer = async () => {
  const version = await offered();
  if (version) showVersion(document.getElementById("update"), version);
};
site?.addEventListener("updatefound", () => site.installing?.addEventListener("statechange", offer));
offer();
document.querySelector("#update button")?.addEventListener("click", async () => {
  await choice.put(`${site?.scope}agreed`, new Response((await offered()).id));
  await site?.update();
});
const own = document.getElementById("version");
if (own) {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = (/** @type {MessageEvent} */ { data }) => showVersion(own, data);
  workers.controller?.postMessage("about", [port2]);
}

// The shell passes on one file after another; one that needs an identity or a passphrase comes again.
addEventListener("message", async ({ data, origin, source }) => {
  if (source !== parent || origin !== location.origin || !(data.file instanceof File)) return;
  const { ok, answer } = await take(data.file, data.file.name);
  if (ok || !answer.go) parent.postMessage({ isTaken: true }, location.origin);
});
parent.postMessage({ isReady: true }, location.origin);

const WIDTH = 1600;

/** Save an SVG of the program, drawn as PNG. @param {string} address */
async function savePicture(address) {
  const response = await fetch(address, { headers: await proof() }), svg = await response.text(), image = new Image();
  const [, width, height] = (/viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? []).map(Number);
  image.src = `data:image/svg+xml,${encodeURIComponent(svg.replace("<svg", `<svg width="${width}" height="${height}"`))}`;
  await image.decode();
  const canvas = document.createElement("canvas"), link = document.createElement("a");
  canvas.width = WIDTH;
  canvas.height = (WIDTH * height) / width;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve));
  const name = response.headers.get("Content-Disposition")?.split("''")[1] ?? "";
  link.href = URL.createObjectURL(blob);
  link.download = decodeURIComponent(name).replace(/svg$/, "png");
  link.click();
}

document.addEventListener("click", (event) => {
  const link = event.target instanceof Element && event.target.closest("a[href$='/picture']");
  if (!(link instanceof HTMLAnchorElement)) return;
  event.preventDefault();
  savePicture(link.href);
});
