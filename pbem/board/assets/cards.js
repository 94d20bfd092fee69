// A card that one points at, or comes to by the keyboard, is shown large.

const HELD = 350;
let holding = 0;

/** Where a card is shown large; not every page has cards. */
function large() {
  return document.getElementById("large");
}

/**
 * The card in which an element is.
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
 * Show the card in which an event is, or the one that has the focus, or none.
 * @param {Event} event
 */
function look(event) {
  clearTimeout(holding);
  const at = event instanceof FocusEvent && event.type === "focusout" ? event.relatedTarget : event.target;
  const card = cardAt(at) || cardAt(document.querySelector(".card[data-key]:focus-visible"));
  // A finger chooses a card that can be chosen, and looks at it as long as it stays there.
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
 * Go up and down a pile.
 * @param {KeyboardEvent} event
 */
function leaf(event) {
  const card = cardAt(event.target), pile = card?.closest(".cards");
  if (!card || !pile || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const cards = cardsOf(pile);
  // From any card the way back leads out of the pile.
  if (event.key === "Tab" && event.shiftKey) cards[0].focus({ preventScroll: true });
  if (event.shiftKey || !(event.key in CARD_KEYS)) return;
  const next = cards[cards.indexOf(card) + CARD_KEYS[event.key]];
  if (next) next.focus();
  event.preventDefault();
}
