(wanted) => {
  const all = [...document.querySelectorAll(
    "a[href], button, summary, input, select, textarea, [tabindex]")];
  const stops = all.filter(
    (each) => each.tabIndex >= 0 && each.checkVisibility({ visibilityProperty: true })
      && !each.closest("[inert]"));
  const to = stops.findIndex((each) => wanted.contains(each));
  if (to < 0) return null;
  const at = document.activeElement, from = stops.findIndex(
    (each) => each === at || each.closest(".cards") && each.closest(".cards").contains(at));
  return wanted.contains(at) ? 0 : to - from;
}
