() => {
  // Notes each value that the progress bar shows.
  const bar = document.getElementById("checking");
  const note = () => bar.hidden || shares.push(bar.value);
  globalThis.shares = [];
  new MutationObserver(note).observe(bar, { attributes: true });
}
