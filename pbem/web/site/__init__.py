"""The pages as static files: a browser runs them itself, and no server is involved.

Python runs in a worker (Pyodide), behind a service worker that passes the requests of pages on.

Called by a browser and `cli`; calls `web`, `board` and all below.
"""
