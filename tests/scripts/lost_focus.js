(step) => {
  const lost = [];
  const press = (key) => document.activeElement.dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const all = () => [...document.querySelectorAll("[id] a[href], button, summary, [id] [tabindex]")]
    .filter((each) => each.checkVisibility());
  for (const each of document.querySelectorAll("details")) each.open = true;
  for (let place = 0; place < all().length; place += step) {
    all()[place].focus();
    const told = document.activeElement.outerHTML.slice(0, 80);
    for (const key of ["Home", "End"]) {
      press(key);
      if (document.activeElement === document.body) lost.push([told, key]);
    }
  }
  return lost;
}
