"""The topics of the rules, in the project's own words."""

from __future__ import annotations

from functools import cache

from pbem.cli.learning.topics import attacks, cards, course, expansion, finance, playing, sieges
from pbem.cli.learning.topics.topic import Group as Group
from pbem.cli.learning.topics.topic import Topic as Topic


@cache
def topics() -> dict[str, Topic]:
    """All topics by id, in the order of their groups."""
    families = (course, expansion, sieges, attacks, finance, cards, playing)
    return {topic.id: topic for family in families for topic in family.TOPICS}
