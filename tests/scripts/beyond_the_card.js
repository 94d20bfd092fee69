([width, height, frame]) => {
  const laid = [], beyond = [];
  for (const face of document.querySelectorAll("g[id^=card-]:not(#card-map)")) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("class", "card");
    svg.setAttribute("width", width);
    svg.setAttribute("height", height);
    const head = document.getElementById(face.id.replace("card-", "head-"));
    svg.append(face.cloneNode(true), head.cloneNode(true));
    document.body.append(svg);
    svg.style.width = `${width}px`;
    laid.push([face, svg]);
  }
  // All of them are laid out at once, and not the page anew for each.
  for (const [face, svg] of laid) {
    const corner = svg.getBoundingClientRect();
    for (const text of svg.querySelectorAll("text")) {
      const box = text.getBoundingClientRect();
      const right = box.right - corner.left, bottom = box.bottom - corner.top;
      if (right > width - frame || bottom > height)
        beyond.push([face.id, text.textContent, right, bottom]);
    }
  }
  return beyond;
}
