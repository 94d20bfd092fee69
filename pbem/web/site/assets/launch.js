// Files that the system opens or shares with the site: the shell passes them to a page, one at a time.

const frame = /** @type {HTMLIFrameElement} */ (document.getElementById("page"));
/** @type {File[]} */
const files = [];
/** True while a page has the first file. */
let isPassed = false;
/** The path of a page that wants something else first, as a name or a passphrase. */
let first = "";

function pass() {
  const page = frame.contentWindow;
  if (!files.length || !page || page.location.pathname === first) return;
  isPassed = true;
  page.postMessage({ file: files[0] }, location.origin);
}

addEventListener("message", ({ data, origin, source }) => {
  if (source !== frame.contentWindow || origin !== location.origin) return;
  if (data.isTaken) files.shift();
  else if (data.isReady) first = isPassed ? frame.contentWindow.location.pathname : first;
  else return;
  isPassed = false;
  pass();
});

/** @param {File} file */
function add(file) {
  // While there are others, their page tells when it is ready.
  if (files.push(file) === 1) pass();
}

const shares = await caches.open(`acres-shared ${new URL("..", import.meta.url).href}`), shared = await shares.match("file");
if (shared) {
  await shares.delete("file");
  add(new File([await shared.blob()], decodeURIComponent(shared.headers.get("Acres-Name") ?? "")));
}
/** @type {any} */ (window).launchQueue?.setConsumer(async (/** @type {any} */ launch) => {
  for (const handle of launch.files) add(await handle.getFile());
});
