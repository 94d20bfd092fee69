"""The site, built once and served to browsers."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser

from pbem.text.compiling import compile_catalogues
from pbem.web.site.build import build, open_server
from tests.board.browser import shared_browser
from tests.requirements import skip_without


@pytest.fixture(scope="session")
def site_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the site, which tests only read."""
    if shutil.which("npm") is None:
        skip_without("npm", "npm")
    compile_catalogues()
    folder = tmp_path_factory.mktemp("site") / "public"
    build(folder)
    return folder


@pytest.fixture(scope="session")
def site_address(site_folder: Path) -> Iterator[str]:
    """Serve the site below a path, and yield its address, which ends with a slash."""
    with open_server(site_folder.parent) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{site_folder.name}/"
        server.shutdown()


@pytest.fixture
def browser() -> Browser:
    """Return the browser that all test files share."""
    return shared_browser()
