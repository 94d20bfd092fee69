// What a page with scripts can do; and light or dark, as the system has it until somebody chooses.

const theme = document.getElementById("theme");
const night = matchMedia("(prefers-color-scheme: dark)");

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : night.matches;
}
function label() {
  theme.classList.toggle("dark", isDark());
}
theme.addEventListener("click", () => {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  label();
});
night.addEventListener("change", label);
label();
theme.hidden = false;

function painted() {
  return new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}
// What a browser makes of so many faces of cards would keep the first paint waiting.
function putFaces() {
  const faces = document.getElementById("faces");
  faces.outerHTML = faces.textContent;
}
const faced = painted().then(putFaces);

if ("DecompressionStream" in window) {
  const still = document.getElementById("still"), time = document.getElementById("time");
  // The bar has its room at once, and is there when it can be used.
  time.inert = still.hidden = true;
  time.hidden = false;
  faced.then(unpack).then(begin).catch((error) => {
    time.hidden = true;
    still.hidden = false;
    console.error(error);
  });
}
