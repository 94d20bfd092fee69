// Through the game: slider, buttons, keys, links, and play.

const slider = document.getElementById("slider");
const playing = document.getElementById("play");
/** @type {HTMLAnchorElement[]} To each turn, in the list of all. */
let links;
const last = Number(slider.max);
const quiet = matchMedia("(prefers-reduced-motion: reduce)");
const phone = matchMedia("(max-width: 40rem)");
const PLAYED = 1500, PLAYED_QUIETLY = 4000, SETTLED = 350;
let now = Number(slider.defaultValue);
let clock = 0, settling = 0;

/** Show the game after that turn, 0 for the setup. */
function show(turn) {
  turn = Math.max(0, Math.min(last, turn));
  settleSoon();
  if (turn === now) return;
  swap(now, turn);
  mark(now, turn);
  now = turn;
}

function settleSoon() {
  clearTimeout(settling);
  settling = setTimeout(settle, SETTLED);
}

/** Tell everywhere but in the parts which turn it is. */
function mark(from, to) {
  const link = links[to], told = link.closest("li");
  links[from].removeAttribute("aria-current");
  link.setAttribute("aria-current", "true");
  document.getElementById("turn-heading").textContent = link.textContent;
  document.getElementById("turn-lines").innerHTML = told.querySelector("ul").innerHTML;
  slider.value = to;
  slider.setAttribute("aria-valuetext", link.textContent);
  document.getElementById("at").textContent = to;
  for (const cursor of document.querySelectorAll(".cursor"))
    cursor.setAttribute("transform", `translate(${to} 0)`);
  for (const id of ["first", "back"]) dim(id, to === 0);
  for (const id of ["on", "last"]) dim(id, to === last);
}

/** A button that does nothing now stays where the keyboard finds it. */
function dim(id, idle) {
  document.getElementById(id).setAttribute("aria-disabled", String(idle));
}

/** Once nobody moves on for a moment: say the turn, and have the address name it. */
function settle() {
  // What plays goes on before more than the heading is said.
  const lines = clock ? [] : [...document.querySelectorAll("#turn-lines li")];
  document.getElementById("said").textContent = [links[now], ...lines]
    .map((line) => line.textContent).join(" \n");
  try {
    history.replaceState(null, "", `#turn=${now}`);
  } catch {
    // A browser may have had enough of it; the page goes on without.
  }
}

/** Play from here, or from the beginning at the end; and stop. */
function play(on) {
  if (clock && !on) settleSoon();
  clearInterval(clock);
  clock = 0;
  const other = playing.dataset.other;
  if (on !== playing.classList.contains("plays")) {
    playing.dataset.other = playing.title;
    playing.title = other;
    playing.setAttribute("aria-label", other);
    playing.classList.toggle("plays", on);
  }
  if (!on) return;
  if (now === last) show(0);
  clock = setInterval(() => {
    show(now + 1);
    if (now === last) play(false);
  }, quiet.matches ? PLAYED_QUIETLY : PLAYED);
}

/** Go there, as somebody asked for it: what plays stops. */
function go(turn) {
  play(false);
  show(turn);
}

const WAYS = { first: () => 0, back: () => now - 1, on: () => now + 1, last: () => last };
const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };

function press(event) {
  const at = event.target;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey)
    return;
  // What scrolls or is chosen by these keys keeps them; the slider moves by them anyway.
  const sheet = at.closest(".wide, .sheet");
  if (sheet && (sheet.scrollWidth > sheet.clientWidth || sheet.scrollHeight > sheet.clientHeight))
    return;
  if (event.key in KEYS && at !== slider) go(WAYS[KEYS[event.key]]());
  else if (event.key === " " && (at === slider || !at.closest("button, summary, a, input, label")))
    play(!clock);
  else return;
  event.preventDefault();
}

/** Have whoever asked for a turn far from the board see it there. */
function lead() {
  const game = document.getElementById("game-now");
  game.focus({ preventScroll: true });
  game.scrollIntoView();
}

/** Go to the turn that the address names, if it names one. */
function follow() {
  const found = /^#turn=(\d+)$/.exec(location.hash);
  if (found) go(Number(found[1]));
}

/** Listen to whoever wants to go somewhere. */
function begin() {
  links = [...document.querySelectorAll("#turns a")];
  for (const [id, where] of Object.entries(WAYS))
    document.getElementById(id).addEventListener("click", () => go(where()));
  playing.addEventListener("click", () => play(!clock));
  slider.addEventListener("input", () => go(Number(slider.value)));
  document.addEventListener("keydown", press);
  addEventListener("hashchange", follow);
  // Whatever the address names by now: it is behind while somebody moves on.
  document.getElementById("turns").addEventListener("click", (event) => {
    const turn = links.indexOf(event.target.closest("a"));
    if (turn < 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    go(turn);
    lead();
  });
  for (const chart of document.querySelectorAll(".chart svg[role]"))
    chart.addEventListener("click", (event) => {
      const box = chart.getBoundingClientRect();
      go(Math.round(((event.clientX - box.left) / box.width) * last));
      if (phone.matches) lead();
    });
  stopAt(document);
  mark(now, now);
  follow();
  // What is empty, or untrue, without scripts.
  for (const each of document.querySelectorAll("details[hidden], .keys")) each.hidden = false;
  document.getElementById("time").inert = false;
}
