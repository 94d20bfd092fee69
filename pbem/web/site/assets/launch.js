// Files that the system opens or shares with the site: the shell passes them to a page, one at a time.

const frame = /** @type {HTMLIFrameElement} */ (document.getElementById("page"));
/** @type {File[]} */
const files = [];
/** True if a page can take a file, and while it has the first one. */
let isReady = false, isPassed = false;
/** The path of a page that wants something else first, as a name or a passphrase. */
let first = "";

function pass() {
  const page = frame.contentWindow;
  if (!files.length || !page || !isReady || isPassed || page.location.pathname === first) return;
  isPassed = true;
  page.postMessage({ file: files[0] }, location.origin);
}

addEventListener("message", ({ data, origin, source }) => {
  const page = frame.contentWindow;
  if (!page || source !== page || origin !== location.origin) return;
  if (data.isTaken) files.shift();
  else if (data.isReady) {
    isReady = true;
    first = isPassed ? page.location.pathname : first;
    page.addEventListener("pagehide", () => (isReady = false));
  } else return;
  isPassed = false;
  pass();
});

/** @param {File} file */
function add(file) {
  files.push(file);
  pass();
}

const shares = await caches.open(`acres-shared ${new URL("..", import.meta.url).href}`), shared = await shares.match("file");
if (shared) {
  await shares.delete("file");
  add(new File([await shared.blob()], decodeURIComponent(shared.headers.get("Acres-Name") ?? "")));
}
/** @type {any} */ (window).launchQueue?.setConsumer(async (/** @type {any} */ launch) => {
  for (const handle of launch.files) add(await handle.getFile());
});
