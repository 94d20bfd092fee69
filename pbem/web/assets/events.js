// Events of the server: one stream for all tabs of a browser, because a browser opens few connections
// to one server. The tab that holds the lock listens for the others.

import { end, isBroadcast, isOver, proof, sign } from "./run.js";

/** @typedef {(data: any) => void} Listener */
/** @type {Map<string, Listener[]>} */
const listeners = new Map();
/** The number of connections in a row that may fail, as after sleep, before the program is over. */
const MAX_FAILURES = 3;
// A name that other pages of this address cannot know; they see the names of locks.
const others = new BroadcastChannel(await sign("channel"));

/**
 * Listen to events of that name: `games`, `game`, `said`, `progress`, as in pbem/web/host.py; `hello` when the
 * stream begins or begins again, and events may have been missed; `end` when the program ends.
 * @param {string} name
 * @param {Listener} listener
 */
export function listen(name, listener) {
  listeners.set(name, [...(listeners.get(name) || []), listener]);
}

/**
 * Call the listeners of an event that the program signed. Returns false for any other one.
 * @param {string} text
 * @param {string} signature
 */
async function tell(text, signature) {
  if (isOver || signature !== (await sign(text))) return false;
  const name = text.split(" ")[3];
  for (const each of listeners.get(name) || [])
    try {
      each(JSON.parse(text.slice(text.indexOf("{"))));
    } catch (error) {
      reportError(error);
    }
  return true;
}

/** Listen until the stream breaks. Returns true if the program sent it. */
async function hearOnce() {
  const proved = await proof(), query = new URLSearchParams(proved);
  const stream = new EventSource(`/events?${query}`);
  return new Promise((resolve) => {
    let number = 0, last = Promise.resolve(false);
    const close = () => {
      stream.close();
      last.then(resolve);
    };
    for (const name of ["hello", "games", "game", "said", "progress", "end"])
      stream.addEventListener(name, (event) => {
        const text = `event ${proved["Acres-Nonce"]} ${number++} ${name} ${event.data}`;
        others.postMessage([text, event.lastEventId]);
        last = last.then(() => tell(text, event.lastEventId));
        last.then((isOwn) => isOwn || (end(), close()));
      });
    stream.addEventListener("error", close);
  });
}

/** Listen for all tabs, until this one is closed or the program ends. */
async function hear() {
  for (let failures = 0; !isOver && failures < MAX_FAILURES; ) {
    failures = (await hearOnce()) ? 0 : failures + 1;
    if (failures) await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  end();
}

listen("end", end);
others.addEventListener("message", (event) => tell(event.data[0], event.data[1]));
if (!isBroadcast) navigator.locks.request(await sign("lock"), hear).catch(hear);
