// The service worker of the site: it keeps the files of one version, passes the requests of pages to the
// Python worker, in whichever tab that is, and shows each page in the shell, which keeps the worker while
// pages change.

/** The version of the program, and the hash of the sums of all other files, which the builder fills in. */
const VERSION = "@VERSION@";
const worker = /** @type {any} */ (self), scope = worker.registration.scope;
const PREFIX = `acres ${scope} `, CACHE = PREFIX + VERSION, SUMS = "SHA256SUMS";
/** The files of the site; everything else is a page or a part of one. */
const FILE = /^(app|pyodide|noble|python|icons)\/|^[\w.-]+\.(html|webmanifest|png|js)$|^SHA256SUMS$/;
/** Styles and scripts of pages, which depend on the version alone. */
const PART = /^(web|board)\/assets\/|^faces\.css$/;
/** Media types by suffix: some web servers do not know them all, and modules need the right one. */
const TYPES = new Map(Object.entries({
  css: "text/css", html: "text/html; charset=utf-8", js: "text/javascript", json: "application/json",
  mjs: "text/javascript", png: "image/png", svg: "image/svg+xml", wasm: "application/wasm",
  webmanifest: "application/manifest+json",
}));
const SECURITY = {
  "Content-Security-Policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; " +
    "worker-src 'self'; frame-src 'self'; img-src 'self' data:; style-src 'self'; manifest-src 'self'; " +
    "base-uri 'self'; form-action 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};
/** The cache with the version that is offered to the player, and the one that the player agreed to. */
const CHOICE = `acres-version ${scope}`;
const requests = new BroadcastChannel(`acres ${scope}`);
/** @type {Map<string, {request: any, isTaken: boolean, resolve: (response: Response) => void}>} */
const waiting = new Map();

// A new version is kept once the player agrees; until then the pages go on with the files of the old one.
worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(install().catch(refuse)));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(removeOldFiles().then(() => worker.clients.claim())));
worker.addEventListener("message", async (/** @type {MessageEvent} */ { data, ports: [port] }) => {
  if (data === "about") port.postMessage(await describe(await (await file(SUMS)).text()));
});
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event, url = new URL(request.url);
  if (!url.href.startsWith(scope)) return;
  const path = url.href.slice(scope.length).replace(/[?#].*/, "");
  if (request.method === "POST" && path === "share") return event.respondWith(share(request));
  const isShell = request.mode === "navigate" && request.destination === "document";
  event.respondWith(FILE.test(path) ? file(path) : isShell ? shell() : PART.test(path) ? part(request) : ask(request));
});

// --- files

/** @param {string} text The SHA-256 hash of a text, in hexadecimal. */
async function hash(text) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Return the number of this version, and the hash of its sums. @param {string} sums */
async function describe(sums) {
  return { version: VERSION.split(" ")[0], hash: await hash(sums) };
}

/** Fetch the sums of this version; fail if they are those of another one, as while the site is being changed. */
async function fetchSums() {
  const sums = await (await fetch(SUMS, { cache: "no-store" })).text();
  const others = sums.replace(/^.*  service-worker\.js\n/m, "");
  if (!VERSION.endsWith(await hash(others))) throw new Error("The site is changing: try again later.");
  return { sums, others };
}

/** Keep this version if it is the first one here or the player has agreed to it; otherwise offer it, and fail. */
async function install() {
  const choice = await caches.open(CHOICE), agreed = await choice.match(`${scope}agreed`);
  if (worker.registration.active && (await agreed?.text()) !== VERSION) {
    const offered = { ...(await describe((await fetchSums()).sums)), id: VERSION };
    await choice.put(`${scope}offered`, Response.json(offered));
    throw new Error("The player has not agreed to this version.");
  }
  await keepFiles();
  await worker.skipWaiting();
}

/** Fetch all files of this version; fail if one has another hash. */
async function keepFiles() {
  const { sums, others } = await fetchSums();
  const cache = await caches.open(CACHE);
  await cache.put(SUMS, new Response(sums, { headers: { "Acres-Version": VERSION } }));
  const lines = others.trim().split("\n").map((line) => line.split("  ")), total = lines.length;
  let count = 0;
  const keep = async (/** @type {string[]} */ [sum, path]) => {
    const name = path.replace(/\.gzip$/, "");
    const kept = (await keptFile(name, sum)) ?? (await fetchFile(path, sum));
    const type = TYPES.get(name.replace(/.*\./, "")) ?? "application/octet-stream";
    await cache.put(name, new Response(kept.body, { headers: { ...SECURITY, "Content-Type": type, "Acres-Sum": sum } }));
    requests.postMessage({ loaded: ++count / total });
  };
  const failed = (await Promise.allSettled(lines.map(keep))).find(({ status }) => status === "rejected");
  if (failed) throw /** @type {PromiseRejectedResult} */ (failed).reason;
}

/** Tell the shell why this version is not kept. @param {Error} error */
function refuse(error) {
  requests.postMessage({ failure: error.message });
  throw error;
}

/** Return a file that an earlier version had as well. @param {string} name @param {string} sum */
async function keptFile(name, sum) {
  for (const key of await caches.keys()) {
    const response = key.startsWith(PREFIX) ? await (await caches.open(key)).match(name) : undefined;
    if (response?.headers.get("Acres-Sum") === sum) return response;
  }
  return undefined;
}

/** @param {string} path @param {string} sum */
async function fetchFile(path, sum) {
  const digest = String.fromCharCode(...(sum.match(/../g) ?? []).map((byte) => parseInt(byte, 16)));
  const response = await fetch(path, { cache: "no-cache", integrity: `sha256-${btoa(digest)}` });
  if (!response.ok || !response.body) throw new Error(`${path}: ${response.status}`);
  return path.endsWith(".gzip") ? new Response(response.body.pipeThrough(new DecompressionStream("gzip"))) : response;
}

async function removeOldFiles() {
  await caches.delete(CHOICE);
  for (const key of await caches.keys()) if (key.startsWith(PREFIX) && key !== CACHE) await caches.delete(key);
}

/** Return a file of this version; it is fetched again if the browser has removed it. @param {string} path */
async function file(path) {
  const find = async () => (await caches.open(CACHE)).match(new URL(path, scope));
  const kept = (await find()) ?? (await keepFiles().then(find));
  return kept ?? new Response(null, { status: 404 });
}

// --- pages

/** The shell at the address of any page; its own files are relative to the site. */
async function shell() {
  const html = await (await file("index.html")).text();
  const headers = { ...SECURITY, "Content-Type": "text/html; charset=utf-8" };
  return new Response(html.replace("<head>", `<head>\n<base href="${scope}">`), { headers });
}

/** Keep a file that the system shares until the shell takes it. @param {Request} request */
async function share(request) {
  const form = await request.formData(), shared = form.get("file") ?? new File([form.get("text") ?? ""], "");
  const name = shared instanceof File ? shared.name : "";
  const cache = await caches.open(`acres-shared ${scope}`);
  await cache.put("file", new Response(shared, { headers: { "Acres-Name": encodeURIComponent(name) } }));
  return Response.redirect(scope, 303);
}

/** Return a style or script, which Python makes once. @param {Request} request */
async function part(request) {
  const cache = await caches.open(CACHE), kept = await cache.match(request);
  if (kept) return kept;
  const made = await ask(request);
  if (made.ok) await cache.put(request, made.clone());
  return made;
}

/** Pass a request on, and return the answer; the Python worker may have to start first. @param {Request} request */
async function ask(request) {
  const dest = request.mode === "navigate" ? "document" : request.destination || "empty";
  const headers = [...request.headers, ["sec-fetch-mode", request.mode], ["sec-fetch-dest", dest]];
  const body = new Uint8Array(await request.arrayBuffer());
  const { method, url } = request, id = crypto.randomUUID(), data = { id, version: VERSION, method, url, headers, body };
  return new Promise((resolve) => {
    waiting.set(id, { request: data, isTaken: false, resolve });
    requests.postMessage({ request: data });
  });
}

requests.onmessage = (/** @type {MessageEvent} */ { data: { taken, answer, ready } }) => {
  const asked = waiting.get(taken || answer?.id);
  if (asked) asked.isTaken = true;
  if (answer && asked) {
    waiting.delete(answer.id);
    const hasBody = ![204, 205, 304].includes(answer.status);
    asked.resolve(new Response(hasBody ? answer.body : null, { status: answer.status, headers: answer.headers }));
  }
  if (!ready) return;
  for (const [id, each] of waiting) {
    // Another worker may have carried out an order before it ended.
    if (each.isTaken && each.request.method !== "GET") each.resolve(Response.error()), waiting.delete(id);
    else requests.postMessage({ request: each.request });
  }
};
