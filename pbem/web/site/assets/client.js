// The shell of the site: it keeps the Python worker of its tab, and shows the pages in a frame.

const frame = /** @type {HTMLIFrameElement} */ (document.getElementById("page"));
const state = /** @type {HTMLElement} */ (document.getElementById("state"));
const address = new URL("..", import.meta.url).href;
const channel = new BroadcastChannel(`acres ${address}`);
/** The time between two questions whether the tab that works is awake, and for its answer, in ms. */
const CHECKS = 15_000, PATIENCE = 4_000;

/** @type {Record<string, Record<string, string>>} */
const texts = await (await fetch(new URL("texts.json", import.meta.url))).json();
const language = navigator.languages.map((tag) => tag.slice(0, 2)).find((code) => code in texts) ?? "en";

/** Show a sentence of `SHELL` in place of the page. @param {string} key @param {string | number} [fact] */
function show(key, fact = "") {
  state.textContent = texts[language][key].replace(/{\w+}/, String(fact));
  state.hidden = false;
  frame.hidden = true;
}

// --- the worker

/** @type {Worker} */
let worker;
/** True if the worker of this tab works for all tabs. */
let isWorking = false;
/** The time at which the tab that works answered last, in ms. */
let heard = 0;

function startWorker() {
  worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  worker.addEventListener("message", async ({ data }) => {
    isWorking = Boolean(data.works);
    if (data.works) worker.postMessage({ isPersistent: Boolean(await navigator.storage?.persist?.()) });
    // Another tab took over while this one slept: wait for its end.
    if (data.lost) startWorker();
    if (data.failure) show(data.failure, data.reason);
  });
  worker.addEventListener("error", ({ message }) => show("failed", message));
}

channel.addEventListener("message", ({ data }) => {
  if (data.isAwake === false && isWorking) channel.postMessage({ isAwake: true });
  if (data.isAwake) heard = Date.now();
});

/** Take over from a tab that sleeps in the background: its worker answers no requests. */
async function checkWorker() {
  if (document.hidden || isWorking) return;
  const asked = Date.now();
  channel.postMessage({ isAwake: false });
  await new Promise((resolve) => setTimeout(resolve, PATIENCE));
  if (heard < asked && !isWorking) worker.postMessage({ takeOver: true });
}

// --- the pages

// The address of the shell changes with each page, and that of its own files stays.
for (const link of document.querySelectorAll("link")) link.href = link.href;

frame.addEventListener("load", () => {
  const page = frame.contentDocument;
  if (!page || page.URL === "about:blank") return;
  state.hidden = true;
  frame.hidden = false;
  // The page takes an invitation from its own address, perhaps later.
  history.replaceState(null, "", page.URL.replace(/#[\w-]{99,}$/, ""));
  const name = () => (document.title = page.title);
  new MutationObserver(name).observe(page.head, { subtree: true, childList: true, characterData: true });
  name();
});

// Private windows of some browsers have no service workers, or store nothing; so do addresses without https.
if (!navigator.serviceWorker || !navigator.locks) show("refused");
// The first visit: the service worker fetches all files, and only then Python starts from them.
channel.addEventListener("message", ({ data: { loaded, failure } }) => {
  if (navigator.serviceWorker.controller) return;
  if (loaded) show("loading", Math.round(100 * loaded));
  if (failure) show("failed", failure);
});
const script = new URL("service-worker.js", address);
const registration = await navigator.serviceWorker.register(script, { scope: address, updateViaCache: "none" }).catch((error) => {
  // A TypeError is one of the network.
  show(error instanceof TypeError ? "failed" : "refused", error.message);
  throw error;
});
await new Promise((resolve) => {
  if (navigator.serviceWorker.controller) return resolve(null);
  navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true });
  // After a forced reload an active service worker controls no page.
  if (registration.active) location.reload();
});
// The player has agreed to another version, perhaps in another tab.
navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
startWorker();
setInterval(checkWorker, CHECKS);
document.addEventListener("visibilitychange", checkWorker);
/** Open the page at the address; a host knows no other page than the first, so that links are `#/audit`. */
const open = () => (frame.src = location.href.replace(/index\.html/, "").replace("#/", ""));
addEventListener("hashchange", open);
open();
