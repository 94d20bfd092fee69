() => {
  const slider = document.getElementById("slider"), wrong = [];
  for (let turn = 0; turn <= Number(slider.max); turn += 5) {
    slider.value = turn;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    for (const pile of document.querySelectorAll(".cards")) {
      const stops = [...pile.querySelectorAll("*")].filter((each) => each.tabIndex >= 0);
      const first = pile.querySelector(".card[data-key]");
      if (stops.length > 1 || (first && stops[0] !== first)) wrong.push([turn, pile.outerHTML]);
    }
  }
  return wrong;
}
