// The player's home in the browser's storage: all files in one database, changed by one transaction
// at a time. Python works on a copy in memory.

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const result = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** @param {IDBTransaction} transaction */
const finished = (transaction) =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(null);
    transaction.onabort = () => reject(transaction.error || new DOMException("another tab has taken over", "AbortError"));
  });

// A change of a file is known by its time alone: no two changes may have the same.
const now = Date.now;
let last = 0;
Date.now = () => (last = Math.max(now(), last + 1));

export class Storage {
  /** @type {Map<string, number>} The time of change of each stored file, by its path. */
  #stored = new Map();
  #owner = crypto.randomUUID();
  #folder = "";
  /** @type {any} */
  #files;

  /** @param {IDBDatabase} database @param {string} key @param {Map<string, Uint8Array>} content */
  constructor(database, key, content) {
    this.database = database;
    this.key = key;
    this.content = content;
  }

  /** Open the storage of the site at an address, and become its owner: no other worker can write any more. */
  static async open(/** @type {string} */ address) {
    const opening = indexedDB.open(`acres ${address}`, 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore("files");
      opening.result.createObjectStore("site");
    };
    const storage = new Storage(await result(opening), "", new Map());
    await storage.#take();
    return storage;
  }

  async #take() {
    const transaction = this.#transaction(), files = transaction.objectStore("files"), site = transaction.objectStore("site");
    const [paths, contents, key] = await Promise.all([result(files.getAllKeys()), result(files.getAll()), result(site.get("key"))]);
    paths.forEach((path, number) => this.content.set(String(path), contents[number]));
    this.key = key || crypto.randomUUID();
    site.put(this.key, "key");
    site.put(this.#owner, "owner");
    await finished(transaction);
  }

  #transaction() {
    return this.database.transaction(["files", "site"], "readwrite", { durability: "strict" });
  }

  /** Write the stored files into a folder of a file system. @param {any} files @param {string} folder */
  restore(files, folder) {
    this.#files = files;
    this.#folder = folder;
    files.mkdirTree(folder);
    for (const [path, content] of this.content) {
      files.mkdirTree(`${folder}/${path}`.replace(/\/[^/]*$/, ""));
      files.writeFile(`${folder}/${path}`, content);
    }
    this.content.clear();
    this.#stored = new Map(this.#list(""));
  }

  /** @param {string} folder @returns {Iterable<[string, number]>} The paths of all files, and their times of change. */
  *#list(folder) {
    for (const name of this.#files.readdir(`${this.#folder}/${folder}`)) {
      if (name === "." || name === "..") continue;
      const { mode, mtime } = this.#files.stat(`${this.#folder}/${folder}${name}`);
      if (this.#files.isDir(mode)) yield* this.#list(`${folder}${name}/`);
      else yield [folder + name, mtime.getTime()];
    }
  }

  /** Store the files that changed since the last time; they are on the disk when this resolves. */
  async save() {
    const files = new Map(this.#list("")), gone = [...this.#stored.keys()].filter((path) => !files.has(path));
    const changed = [...files.keys()].filter((path) => files.get(path) !== this.#stored.get(path));
    if (!changed.length && !gone.length) return;
    const contents = changed.map((path) => this.#files.readFile(`${this.#folder}/${path}`));
    const transaction = this.#transaction(), store = transaction.objectStore("files");
    const owner = transaction.objectStore("site").get("owner");
    owner.onsuccess = () => {
      if (owner.result !== this.#owner) return transaction.abort();
      changed.forEach((path, number) => store.put(contents[number], path));
      gone.forEach((path) => store.delete(path));
    };
    await finished(transaction);
    this.#stored = files;
  }
}
