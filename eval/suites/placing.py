"""From quotes and where they are said to stand to gold sections on a day, each with its twins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from eval.policy import Edition, InForce, Policy
from eval.suites.question import Gold
from eval.tickets import Anchor, normal
from ingest.dates import Day, show_day
from ingest.errors import SourceError

SEVERAL = "several"
"""The slice of a question whose gold lies in more than one document or chapter."""


def placed(anchors: Iterable[Anchor], edition: Edition) -> tuple[Gold, ...]:
    """The gold sections that anchors name, in their order; an anchor must name one section."""
    by_address: dict[str, tuple[InForce, list[Anchor]]] = {}
    for anchor in anchors:
        [section] = edition.named(anchor.document, anchor.section)
        by_address.setdefault(section.address, (section, []))[1].append(anchor)
    return tuple(_gold(section, held, edition) for section, held in by_address.values())


def _gold(section: InForce, anchors: list[Anchor], edition: Edition) -> Gold:
    same = _by_body(edition).get(section.body, frozenset()) if section.body else frozenset()
    return Gold(
        section.address,
        quotes=tuple(normal(anchor.quote) for anchor in anchors),
        roles=tuple(anchor.role.value for anchor in anchors),
        twins=same - {section.address},
    )


@lru_cache(maxsize=64)
def _by_body(edition: Edition) -> Mapping[str, frozenset[str]]:
    """Addresses of the sections with each text; headings do not count."""
    found: dict[str, set[str]] = {}
    for section in edition.sections:
        found.setdefault(section.body, set()).add(section.address)
    return {body: frozenset(addresses) for body, addresses in found.items()}


def slices(gold: Iterable[Gold], edition: Edition) -> dict[str, str]:
    """Document and chapter of gold sections; "several" where they differ, nothing without gold."""
    wanted = {one.id for one in gold}
    held = [section for section in edition.sections if section.address in wanted]
    documents = {section.doc_id for section in held}
    chapters = {section.section.path[0] if section.section.path else section.document.title for section in held}
    return {name: one_of(values) for name, values in (("document", documents), ("chapter", chapters)) if values}


def one_of(values: set[str]) -> str:
    """The only value there is, or "several"."""
    return next(iter(values)) if len(values) == 1 else SEVERAL


def edition_on(policy: Policy, day: Day, where: str) -> Edition:
    """What is in force on a question's day.

    Raises:
        SourceError: nothing is.
    """
    edition = policy.on(day)
    if not edition.documents:
        raise SourceError(
            f"nothing is in force on {show_day(day)}",
            where=where,
            allowed="days from the first edition on",
            fix="change as_of, or add the edition that was in force then",
        )
    return edition
