() => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  const behind = { turn: document.getElementById("slider").value, address: location.hash };
  document.querySelector("#turns a[href='#turn=41']").click();
  return behind;
}
