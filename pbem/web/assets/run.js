// The run of the program that made this page. Both know a key, which neither sends: with it they sign
// their requests and answers, so that the page believes no other program at this address.

import { byId } from "../../board/assets/parts.js";

const SIGNING = { name: "HMAC", hash: "SHA-256" };
const made = /** @type {HTMLMetaElement} */ (document.querySelector("meta[name=key]"));
const key = crypto.subtle.importKey("raw", new TextEncoder().encode(made.content), SIGNING, false, ["sign"]);
made.remove();
/** True if the program has ended, or another one answered. */
export let isOver = false;
/** The path of the folder of all pages, without its last slash. */
export const root = new URL("../..", import.meta.url).pathname.slice(0, -1);
/** True if the program sends events to all tabs at once. */
export const isBroadcast = "broadcast" in made.dataset;

/** Say that the program has ended. From now on the page sends nothing and leads nowhere. */
export function end() {
  isOver = true;
  byId("gone").hidden = false;
  for (const link of document.querySelectorAll("a[href^='/']")) link.removeAttribute("href");
}

/**
 * Return the signature of a text and a body, as in pbem/web/guard.py.
 * @param {string} text
 * @param {BlobPart} [body]
 */
export async function sign(text, body = "") {
  const data = await new Blob([text, body]).arrayBuffer();
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", await key, data));
  return [...signature].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function prove() {
  const nonce = crypto.randomUUID();
  return { "Acres-Nonce": nonce, "Acres-Proof": await sign(`request ${nonce}`) };
}

let next = prove();

/** Return a new random text, and the proof that this page asks; at once, as a page that closes needs it. */
export function proof() {
  const proved = next;
  next = prove();
  return proved;
}
