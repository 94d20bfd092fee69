// The shell of the site: it keeps the Python worker of its tab, and shows the pages in a frame.

const frame = /** @type {HTMLIFrameElement} */ (document.getElementById("page"));
const state = /** @type {HTMLElement} */ (document.getElementById("state"));
const address = new URL("..", import.meta.url).href;

const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
worker.addEventListener("message", ({ data }) => {
  if (data.failure) state.textContent = data.failure;
});

await navigator.serviceWorker.register(new URL("service-worker.js", address), { scope: address });
await navigator.serviceWorker.ready;
if (!navigator.serviceWorker.controller)
  await new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true }));
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
