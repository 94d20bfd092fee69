"""The page `/settings`: language, theme, the player's name and address, and how mail is set up."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from pbem.play.config import CHOICES, LANGUAGE, Config, change_texts
from pbem.protocol.identity import Identity
from pbem.text.games import read_email, read_name
from pbem.text.language import NAMES, Language
from pbem.text.phrases import texts
from pbem.web import backup
from pbem.web.game_service import GameService
from pbem.web.pages import LABELS as FRAME
from pbem.web.pages import Pages, make_response, malformed_request, read_texts
from pbem.web.uploads import PAGE_HEADER
from pbem.web.welcome import LABELS as WELCOME

LABELS = texts("settings") | {
    "light": FRAME["light"],
    "dark": FRAME["dark"],
    "name": WELCOME["name"],
    "email": WELCOME["email"],
}


def routes(pages: Pages) -> list[BaseRoute]:
    """Return the routes of the page, and of each change."""
    service = pages.service

    async def page(request: Request) -> Response:
        file = await pages.run(service.key_file)
        config = await pages.run(Config.read, service.home.config_path)
        address = config.look_up("mail.address")
        mail = LABELS["has_mail" if address else "no_mail"]
        return pages.page(
            "settings.html",
            title=FRAME["settings"],
            labels=LABELS,
            languages=NAMES,
            theme_labels=[(theme, LABELS[theme]) for theme in ("", *CHOICES["theme"])],
            person=file,
            mail=mail.with_facts(address=address, command=service.command),
            notice=await pages.run(backup.key_notice, pages),
            backup=backup.LABELS,
            script="forms.js",
            styles=("forms.css",),
        )

    async def language(request: Request) -> Response:
        (code,) = await read_texts(request, "language")
        if code not in NAMES:
            raise malformed_request()
        await pages.run(_change, service, LANGUAGE, code)
        pages.speak(Language(code))
        has_identity = await pages.run(lambda: service.home.has_identity)
        return make_response(pages.language, go="/settings" if has_identity else "/welcome")

    async def choice(request: Request) -> Response:
        name = request.url.path[1:]
        (value,) = await read_texts(request, name)
        if value and value not in CHOICES[name]:
            raise malformed_request()
        await pages.run(_change, service, name, value)
        pages.choices[name] = value
        # The settings show which one is chosen.
        if request.headers.get(PAGE_HEADER) == "/settings":
            return make_response(pages.language, go="/settings")
        return make_response(pages.language)

    async def profile(request: Request) -> Response:
        name, email = await read_texts(request, "name", "email")
        await pages.run(_change_profile, service, name.strip(), email.strip())
        return make_response(pages.language, message=LABELS["saved"])

    return [
        Route("/settings", page),
        Route("/language", language, methods=["POST"]),
        *(Route(f"/{name}", choice, methods=["POST"]) for name in CHOICES),
        Route("/settings", profile, methods=["POST"]),
    ]


def _change(service: GameService, name: str, value: str) -> None:
    """Store a text of the settings, as `acres config` does."""
    Config.read(service.home.config_path).replace(name, value)


def _change_profile(service: GameService, name: str, email: str) -> None:
    """Change the name and the address for later games. Raises UsageError if one is not allowed."""
    change_texts(service.key_file().path, name=read_name(name), email=read_email(email))
    if service.unlocked is not None:
        service.unlocked = Identity(name, email, service.unlocked.seed)
