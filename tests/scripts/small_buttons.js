() => [...document.querySelectorAll("button, summary, input, [tabindex='0'], nav a[href]")]
  .filter((each) => each.checkVisibility())
  // Who touches the label of a box touches the box.
  .map((each) => each.closest("label") || each)
  .map((each) => [each.outerHTML.slice(0, 120), each.getBoundingClientRect()])
  .filter(([_, box]) => box.width < 24 || box.height < 24)
  .map(([told, box]) => [told, box.width, box.height])
