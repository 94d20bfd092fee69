// The shell of the site: it keeps the Python worker of its tab, and shows the pages in a frame.

const frame = /** @type {HTMLIFrameElement} */ (document.getElementById("page"));
const state = /** @type {HTMLElement} */ (document.getElementById("state"));
const address = new URL("..", import.meta.url).href;

// The first visit: the service worker fetches all files, and only then Python starts from them.
const news = new BroadcastChannel(`acres ${address}`);
news.onmessage = ({ data: { loaded } }) => {
  if (loaded && !navigator.serviceWorker.controller) state.textContent = `Loading… ${Math.round(100 * loaded)} %`;
};
const script = new URL("service-worker.js", address);
const registration = await navigator.serviceWorker.register(script, { scope: address, updateViaCache: "none" });
await new Promise((resolve) => {
  if (navigator.serviceWorker.controller) return resolve(null);
  navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true });
  // After a forced reload an active service worker controls no page.
  if (registration.active) location.reload();
});
news.close();
// The player has agreed to another version, perhaps in another tab.
navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());

const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
worker.addEventListener("message", ({ data }) => {
  if (data.failure) state.textContent = data.failure;
});

navigator.storage?.persist?.();

frame.addEventListener("load", () => {
  const page = frame.contentDocument;
  if (!page || page.URL === "about:blank") return;
  state.hidden = true;
  frame.hidden = false;
  history.replaceState(null, "", page.URL);
  const show = () => (document.title = page.title);
  new MutationObserver(show).observe(page.head, { subtree: true, childList: true, characterData: true });
  show();
});
frame.src = location.href.replace(/index\.html/, "");
