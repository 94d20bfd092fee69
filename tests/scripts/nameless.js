() => {
  const nameless = [...document.querySelectorAll("[aria-labelledby]")].filter((each) =>
    !document.getElementById(each.getAttribute("aria-labelledby"))?.textContent.trim());
  const isFull = (element) => element.textContent.trim() || element.querySelector("use");
  const shut = [...document.querySelectorAll("details")].filter((each) =>
    each.checkVisibility() && ![...each.children].slice(1).some(isFull));
  return [...nameless, ...shut].map((each) => each.outerHTML.slice(0, 100));
}
