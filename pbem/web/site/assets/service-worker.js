// The service worker of the site: it passes the requests of pages to the Python worker, in whichever tab
// that is, and shows each page in the shell, which keeps the worker while pages change.

const scope = /** @type {any} */ (self).registration.scope;
/** The files of the site; everything else is a page or a part of one. */
const FILE = /^(app|pyodide|noble|python|icons)\/|^[\w.-]+\.(html|webmanifest|png|js)$|^SHA256SUMS$/;
const requests = new BroadcastChannel(`acres ${scope}`);
/** @type {Map<string, {request: any, isTaken: boolean, resolve: (response: Response) => void}>} */
const waiting = new Map();

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const { request } = event, url = new URL(request.url);
  if (!url.href.startsWith(scope) || FILE.test(url.href.slice(scope.length).replace(/[?#].*/, ""))) return;
  const isShell = request.mode === "navigate" && request.destination === "document";
  event.respondWith(isShell ? shell() : ask(request));
});

/** The shell at the address of any page; its own files are relative to the site. */
async function shell() {
  const html = await (await fetch(new URL("index.html", scope))).text();
  const headers = { "Content-Type": "text/html; charset=utf-8" };
  return new Response(html.replace("<head>", `<head>\n<base href="${scope}">`), { headers });
}

/** Pass a request on, and return the answer; the Python worker may have to start first. @param {Request} request */
async function ask(request) {
  const dest = request.mode === "navigate" ? "document" : request.destination || "empty";
  const headers = [...request.headers, ["sec-fetch-mode", request.mode], ["sec-fetch-dest", dest]];
  const body = new Uint8Array(await request.arrayBuffer());
  const { method, url } = request, id = crypto.randomUUID(), data = { id, method, url, headers, body };
  return new Promise((resolve) => {
    waiting.set(id, { request: data, isTaken: false, resolve });
    requests.postMessage({ request: data });
  });
}

requests.onmessage = ({ data: { taken, answer, ready } }) => {
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
