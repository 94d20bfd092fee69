// Print the verdicts of the program in Pyodide, as JSON: node verdicts.mjs SITE TABLE
// SITE is a built site whose interpreter is unpacked; TABLE is a JSON file with the content of each file,
// in base64, by its name.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [site, table] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${site}/pyodide/pyodide.mjs`).href);
const python = await loadPyodide();
python.registerJsModule("acres_crypto", await import(pathToFileURL(`${site}/app/crypto.js`).href));
const packages = new Uint8Array(readFileSync(`${site}/python/acres.tar.xz`));
python.unpackArchive(packages, "xztar", { extractDir: "/python" });
python.globals.set("source", readFileSync(new URL("verdicts.py", import.meta.url), "utf8"));
python.globals.set("table", readFileSync(table, "utf8"));
process.stdout.write(
  python.runPython(`
    import json, sys
    sys.path.insert(0, "/python")
    scope = {"__name__": "verdicts"}
    exec(source, scope)
    json.dumps(scope["verdicts"](json.loads(table)))
  `),
);
