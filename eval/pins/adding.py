"""A pin is born: its quotes are held against the day, its query is asked once, and only what passes is written."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from eval.pins.folder import check_reads_back, slug, write_new
from eval.pins.plain.form import Pin
from eval.pins.plain.outcome import Outcome
from eval.pins.plain.quotes import one_line
from eval.pins.searching import Expected, PinSearch
from eval.pins.sources import Told
from eval.redaction import Redactor
from eval.surroundings import Surroundings
from ingest.dates import show_instant
from ingest.errors import CaveatError, GuardError, QueryError

_WORDS: Final = 8
"""Of a query, where a pin has no title."""


@dataclass(frozen=True, slots=True)
class Born:
    """A pin, and how it went when it was asked first."""

    pin: Pin
    outcome: Outcome


def born(around: Surroundings, search: PinSearch, told: Told, *, as_open: bool) -> Born:
    """Check a pin to be, and ask its query once.

    Raises:
        QueryError: no quote, or one that is not in force that day; an empty query.
    """
    if not told.expect:
        raise QueryError("a pin without a quote would always pass", where="--expect", fix='--expect "30 calendar days"')
    anchors, day = search.anchors(Expected(told.expect, told.section, told.as_of))
    redactor = Redactor(around.config.redact)
    query = redactor.text(told.query)
    title = one_line(redactor.text(told.title or "")) or one_line(" ".join(query.split()[:_WORDS]))
    incident = redactor.text(told.incident)
    name = told.id or (slug(title) if _leads(title, incident) else slug(incident, title))
    redactor.check_name(told.id or "", "--id")
    if told.id and told.id != slug(told.id):
        raise QueryError(
            f'id "{told.id}"', where="--id", allowed="lower-case letters, digits and hyphens", fix=slug(told.id)
        )
    pin = Pin(
        name,
        title,
        query,
        day,
        anchors,
        "open" if as_open else "pinned",
        incident,
        told.section or "",
        redactor.value(told.source),
    )
    check_reads_back(pin)
    outcome = search.run(pin)
    if as_open and outcome.passed:
        pin = replace(pin, status="pinned")
    then = {"at": show_instant(around.now), "generation": search.retriever.generation, "passed": outcome.passed}
    told_then = {name: value for name, value in outcome.to_dict().items() if name in ("anchors", "came")}
    return Born(replace(pin, born=then | told_then), outcome)


def _leads(title: str, incident: str) -> bool:
    return slug(title).startswith(slug(incident))


def born_all(around: Surroundings, search: PinSearch, every: list[Told], *, as_open: bool) -> list[Born]:
    """The same of many; a fault names the line.

    Raises:
        CaveatError: as `born`.
    """
    found: list[Born] = []
    for told in every:
        try:
            found.append(born(around, search, told, as_open=as_open))
        except QueryError as error:
            raise QueryError(str(error), where=told.where) from None
    return found


def check_passed(every: list[Born], *, as_open: bool) -> CaveatError | None:
    """What is to be raised where a pin fails at birth and is not to be open."""
    failed = [one.pin.id for one in every if not one.outcome.passed]
    if as_open or not failed:
        return None
    more = f" and {len(failed) - 1} more" if len(failed) > 1 else ""
    found = f"{failed[0]}{more} does not come back as things stand; nothing was written"
    return GuardError(found, fix="mend the search first, or add it with --open: reported every night until it passes")


def write(folder: Path, every: list[Born]) -> list[Path]:
    """Write them, all or none. Raises as `write_new`."""
    return write_new(folder, [one.pin for one in every])
