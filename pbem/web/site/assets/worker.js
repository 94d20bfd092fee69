// The one Python worker of the site: it answers the requests of all pages, and stores the player's home.
// Each tab starts one; the one that holds the lock works, and the others wait for its end.

import * as acresCrypto from "./crypto.js";
import { Storage } from "./storage.js";

const address = new URL("..", location.href).href;
/** The home in the file system of Python. */
const HOME = "/home/acres";
/** @param {string} path */
const load = async (path) => {
  const response = await fetch(new URL(path, address));
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.arrayBuffer();
};
/** @param {object} message */
const tell = (message) => postMessage(message);

async function start() {
  const { loadPyodide } = await import(new URL("pyodide/pyodide.mjs", address).href);
  const [python, archive, home] = await Promise.all([
    loadPyodide({ indexURL: new URL("pyodide/", address).href }),
    load("python/acres.tar.xz"),
    Storage.open(address),
  ]);
  home.restore(python.FS, HOME);
  python.unpackArchive(archive, "xztar", { extractDir: "/python" });
  python.registerJsModule("acres_crypto", acresCrypto);
  python.runPython("import sys; sys.path.insert(0, '/python')");
  const events = { channel: /** @type {BroadcastChannel | null} */ (null) };
  /** Send an event when all that it tells is stored. @param {string[]} event */
  const broadcast = (...event) => void save().then(() => events.channel?.postMessage(event));
  let saving = Promise.resolve();
  const save = () => (saving = saving.then(() => home.save()).catch(fail));
  const site = python.pyimport("pbem.web.site.host").Site(HOME, address, home.key, navigator.languages, broadcast);
  events.channel = new BroadcastChannel(site.channel);
  const requests = new BroadcastChannel(`acres ${address}`);
  requests.onmessage = async ({ data }) => {
    if (!data.request) return;
    const { id, method, url, headers, body } = data.request;
    requests.postMessage({ taken: id });
    const answer = await site.respond(method, url, python.toPy(headers), python.toPy(body).tobytes());
    const [status, sent, content] = answer.toJs({ create_pyproxies: false });
    answer.destroy();
    await save();
    requests.postMessage({ answer: { id, status, headers: sent, body: content } });
  };
  site.start();
  await save();
  requests.postMessage({ ready: true });
}

/** Give up: what is in memory may not be what is stored. @param {any} error */
function fail(error) {
  tell({ failure: String(error) });
  close();
  return new Promise(() => {});
}

navigator.locks.request(`acres ${address}`, () => start().then(() => new Promise(() => {})).catch(fail));
