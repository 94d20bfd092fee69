() => [...document.querySelectorAll(".wide th, .wide td")]
  .filter((each) => !/\s/.test(each.textContent.trim()))
  .filter((each) => {
    const words = document.createRange();
    words.selectNodeContents(each);
    return new Set([...words.getClientRects()].map((line) => line.top)).size > 1;
  })
  .map((each) => each.textContent)
