// A card that one points at, or comes to by the keyboard, is shown large.

const large = document.getElementById("large");

/** Show the card in which an event is, or the one that has the focus, or none. */
function look(event) {
  const at = event.type === "focusout" ? event.relatedTarget : event.target;
  const on = (element) => element instanceof Element && element.closest(".card[data-key]");
  const card = on(at) || on(document.querySelector(".card[data-key]:focus-visible"));
  large.classList.toggle("shown", Boolean(card));
  if (!card) return;
  large.firstElementChild.setAttribute("href", `#card-${card.dataset.key}`);
  large.classList.toggle("left", card.getBoundingClientRect().left > innerWidth / 2);
}

for (const kind of ["pointerover", "focusin", "focusout"]) document.addEventListener(kind, look);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") large.classList.remove("shown");
  leaf(event);
});

const CARD_KEYS = { ArrowUp: -1, ArrowDown: 1 };

function cardsOf(pile) {
  return [...pile.querySelectorAll(".card[data-key]")];
}

/** Make each pile in an element one stop for the keyboard: its first card. */
function stopAt(element) {
  for (const pile of element.querySelectorAll(".cards"))
    cardsOf(pile).forEach((card, place) => card.setAttribute("tabindex", place ? -1 : 0));
}

/** Go up and down a pile. */
function leaf(event) {
  const card = event.target.closest(".card[data-key]");
  if (!card || event.ctrlKey || event.metaKey || event.altKey) return;
  const cards = cardsOf(card.closest(".cards"));
  // From any card the way back leads out of the pile.
  if (event.key === "Tab" && event.shiftKey) cards[0].focus({ preventScroll: true });
  if (event.shiftKey || !(event.key in CARD_KEYS)) return;
  const next = cards[cards.indexOf(card) + CARD_KEYS[event.key]];
  if (next) next.focus();
  event.preventDefault();
}
