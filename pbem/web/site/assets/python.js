// Python in a worker: the interpreter, the packages of the program, and cryptography.

import * as acresCrypto from "./crypto.js";

/** The address of the folder of the site. */
export const address = new URL("..", import.meta.url).href;

/** @param {string} path */
async function load(path) {
  const response = await fetch(new URL(path, address));
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.arrayBuffer();
}

/** Start Python, and return its interface. */
export async function startPython() {
  const { loadPyodide } = await import(new URL("pyodide/pyodide.mjs", address).href);
  const interpreter = loadPyodide({ indexURL: new URL("pyodide/", address).href });
  const [python, archive] = await Promise.all([interpreter, load("python/acres.tar.xz")]);
  python.unpackArchive(archive, "xztar", { extractDir: "/python" });
  python.registerJsModule("acres_crypto", acresCrypto);
  python.runPython("import sys; sys.path.insert(0, '/python')");
  return python;
}
