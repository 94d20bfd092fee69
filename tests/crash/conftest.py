import os
import shutil
from collections.abc import Iterator

import pytest

from tests.cli.commands import OTHER_ORDERS, PASSES, acres
from tests.crash.scenes import Scene
from tests.crash.stage import Stage, run_stage

if not hasattr(os, "fork"):
    collect_ignore_glob = ["*"]


@pytest.fixture(scope="session")
def stage() -> Iterator[Stage]:
    with run_stage() as stage:
        yield stage


@pytest.fixture(scope="session")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Scene]:
    """The scenes that can be crashed, by name."""
    folder = tmp_path_factory.mktemp("scenes")
    base_folder = folder / "base"

    def do(*arguments: object, home: str) -> None:
        acres(*arguments, home=base_folder / home).succeeds()

    for name in ("british", "french"):
        do("init", "--name", name.title(), home=name)
    files = [base_folder / f"game-{number:03}.toml" for number in range(5)]
    do("new", "--side", "british", "--lists", 16, "--output", files[0], home="british")
    do("join", files[0], home="french")
    do("turn", "apply", files[1], "pass", home="british")
    do("turn", "apply", files[2], "pass", home="french")
    any_side = base_folder / "any-000.toml"
    do("new", "--side", "any", "--lists", 16, "--output", any_side, home="british")
    answered = shutil.copytree(base_folder, folder / "answered")
    answer = acres("turn", "apply", answered / "game-003.toml", *PASSES, home=answered / "british")
    answer.succeeds()

    apply = ("turn", "apply", "game-003.toml")
    join = ("join", "any-000.toml", "--side")
    scenes_made = [
        Scene("apply", base_folder, "british", (*apply, *PASSES), "game-004.toml",
              (*apply, *OTHER_ORDERS, "--output", "other.toml")),
        Scene("join", base_folder, "french", (*join, "french"), "any-001.toml",
              (*join, "british", "--output", "other.toml")),
        Scene("new", base_folder, "british",
              ("new", "--side", "any", "--lists", "16", "--output", "mine.toml"), "mine.toml"),
        Scene("replace", answered, "british", (*apply, *OTHER_ORDERS, "--replace"), "game-004.toml",
              (*apply, *PASSES, "--output", "other.toml"), is_replaced=True),
    ]  # fmt: skip
    return {scene.name: scene for scene in scenes_made}


@pytest.fixture(params=["apply", "join", "new", "replace"])
def scene(request: pytest.FixtureRequest, scenes: dict[str, Scene]) -> Scene:
    return scenes[request.param]


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark all tests of killed commands as slow."""
    item.add_marker(pytest.mark.slow)
