// Cryptographic primitives by @noble, for pbem/protocol/primitives_noble.py: bytes in and out, at once.
// Verdicts are those of OpenSSL on any input: tests/protocol/test_back_ends.py compares them. Imports
// are relative, because workers know no import map: `acres site` copies the packages to `noble/`.

// @ts-ignore: these packages are fetched when the site is built
import { aessiv } from "../noble/ciphers/aes.js";
// @ts-ignore
import { ed25519 } from "../noble/curves/ed25519.js";
// @ts-ignore
import { hkdf } from "../noble/hashes/hkdf.js";
// @ts-ignore
import { scrypt as scryptOf } from "../noble/hashes/scrypt.js";
// @ts-ignore
import { sha256, sha512 } from "../noble/hashes/sha2.js";

const { Point } = ed25519;

/** @param {Uint8Array} seed @returns {Uint8Array} */
export const ed25519PublicKey = (seed) => ed25519.getPublicKey(seed);

/** @param {Uint8Array} seed @param {Uint8Array} message @returns {Uint8Array} */
export const ed25519Sign = (seed, message) => ed25519.sign(message, seed);

/**
 * Return true if a signature is valid as OpenSSL judges: a key may have a small order, or an encoding
 * that is not canonical; S is less than the order; R is compared as bytes. `ed25519.verify` of @noble
 * multiplies by the cofactor, and accepts other signatures even if it is strict.
 * @param {Uint8Array} key @param {Uint8Array} signature @param {Uint8Array} message
 */
export function ed25519Verify(key, signature, message) {
  if (key.length !== 32 || signature.length !== 64) return false;
  const r = signature.subarray(0, 32);
  const s = numberOf(signature.subarray(32));
  if (s >= Point.Fn.ORDER) return false;
  let point;
  try {
    // In the way of ZIP 215, which is how OpenSSL decodes a point.
    point = Point.fromBytes(key, true);
  } catch {
    return false;
  }
  const digest = sha512.create().update(r).update(key).update(message).digest();
  const product = point.multiplyUnsafe(numberOf(digest) % Point.Fn.ORDER);
  const expected = Point.BASE.multiplyUnsafe(s).subtract(product).toBytes();
  return r.every((byte, at) => byte === expected[at]);
}

/** @param {Uint8Array} key @param {Uint8Array} text @param {Uint8Array[]} associated @returns {Uint8Array} */
export const aesSivEncrypt = (key, text, associated) => aessiv(key, ...associated).encrypt(text);

/**
 * Return the text, or undefined if `sealed` is not one that was encrypted with this key and data.
 * @param {Uint8Array} key @param {Uint8Array} sealed @param {Uint8Array[]} associated
 * @returns {Uint8Array | undefined}
 */
export function aesSivDecrypt(key, sealed, associated) {
  try {
    return aessiv(key, ...associated).decrypt(sealed);
  } catch {
    return undefined;
  }
}

/**
 * @param {Uint8Array} key @param {Uint8Array} salt @param {Uint8Array} info @param {number} length
 * @returns {Uint8Array}
 */
export const hkdfSha256 = (key, salt, info, length) => hkdf(sha256, key, salt, info, length);

/**
 * Return 64 bytes. Throws RangeError if memory does not suffice.
 * @param {Uint8Array} secret @param {Uint8Array} salt @param {number} n @param {number} r @param {number} p
 * @returns {Uint8Array}
 */
export const scrypt = (secret, salt, n, r, p) => scryptOf(secret, salt, { N: n, r, p, dkLen: 64 });

/** Return the number that bytes encode, the lowest first. @param {Uint8Array} bytes */
function numberOf(bytes) {
  return bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
}
