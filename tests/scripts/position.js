() => {
  const all = (what, within) => [...within.querySelectorAll(what)];
  const one = (what, within = document) => within.querySelector(what);
  const number = (text) => Number(text.replace("−", "-").replace("+", "").trim());
  const shown = (what) => number(one(`#${what} b`).textContent);
  const href = (use) => use && use.getAttribute("href").slice(1);
  const isSeen = (element) => element.checkVisibility({ opacityProperty: true });

  function cards(list) {
    return all("li[data-card]", list).filter((li) => li.dataset.copies !== "0").map((li) => {
      const svg = one("svg.card", li), face = href(one("use", svg));
      const told = one(".copies", li), price = one(".price", li), strength = one(".strength", li);
      return {
        card: li.dataset.card,
        face: document.getElementById(face) ? face : `no face ${face}`,
        name: document.getElementById(svg.getAttribute("aria-labelledby")).textContent.trim(),
        copies: told ? number(told.textContent.slice(1)) : 1,
        price: price && number(price.textContent),
        strength: strength && number(strength.textContent),
      };
    });
  }
  const pile = (within) => all("ul.cards", within).flatMap(cards);

  function location(part) {
    const piece = one(":scope use.piece", part), siege = one(".trenches", part);
    const points = one(".points text", part), marker = one(".marker + text", part);
    return {
      id: part.id.slice(3),
      piece: piece && isSeen(piece) ? href(piece) : null,
      fortified: !!one("use.fort", part),
      besieger: siege && siege.classList[1],
      points: points ? number(points.textContent) : 0,
      marker: marker && number(marker.textContent),
      told: one("title", part).textContent.trim(),
      marked: !!one(".halo, .ghost", part),
    };
  }

  function side(name) {
    const of = (what) => pile(one(`#${name}-${what}`)), hidden = one(`#${name}-hand .backs`);
    return {
      money: shown(`${name}-money`), points: shown(`${name}-points`),
      villages: shown(`${name}-villages`), towns: shown(`${name}-towns`),
      captured: shown(`${name}-captured`), hand_count: shown(`${name}-hand-count`),
      hand: of("hand"),
      face_down: hidden ? all("svg.card", hidden).length : 0,
      draw: shown(`${name}-draw-count`),
      discard_count: shown(`${name}-discard-count`), discard: of("discard"),
      reserve_count: shown(`${name}-reserve-count`), reserve: of("reserve"),
      draft: of("draft"), locations: of("locations"),
    };
  }

  function siege(article) {
    return {
      location: article.dataset.siege,
      marker: number(one(".track .here", article).textContent),
      sides: Object.fromEntries(["british", "french"].map(
        (name) => [name, pile(one(`.pile.${name}`, article))])),
    };
  }

  return {
    board: all("[id^=at-]", document).map(location),
    raids: all("#raids [data-raid]", document).map((raid) => [
      raid.classList[1], raid.dataset.raid.split(" ").at(-1), raid.dataset.blocked === "true"]),
    british: side("british"), french: side("french"),
    sieges: all("article.siege", document).map(siege),
    neutral: pile(one("#neutral")),
    discs: number(one("#discs").textContent.replace(/[^0-9]*([0-9]+).*/s, "$1")),
    heading: one("#turn-heading").textContent,
    slider: [one("#slider").value, one("#at").textContent],
  };
}
