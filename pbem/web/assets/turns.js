// Show in title and icon that it is the player's turn, and announce an answer by a sound, if wanted.

import { store } from "../../board/assets/parts.js";

const icon = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=icon]"));
const usual = { title: document.title, icon: icon.href };
const SOUND = "acres-sound", ONCE = 3000;
/** The number of the player's turns, once known. */
let due = Infinity;

/**
 * Show the number of games in which it is the player's turn; a list of games says it.
 * @param {number} count
 * @param {string} [told]
 */
export function showTurns(count, told = "") {
  document.title = count ? `● ${icon.dataset.words}${told} – ${usual.title}` : usual.title;
  icon.href = (count && icon.dataset.turn) || usual.icon;
  if (count > due && hasSound()) ringOnce();
  due = count;
}

/** True if the player wants to hear an answer. */
export function hasSound() {
  return (store((storage) => storage.getItem(SOUND)) ?? document.documentElement.dataset.sound) === "on";
}

/** @param {boolean} isOn */
export function setSound(isOn) {
  const state = document.documentElement.dataset.sound = isOn ? "on" : "off";
  store((storage) => storage.setItem(SOUND, state));
  if (isOn) ring();
}

/** Ring, unless another tab has just done it. */
function ringOnce() {
  navigator.locks.request("acres-sound", { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    // The others get no lock meanwhile.
    const passed = new Promise((done) => setTimeout(done, ONCE));
    ring();
    await passed;
  });
}

/** Play two soft tones. */
function ring() {
  const context = new AudioContext(), gain = context.createGain();
  gain.connect(context.destination);
  [523, 784].forEach((pitch, place) => {
    const tone = context.createOscillator(), start = context.currentTime + place * 0.16;
    tone.frequency.value = pitch;
    tone.connect(gain);
    tone.start(start);
    tone.stop(start + 0.3);
  });
  gain.gain.setValueAtTime(0.12, context.currentTime);
  gain.gain.exponentialRampToValueAtTime(0.001, context.currentTime + 0.46);
  setTimeout(() => context.close(), 1000);
}
