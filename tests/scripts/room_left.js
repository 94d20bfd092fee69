() => {
  const main = document.querySelector("main"), drawing = document.querySelector(".drawing");
  return [main.scrollHeight - main.clientHeight, drawing.clientHeight];
}
