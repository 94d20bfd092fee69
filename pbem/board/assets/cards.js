// Show the card under the pointer, or with the keyboard focus, large; so are the cards and the rule of an order.

const HELD = 350, HOVERED = 150, HOVERED_PLACE = 500, MARGIN = 8;
const SUBJECTS = ".card[data-key], [data-choice], [data-look], [data-out], [data-order], [data-give], [data-location].lit";
let waiting = 0, isHeld = false, pointed = "";
/** @type {HTMLElement | SVGElement | null} The element that is explained. */
let explained = null;

/** The element that shows cards large; not every page has it. */
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

/**
 * Return the card, the action, the order or the place to choose around an element.
 * @param {EventTarget | null} at
 * @returns {HTMLElement | SVGElement | null}
 */
function subjectAt(at) {
  return at instanceof Element ? at.closest(SUBJECTS) : null;
}

/**
 * Return the notation of an order, or the part of one, without the pile of a card.
 * @param {HTMLElement | SVGElement} subject
 */
function notationOf(subject) {
  const { choice, look, out, order, give, location: at } = subject.dataset;
  return (choice ?? look ?? out ?? order ?? give ?? at ?? "").replace(/@.*/, "");
}

/**
 * Return the faces of the cards that an element shows or names.
 * @param {HTMLElement | SVGElement} subject
 * @returns {string[]}
 */
function facesOf(subject) {
  const { key } = subject.dataset;
  if (key && cardAt(subject) === subject) return [key];
  const own = /** @type {HTMLElement | null} */ (document.querySelector(".play"))?.dataset.side ?? "british";
  const colours = [own, "neutral", own === "british" ? "french" : "british"];
  const named = notationOf(subject).split(/[^a-z-]+/).map((name) => {
    const ids = colours.map((colour) => `${colour}-${name}`);
    return ids.find((id) => document.getElementById(`card-${id}`)) ?? "";
  });
  return [...new Set(named)].filter(Boolean);
}

/**
 * Return the rule of the action that an element names or a card allows, else the words of the card.
 * @param {HTMLElement | SVGElement} subject
 * @param {string[]} faces
 */
function ruleOf(subject, faces) {
  const verb = notationOf(subject).replace(/^kind:/, "").split(/[ :]/)[0];
  const symbols = document.querySelectorAll(`#head-${faces[0]} use`);
  const uses = [...symbols].map((each) => each.getAttribute("href")?.replace("#symbol-", "rule-") ?? "");
  const ids = [`rule-${verb}`, ...uses, `name-${faces[0]}`];
  return ids.map((id) => document.getElementById(id)?.textContent?.trim()).find(Boolean) ?? "";
}

/** @param {HTMLElement | SVGElement | null} subject */
function explain(subject) {
  const figure = large();
  if (!figure) return;
  const faces = subject ? facesOf(subject) : [], words = subject ? ruleOf(subject, faces) : "";
  explained?.removeAttribute("aria-describedby");
  explained = faces.length || words ? subject : null;
  figure.classList.toggle("shown", Boolean(explained));
  if (!explained) return;
  const [shown, told] = figure.children;
  const drawn = faces.map((id) => `<svg class="card" viewBox="0 0 126 176"><use href="#card-${id}"/></svg>`);
  shown.innerHTML = drawn.join("");
  told.textContent = words;
  figure.classList.toggle("many", faces.length > 1);
  // A card has its words as its name.
  if (!cardAt(explained)) explained.setAttribute("aria-describedby", told.id);
  place(figure, explained);
}

/**
 * Put the figure where it covers least of what can be pressed, and nothing of what it explains.
 * @param {HTMLElement} figure
 * @param {Element} subject
 */
function place(figure, subject) {
  const own = subject.getBoundingClientRect(), { offsetWidth: width, offsetHeight: height } = figure;
  const right = innerWidth - width - MARGIN, bottom = innerHeight - height - MARGIN;
  const near = subject.closest(".kinds, .orders, .cards, .preview, .chosen") ?? subject;
  const area = (subject.closest(".panel, .own-hand") ?? near).getBoundingClientRect();
  const others = document.querySelectorAll("button, a, summary, input, textarea, .card[data-key], .lit, .tally");
  const boxes = [...others].map((each) => {
    const weight = each === subject ? 1e6 : near.contains(each) || each.matches(".tally, .own-hand .card") ? 100 : each.matches(".lit") ? 4 : 1;
    return { weight, box: each.getBoundingClientRect() };
  });
  const xs = [area.left - width, area.right, own.left - width, own.right, own.left, 0, right];
  const ys = [own.top, own.top - height, own.bottom, area.top, area.top - height, area.bottom, 0, bottom];
  let least = Infinity;
  for (const x of xs)
    for (const y of ys) {
      const left = Math.max(MARGIN, Math.min(x < own.left ? x - MARGIN : x + MARGIN, right));
      const top = Math.max(MARGIN, Math.min(y < own.top ? y - MARGIN : y + MARGIN, bottom));
      const covered = boxes.filter(({ box }) => box.width && box.left < left + width && box.right > left
        && box.top < top + height && box.bottom > top);
      // A way of 40 pixels counts as much as one button.
      const across = Math.max(0, own.left - left - width, left - own.right);
      const way = Math.hypot(across, Math.max(0, own.top - top - height, top - own.bottom)) / 40;
      const cost = covered.reduce((sum, { weight }) => sum + weight, way);
      if (cost >= least) continue;
      least = cost;
      Object.assign(figure.style, { left: `${left}px`, top: `${top}px` });
    }
}

/** @param {Element} subject */
function canPress(subject) {
  return subject.matches("button, .preview, [aria-pressed]");
}

/** @param {Event} event */
function spotOf(event) {
  return event instanceof PointerEvent && event.pointerType !== "touch" ? `${event.clientX} ${event.clientY}` : null;
}

/**
 * Explain the subject of an event, else the one with the focus, else nothing.
 * @param {Event} event
 */
function look(event) {
  if (event.type === "pointerover" && spotOf(event) === pointed) {
    // The page moved, not the pointer.
    document.addEventListener("pointermove", look, { once: true });
    if (explained && explained !== subjectAt(event.target)) explain(subjectAt(document.querySelector(":focus-visible")));
    return;
  }
  clearTimeout(waiting);
  const at = event.type === "focusout" ? /** @type {FocusEvent} */ (event).relatedTarget : event.target;
  const subject = (event.type === "focusin" ? null : subjectAt(at)) ?? subjectAt(document.querySelector(":focus-visible"));
  // The focus follows a touch, which explains a card already.
  if (explained && (subject === explained || (event.target === explained && !canPress(explained)))) return;
  const isPointer = event instanceof PointerEvent, isTouch = isPointer && event.pointerType === "touch";
  // A touch presses what can be pressed, and explains it as long as it lasts.
  const isPressed = isTouch && subject && canPress(subject);
  // The pointer crosses places on its way.
  const hovered = subject?.dataset.location ? HOVERED_PLACE : explained ? 0 : HOVERED;
  const delay = isPressed ? HELD : isPointer && !isTouch ? hovered : 0;
  if (!subject || !delay) explain(subject);
  else
    waiting = setTimeout(() => {
      isHeld = Boolean(isPressed);
      explain(subject);
    }, delay);
}

for (const kind of ["pointerover", "focusin", "focusout"]) document.addEventListener(kind, look);
document.addEventListener("pointermove", (event) => {
  pointed = spotOf(event) ?? "";
});
for (const kind of ["pointerup", "pointercancel"])
  document.addEventListener(kind, (event) => {
    if (/** @type {PointerEvent} */ (event).pointerType !== "touch") return;
    clearTimeout(waiting);
    const subject = subjectAt(event.target);
    if (subject && canPress(subject)) explain(null);
  });
// What is explained may have moved.
addEventListener("scroll", () => {
  const figure = large();
  if (figure && explained) place(figure, explained);
}, true);
document.addEventListener("pointerdown", (event) => {
  isHeld = false;
  if (event.pointerType !== "touch") clearTimeout(waiting);
}, true);
for (const kind of ["click", "contextmenu"])
  document.addEventListener(kind, (event) => {
    if (!isHeld) return;
    event.preventDefault();
    event.stopPropagation();
  }, true);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    clearTimeout(waiting);
    explain(null);
  }
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
