// Events of the server: one stream for all tabs of a browser, because a browser opens few connections
// to one server. The tab that holds the lock listens for the others.

/** @typedef {(data: any) => void} Listener */
/** @type {Map<string, Listener[]>} */
const listeners = new Map();
const others = new BroadcastChannel("acres-events");

/**
 * Listen to events of that name: `games`, `game`, `said`, as in pbem/web/host.py; `hello` when the
 * stream begins or begins again, and events may have been missed; `lost` when it breaks.
 * @param {string} name
 * @param {Listener} listener
 */
export function listen(name, listener) {
  listeners.set(name, [...(listeners.get(name) || []), listener]);
}

/** @param {string} name @param {any} data */
function told(name, data) {
  for (const each of listeners.get(name) || []) each(data);
}

/** @param {string} name @param {any} data */
function tellAll(name, data) {
  others.postMessage({ name, data });
  told(name, data);
}

/** Listen for all tabs until this one is closed. */
function hear() {
  const stream = new EventSource("/events");
  for (const name of ["hello", "games", "game", "said"])
    stream.addEventListener(name, (event) => tellAll(name, JSON.parse(event.data)));
  stream.addEventListener("error", () => tellAll("lost", {}));
  return new Promise(() => {});
}

others.addEventListener("message", (event) => told(event.data.name, event.data.data));
navigator.locks.request("acres-events", hear);
