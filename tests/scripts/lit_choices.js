async () => {
  const { choices, keyOf } = await import("/web/assets/play/marks.js");
  const lit = choices(document).filter((each) => each.classList.contains("lit"));
  const isSeen = (each) => !each.getAttribute("aria-disabled") && each.checkVisibility();
  if (!lit.every(isSeen)) return null;
  return lit.map((each) => keyOf(each).replace(/#.*/, ""));
}
