() => {
  const at = document.activeElement, style = getComputedStyle(at);
  return at === document.body ? null : {
    told: at.id || at.outerHTML.slice(0, 100),
    ring: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0
      || style.boxShadow !== "none" || at.closest(":focus-within .card") !== null,
  };
}
