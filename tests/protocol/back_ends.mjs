// Run a table of calls, JSON from standard input, and print the results: node back_ends.mjs SITE [ROOT].
// SITE holds assets/crypto.js and noble/. With ROOT, that of the repository, the calls are those of
// pbem.protocol.primitives, by Pyodide; otherwise those of crypto.js.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [site, root] = process.argv.slice(2);
const crypto = await import(pathToFileURL(`${site}/assets/crypto.js`).href);
const table = readFileSync(0, "utf8");

const decode = (value) =>
  Array.isArray(value) ? value.map(decode) : typeof value === "string" ? new Uint8Array(Buffer.from(value, "hex")) : value;
const encode = (value) => (value instanceof Uint8Array ? Buffer.from(value).toString("hex") : (value ?? null));
const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());

async function runPython() {
  const { loadPyodide } = await import(pathToFileURL(`${site}/pyodide/pyodide.mjs`).href);
  const python = await loadPyodide();
  python.registerJsModule("acres_crypto", crypto);
  python.mountNodeFS("/acres", root);
  python.globals.set("table", table);
  return python.runPython(`
    import json, sys
    sys.path.insert(0, "/acres")
    sys.dont_write_bytecode = True
    from pbem.protocol import primitives

    def decode(value):
        if isinstance(value, list):
            return [*map(decode, value)]
        return bytes.fromhex(value) if isinstance(value, str) else value

    results = (getattr(primitives, name)(*decode(arguments)) for name, arguments in json.loads(table))
    json.dumps([result.hex() if isinstance(result, bytes) else result for result in results])
  `);
}

const runScript = () =>
  JSON.stringify(JSON.parse(table).map(([name, values]) => encode(crypto[camel(name)](...decode(values)))));

process.stdout.write(root ? await runPython() : runScript());
