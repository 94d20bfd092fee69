() => [...document.querySelectorAll("*")].filter((each) => {
  const style = getComputedStyle(each);
  const lasts = (times) => times.split(",").some((time) => parseFloat(time) > 0.01);
  return lasts(style.transitionDuration)
    || (style.animationName !== "none" && lasts(style.animationDuration))
    || style.scrollBehavior === "smooth";
}).map((each) => each.outerHTML.slice(0, 80))
