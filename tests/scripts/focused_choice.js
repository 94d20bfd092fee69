async () => {
  const { choices, keyOf } = await import("/web/assets/play/marks.js");
  const at = document.activeElement;
  return choices(document).includes(at) ? keyOf(at) : null;
}
