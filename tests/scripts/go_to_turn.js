(turn) => {
  const slider = document.getElementById("slider");
  slider.value = turn;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
}
