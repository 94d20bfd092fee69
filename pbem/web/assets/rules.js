// The contents of the rules follow the reading: they mark the topic at the top of the window.

const contents = /** @type {HTMLElement} */ (document.querySelector(".contents"));

/** @param {Element} topic */
function follow(topic) {
  const link = contents.querySelector(`[href="#${CSS.escape(topic.id)}"]`);
  if (!(link instanceof HTMLElement)) return;
  contents.querySelector("[aria-current=location]")?.removeAttribute("aria-current");
  link.setAttribute("aria-current", "location");
  contents.scrollTop = link.offsetTop - contents.clientHeight / 3;
}

const watch = new IntersectionObserver(
  (entries) => entries.filter((each) => each.isIntersecting).forEach((each) => follow(each.target)),
  { rootMargin: "-12% 0px -85%" },
);
document.querySelectorAll(".book :is(article, section[id])").forEach((each) => watch.observe(each));
