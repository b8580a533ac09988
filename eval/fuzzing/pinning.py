"""A loss as a command line that makes it an open pin."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING

from eval.fuzzing.tried import Anchor, Tried
from ingest.dates import Day, parse_day

if TYPE_CHECKING:
    from eval.policy import Edition, Policy


def pin_command(one: Tried, policy: Policy, today: Day) -> str | None:
    """A command line to copy; None where nobody wrote a quote that could be expected.

    A pin names one section at most: of gold in several, the lost part is pinned where a quote alone does not tell
    its section.
    """
    edition = policy.on(parse_day(one.question.as_of) if one.question.as_of else today)
    anchors = [anchor for anchor in one.before if anchor.quote]
    if len({anchor.section for anchor in anchors}) > 1 and not all(_tells(anchor, edition) for anchor in anchors):
        lost = [anchor for anchor in one.lost if anchor.quote]
        anchors = [anchor for anchor in lost if anchor.section == lost[0].section]
    return shlex.join(_words(one, anchors)) if anchors else None


def _words(one: Tried, anchors: list[Anchor]) -> Iterator[str]:
    yield from ("caveat", "pin", "add", "--query", one.query)
    for anchor in anchors:
        yield from ("--expect", anchor.quote or "")
    sections = {anchor.section for anchor in anchors}
    if len(sections) == 1:
        yield from ("--section", *sections)
    if one.question.as_of:
        yield from ("--as-of", one.question.as_of)
    yield from ("--title", f"{one.question.id}: {one.way}, {one.change}", "--open")


def _tells(anchor: Anchor, edition: Edition) -> bool:
    """Whether the quote stands in one section, or in identical ones."""
    return len({section.body for section in edition.holding(anchor.quote or "")}) == 1
