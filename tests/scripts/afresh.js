() => {
  for (const each of document.querySelectorAll("details[open]")) each.open = false;
  document.activeElement.blur();
  scrollTo(0, 0);
  const slider = document.getElementById("slider");
  slider.value = slider.max;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
}
