"""What came into the player's folders and mailbox since they were last searched.

They are searched before a game is chosen, so that what came is known.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from engine.message import Said
from pbem.cli import console
from pbem.cli.own_home import at_home, own_command, own_library
from pbem.cli.running import current
from pbem.errors import AcresError
from pbem.mail.account import Account
from pbem.play.config import MAIL, Config
from pbem.play.folders import places, watched
from pbem.play.inbox.folder_search import Came, look_through
from pbem.text.proof.arrivals import everything_of


def look_through_folders(*, anew: bool = False) -> list[Came]:
    """Note what came into the folders of the player's games, and those that are watched.

    With `anew` also what was looked at before. Warns of what is to be minded, once during a
    command; the rest is given.
    """
    home, own = at_home(), own_library()
    if own is None:
        return []
    folders = places(home, own.listed().values(), [*watched(home), *_of_letters()])
    warned: set[str] = current().meta.setdefault(f"{__name__}.warned", set())

    def warn(said: Said) -> None:
        if str(said) not in warned:
            console.warn(said)
        warned.add(str(said))

    came = look_through(own, folders, home.games, own_command(), anew=anew, warn=warn)
    for each in came:
        for number, said in enumerate(everything_of(each, home.clock())):
            if number or each.is_warning:
                warn(said)
    invitations().update(each.invitation for each in came if each.invitation)
    return came


def look_through_mailbox(*, asks: bool = False) -> None:
    """Note what came by mail, where an account is set up; what fails is told, and stops nobody.

    A password that is kept nowhere is asked for if this `asks`, once during a command.
    """
    if _has_account():
        # Imported here because most players have no account.
        from pbem.cli.own_account import look_through as look_through_account

        invitations().update(look_through_account(asks=asks))


def invitations() -> set[Path]:
    """The files with invitations that were found during this command."""
    found: set[Path] = current().meta.setdefault(__name__, set())
    return found


def _has_account() -> bool:
    return MAIL in Config.read(at_home().config_path).tables


def _of_letters() -> list[Path]:
    """Return the folder into which what came by mail is put, if there is one besides the home."""
    with suppress(AcresError):
        account = Account.of(Config.read(at_home().config_path))
        if account is not None and account.folder is not None:
            return [account.folder.absolute()]
    return []
