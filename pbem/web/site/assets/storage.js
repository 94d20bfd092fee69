// The player's home in the browser's storage: all files in one database, changed by one transaction
// at a time. Python works on a copy in memory.

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
export const result = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** @param {string} name @param {string[]} stores @returns {Promise<IDBDatabase>} */
export function openDatabase(name, ...stores) {
  const opening = indexedDB.open(name, 1);
  opening.onupgradeneeded = () => stores.forEach((store) => opening.result.createObjectStore(store));
  return result(opening);
}

/** @param {IDBTransaction} transaction */
const finished = (transaction) =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(null);
    transaction.onabort = () => reject(transaction.error || new DOMException("another tab has taken over", "AbortError"));
  });

/** @param {any} files @param {string} folder @returns {Iterable<string>} The paths of all files in a folder. */
export function* walk(files, folder) {
  for (const name of files.readdir(folder)) {
    const path = `${folder}/${name}`;
    if (name === "." || name === "..") continue;
    if (files.isDir(files.stat(path).mode)) yield* walk(files, path);
    else yield path;
  }
}

/** Write a file, and make its folder if necessary. @param {any} files @param {string} path @param {Uint8Array} content */
export function writeFile(files, path, content) {
  files.mkdirTree(path.replace(/\/[^/]*$/, ""));
  files.writeFile(path, content);
}

// A change of a file is known by its time alone: no two changes may have the same.
const now = Date.now;
let last = 0;
Date.now = () => (last = Math.max(now(), last + 1));

export class Storage {
  #owner = crypto.randomUUID();
  /** @type {Map<string, number>} The time of change of each stored file, by its path. */
  #stored = new Map();

  /** @param {IDBDatabase} database @param {any} files The file system of Python. @param {string} folder */
  constructor(database, files, folder) {
    this.database = database;
    this.files = files;
    this.folder = folder;
    /** The secret of this installation. */
    this.key = "";
  }

  /**
   * Restore the home of the site at an address, and become its owner: no other worker can write any more.
   * @param {string} address @param {any} files @param {string} folder
   */
  static async open(address, files, folder) {
    const storage = new Storage(await openDatabase(`acres ${address}`, "files", "site"), files, folder);
    await storage.#restore();
    return storage;
  }

  async #restore() {
    const transaction = this.#transaction(), store = transaction.objectStore("files"), site = transaction.objectStore("site");
    const [paths, contents, key] = await Promise.all([result(store.getAllKeys()), result(store.getAll()), result(site.get("key"))]);
    this.key = key || crypto.randomUUID();
    site.put(this.key, "key");
    site.put(this.#owner, "owner");
    await finished(transaction);
    this.files.mkdirTree(this.folder);
    paths.forEach((path, number) => writeFile(this.files, String(path), contents[number]));
    this.#stored = this.#times();
  }

  #transaction() {
    return this.database.transaction(["files", "site"], "readwrite", { durability: "strict" });
  }

  /** @returns {Map<string, number>} The time of change of each file. */
  #times() {
    const paths = [...walk(this.files, this.folder)];
    return new Map(paths.map((path) => [path, this.files.stat(path).mtime.getTime()]));
  }

  /** Store the files that changed since the last time; they are on the disk when this resolves. */
  async save() {
    const times = this.#times(), gone = [...this.#stored.keys()].filter((path) => !times.has(path));
    const changed = [...times.keys()].filter((path) => times.get(path) !== this.#stored.get(path));
    if (!changed.length && !gone.length) return;
    const contents = changed.map((path) => this.files.readFile(path));
    const transaction = this.#transaction(), store = transaction.objectStore("files");
    const owner = transaction.objectStore("site").get("owner");
    owner.onsuccess = () => {
      if (owner.result !== this.#owner) return transaction.abort();
      changed.forEach((path, number) => store.put(contents[number], path));
      gone.forEach((path) => store.delete(path));
    };
    await finished(transaction);
    this.#stored = times;
  }
}
