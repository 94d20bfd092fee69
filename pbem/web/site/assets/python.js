// Python in a worker: the interpreter, the packages of the program, and cryptography. After the first
// start its memory is kept, with all modules imported, so that the next ones take a fraction of the time.

import * as acresCrypto from "./crypto.js";
import { openDatabase, result, walk, writeFile } from "./storage.js";

/** The address of the folder of the site. */
export const address = new URL("..", import.meta.url).href;
/** The folder of the packages in the file system of Python. */
const PACKAGES = "/python";
/** Imports the modules of all pages, and prepares their templates; random numbers do not come from memory, so each start has new ones. */
const IMPORTS = `
import sys, types
sys.path.insert(0, "${PACKAGES}")
sys.modules["acres_crypto"] = types.ModuleType("acres_crypto")
import pbem.web.site.host
pbem.web.site.host.prepare()
`;

/** @typedef {{sums: string, memory: Uint8Array, files: [string, Uint8Array][]}} Start A start of one version. */

/** @param {string} path */
async function load(path) {
  const response = await fetch(new URL(path, address));
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response;
}

/** Start Python, and return its interface. */
export async function startPython() {
  const { loadPyodide } = await import(new URL("pyodide/pyodide.mjs", address).href);
  const database = await openDatabase(`acres python ${address}`, "starts");
  const sums = await (await load("SHA256SUMS")).text();
  /** @type {Start | undefined} */
  const kept = await result(database.transaction("starts").objectStore("starts").get("last"));
  const start = kept?.sums === sums ? kept : undefined;
  if (start) growMemory(start.memory.length);
  const indexURL = new URL("pyodide/", address).href;
  const python = await loadPyodide({ indexURL, _makeSnapshot: !start, _loadSnapshot: start?.memory });
  if (start) for (const [path, content] of start.files) writeFile(python.FS, path, content);
  else {
    python.unpackArchive(await (await load("python/acres.tar.xz")).arrayBuffer(), "xztar", { extractDir: PACKAGES });
    python.runPython(IMPORTS);
    const memory = python.makeMemorySnapshot(), files = [...walk(python.FS, PACKAGES)].map((path) => [path, python.FS.readFile(path)]);
    database.transaction("starts", "readwrite").objectStore("starts").put({ sums, memory, files }, "last");
    free(memory);
  }
  if (start) free(start.memory);
  const module = python.pyimport("acres_crypto");
  for (const [name, value] of Object.entries(acresCrypto)) module[name] = value;
  return python;
}

/** Free the memory of bytes that nobody needs any more, which may take long otherwise. @param {any} bytes */
function free(bytes) {
  bytes.buffer.transfer?.(0);
}

/** Make the next memory of WebAssembly large enough for a kept one. @param {number} size */
function growMemory(size) {
  const { instantiateStreaming } = WebAssembly;
  WebAssembly.instantiateStreaming = async (...options) => {
    const started = await instantiateStreaming(...options);
    const memory = /** @type {WebAssembly.Memory} */ (started.instance.exports.memory);
    memory.grow(Math.max(0, Math.ceil((size - memory.buffer.byteLength) / 65536)));
    WebAssembly.instantiateStreaming = instantiateStreaming;
    return started;
  };
}
