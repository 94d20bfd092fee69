// Show the card under the pointer, or with the keyboard focus, large.

const HELD = 350;
let holding = 0;

/** The element that shows a card large; not every page has it. */
function large() {
  return document.getElementById("large");
}

/**
 * Return the card that contains an element.
 * @param {EventTarget | null} at
 * @returns {SVGElement | null}
 */
function cardAt(at) {
  return at instanceof Element ? at.closest(".card[data-key]") : null;
}

/** @param {SVGElement | null} card */
function enlarge(card) {
  large()?.classList.toggle("shown", Boolean(card));
  if (!card) return;
  large()?.firstElementChild?.setAttribute("href", `#card-${card.dataset.key}`);
  large()?.classList.toggle("left", card.getBoundingClientRect().left > innerWidth / 2);
}

/**
 * Enlarge the card of an event, else the one with the focus, else none.
 * @param {Event} event
 */
function look(event) {
  clearTimeout(holding);
  const at = event instanceof FocusEvent && event.type === "focusout" ? event.relatedTarget : event.target;
  const card = cardAt(at) || cardAt(document.querySelector(".card[data-key]:focus-visible"));
  // A touch selects a card that can be selected, and enlarges it as long as it lasts.
  if (card && event instanceof PointerEvent && event.pointerType === "touch" && card.hasAttribute("aria-pressed"))
    holding = setTimeout(() => enlarge(card), HELD);
  else enlarge(card);
}

for (const kind of ["pointerover", "focusin", "focusout"]) document.addEventListener(kind, look);
for (const kind of ["pointerup", "pointercancel"])
  document.addEventListener(kind, (event) => {
    clearTimeout(holding);
    const card = cardAt(event.target);
    if (card?.hasAttribute("aria-pressed") && /** @type {PointerEvent} */ (event).pointerType === "touch") enlarge(null);
  });
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") large()?.classList.remove("shown");
  leaf(event);
});

/** @type {Record<string, number>} */
const CARD_KEYS = { ArrowUp: -1, ArrowDown: 1 };

/**
 * @param {Element} pile
 * @returns {SVGElement[]}
 */
function cardsOf(pile) {
  return [...pile.querySelectorAll(".card[data-key]")].filter((each) => each instanceof SVGElement);
}

/**
 * Make each pile in an element one stop for the keyboard: its first card.
 * @param {ParentNode} element
 */
export function stopAt(element) {
  for (const pile of element.querySelectorAll(".cards"))
    cardsOf(pile).forEach((card, place) => card.setAttribute("tabindex", place ? "-1" : "0"));
}

/**
 * Move the focus up and down a pile.
 * @param {KeyboardEvent} event
 */
function leaf(event) {
  const card = cardAt(event.target), pile = card?.closest(".cards");
  if (!card || !pile || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const cards = cardsOf(pile);
  // Shift+Tab leads out of the pile from any card.
  if (event.key === "Tab" && event.shiftKey) cards[0].focus({ preventScroll: true });
  if (event.shiftKey || !(event.key in CARD_KEYS)) return;
  const next = cards[cards.indexOf(card) + CARD_KEYS[event.key]];
  if (next) next.focus();
  event.preventDefault();
}
