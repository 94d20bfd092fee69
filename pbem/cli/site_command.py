"""The command `acres site`: pages for any browser, as a folder of static files."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

from pbem.cli import console
from pbem.cli.options import argument, flag, number_option
from pbem.errors import UsageError, describe_os_error
from pbem.web.site.build import SUMS, build, open_server, site_hash

DEFAULT_PORT = 8047
"""The usual port, always the same: browsers keep the games of each port apart."""


def site(
    out: Annotated[
        Path | None, argument("[DIR]", "The folder to write; it must be new or empty.")
    ] = None,
    serve: Annotated[bool, flag("--serve", "Show it to browsers on this computer only.")] = False,
    port: Annotated[
        int | None,
        number_option("--port", f"The port to serve at. Default: {DEFAULT_PORT}.", limit=65535),
    ] = None,
) -> None:
    """Write the pages as a folder of files, which any browser can run with nothing installed.

    Put the folder on any web server that has https, under any address, and give your opponents
    the address. Games and keys stay in each player's browser: the server gets nothing but requests
    for these files, and needs no program. Writing the folder needs npm and the Internet.

    $ acres site public  # about 15 MB, 8 MB on the way to a browser
    $ acres site --serve  # only to try it here
    """
    if out is None and not serve:
        raise UsageError("Name a folder to write, or add --serve to try the pages here.")
    with ExitStack() as stack:
        folder = out or Path(stack.enter_context(TemporaryDirectory()))
        if not (serve and (folder / SUMS).is_file()):
            size = build(folder)
            console.say(
                "{folder} has the pages, {size} MB. To check them: SHA256SUMS in it has the hash "
                "{hash}.",
                folder=folder,
                size=round(size / 1e6),
                hash=site_hash(folder),
            )
        if serve:
            try:
                server = stack.enter_context(open_server(folder, port or DEFAULT_PORT))
            except OSError as error:
                raise UsageError(
                    "Port {port} cannot be used: {reason}. Name another one with --port.",
                    port=port or DEFAULT_PORT,
                    reason=describe_os_error(error),
                ) from None
            address = f"http://127.0.0.1:{server.server_port}/"
            console.say_unwrapped(
                "Open this in a browser, until you press Ctrl-C: {address}", address=address
            )
            console.flush()
            server.serve_forever()
