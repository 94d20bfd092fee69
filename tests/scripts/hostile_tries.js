async (own) => {
  const got = {}, settled = (name, promise) => promise.then(
    (value) => { got[name] = String(value); }, (error) => { got[name] = "refused"; });
  const element = (name, kind, attributes) => settled(name, new Promise((done, failed) => {
    const made = document.createElement(kind);
    made.onload = () => done("loaded");
    made.onerror = () => failed();
    Object.assign(made, attributes);
    document.body.append(made);
  }));
  const text = (answer) => answer.text();
  const post = { method: "POST", body: "{}" };
  const json = { ...post, headers: { "Content-Type": "application/json" } };
  await Promise.all([
    settled("get", fetch(own).then(text)),
    settled("get with cookies", fetch(own, { credentials: "include" }).then(text)),
    settled("opaque get", fetch(own, { mode: "no-cors", credentials: "include" }).then(text)),
    settled("post", fetch(own + "another", post).then(text)),
    settled("post with cookies", fetch(own + "another", { ...post, credentials: "include" })
      .then(text)),
    settled("post of JSON", fetch(own + "another", { ...json, credentials: "include" }).then(text)),
    settled("opaque post", fetch(own + "another", { ...post, mode: "no-cors",
      credentials: "include" }).then(text)),
    settled("beacon", Promise.resolve(navigator.sendBeacon(own + "another", "{}"))),
    element("image", "img", { src: own + "list" }),
    element("script", "script", { src: own + "web/assets/frame.js" }),
    element("module", "script", { type: "module", src: own + "web/assets/frame.js" }),
    element("style", "link", { rel: "stylesheet", href: own + "faces.css" }),
    settled("events", new Promise((done, failed) => {
      const stream = new EventSource(own + "events", { withCredentials: true });
      stream.onopen = () => done("opened");
      stream.onerror = () => { stream.close(); failed(); };
    })),
    settled("socket", new Promise((done, failed) => {
      const socket = new WebSocket(own.replace("http", "ws") + "events");
      socket.onopen = () => done("opened");
      socket.onerror = () => failed();
    })),
  ]);
  return got;
}
