// The one Python worker of the site: it answers the requests of all pages, and stores the player's home.
// Each tab starts one; the one that holds the lock works, and the others wait for its end.

import { address, startPython } from "./python.js";
import { Storage } from "./storage.js";

/** The home in the file system of Python. */
const HOME = "/home/acres";
/** The time after which another worker ends if it is not needed, in ms. */
const IDLE = 20_000;

async function start() {
  postMessage({ works: true });
  const python = await startPython();
  const home = await Storage.open(address, python.FS, HOME);
  // Another installation is another computer, even with a copy of the same home.
  python.FS.mkdirTree("/etc");
  python.FS.writeFile("/etc/machine-id", home.key);
  let saving = Promise.resolve();
  const save = () => (saving = saving.then(() => home.save()).catch(fail));
  const events = { channel: /** @type {BroadcastChannel | null} */ (null) };
  /** Send an event when all that it tells is stored, or at once. @param {string} text @param {string} signature @param {boolean} isUrgent */
  const broadcast = (text, signature, isUrgent) => {
    const send = () => events.channel?.postMessage([text, signature]);
    return isUrgent ? send() : void save().then(send);
  };
  /** Call a pickled function in another worker. @param {string} name @param {any} task @param {any} report */
  const think = async (name, task, report) => {
    const tell = report?.copy();
    try {
      return python.toPy(await inHelper(name, task.toJs ? task.toJs() : task, tell));
    } finally {
      tell?.destroy();
    }
  };
  const site = python.pyimport("pbem.web.site.host").BrowserSite(HOME, address, home.key, navigator.languages, broadcast, think);
  events.channel = new BroadcastChannel(site.channel);
  const version = (await fetch(new URL("SHA256SUMS", address))).headers.get("Acres-Version");
  const taken = new Set();
  site.start();
  await save();
  requests.onmessage = async ({ data }) => {
    // A request that was sent again, or that another version has to answer.
    if (data.request?.version !== version || taken.has(data.request.id)) return;
    const { id, method, url, headers, body } = data.request;
    taken.add(id);
    requests.postMessage({ taken: id });
    const answer = await site.respond(method, url, python.toPy(headers), python.toPy(body).tobytes());
    const [status, sent, content] = answer.toJs({ create_pyproxies: false });
    answer.destroy();
    await save();
    requests.postMessage({ answer: { id, status, headers: sent, body: content } });
    if (method !== "GET") site.note_free(await freeBytes());
  };
  requests.postMessage({ ready: true });
  // The browser may ask the player first.
  site.note_storage(await isPersistent, await freeBytes());
}

/** Return the number of bytes that the browser still grants. */
async function freeBytes() {
  const { quota, usage } = (await navigator.storage?.estimate?.()) ?? {};
  return quota === undefined || usage === undefined ? Infinity : quota - usage;
}

/** @type {Map<string, {worker: Worker, last: number, idle: number}>} The other workers, by their names. */
const helpers = new Map();
let tasks = 0;

/**
 * Call a pickled function of Python in another worker, after its earlier tasks.
 * @param {string} name
 * @param {Uint8Array} task
 * @param {(progress: string) => void} [report]
 * @returns {Promise<Uint8Array>}
 */
function inHelper(name, task, report) {
  const start = () => new Worker(new URL("robot-worker.js", import.meta.url), { type: "module" });
  const end = (/** @type {string} */ key) => {
    clearTimeout(helpers.get(key)?.idle);
    helpers.get(key)?.worker.terminate();
    helpers.delete(key);
  };
  // Each takes a third of the memory that a phone can spare.
  for (const [key, { idle }] of helpers) if (key !== name && idle) end(key);
  const used = helpers.get(name) ?? { worker: start(), last: 0, idle: 0 }, id = (used.last = ++tasks);
  helpers.set(name, used);
  clearTimeout(used.idle);
  used.idle = 0;
  used.worker.postMessage({ id, task });
  return new Promise((resolve, reject) => {
    used.worker.addEventListener("error", ({ message }) => (end(name), reject(new Error(message))));
    used.worker.addEventListener("message", ({ data }) => {
      if (data.id !== id) return;
      if (data.progress) return report?.(data.progress);
      if (id === used.last) used.idle = setTimeout(end, IDLE, name);
      resolve(data.result);
    });
  });
}

/**
 * End this worker, because what is in memory is not what is stored.
 * @param {any} error An AbortError if another tab has taken over.
 * @returns {Promise<never>}
 */
function fail(error) {
  const { name, message: reason = String(error) } = error;
  if (name === "AbortError") postMessage({ lost: true });
  else postMessage({ failure: name === "QuotaExceededError" ? "full" : "failed", reason });
  close();
  return new Promise(() => {});
}

const LOCK = `acres ${address}`;
const requests = new BroadcastChannel(LOCK);
/** @type {(isPersistent: boolean) => void} */
let notePersistence;
/** @type {Promise<boolean>} True if the browser promises to keep what is stored. */
const isPersistent = new Promise((resolve) => (notePersistence = resolve));

/** Work until the end, after all other workers or, with `steal`, at once. @param {LockOptions} [options] */
const work = (options = {}) => navigator.locks.request(LOCK, options, () => start().then(() => new Promise(() => {}))).catch(fail);

addEventListener("message", ({ data }) => {
  if ("isPersistent" in data) notePersistence(data.isPersistent);
  if (data.takeOver) work({ steal: true });
});
work();
