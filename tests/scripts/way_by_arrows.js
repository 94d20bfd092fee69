async ([from, to]) => {
  const { goOn, keyOf } = await import("/web/assets/play/marks.js");
  const at = (key) => [...document.querySelectorAll("[role=button], button[data-choice]")]
    .find((each) => keyOf(each) === key);
  const ways = new Map([[from, []]]);
  for (const key of ways.keys()) {
    for (const arrow of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) {
      at(key).focus();
      goOn(at(key), arrow);
      const there = keyOf(document.activeElement);
      if (!ways.has(there)) ways.set(there, [...ways.get(key), arrow]);
    }
  }
  at(from).setAttribute("tabindex", "0");
  at(from).focus();
  return ways.get(to) || null;
}
