// A worker for what takes seconds, so that the pages respond: it calls functions of pbem/web/site/tasks.py.

import { startPython } from "./python.js";

const starting = startPython().then((python) => [python, python.pyimport("pbem.web.site.tasks")]);

// Only an error that is thrown reaches the first worker.
addEventListener("unhandledrejection", ({ reason }) => {
  throw reason;
});
addEventListener("message", async ({ data: { id, task } }) => {
  const [python, tasks] = await starting;
  const report = (/** @type {string} */ progress) => postMessage({ id, progress });
  const result = tasks.call(python.toPy(task).tobytes(), report);
  postMessage({ id, result: result.toJs() });
});
