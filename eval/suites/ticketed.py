"""A folder of tickets as questions: each message and each rewrite, on its day, with its gold as it then stood."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from eval.policy import Edition, Policy
from eval.suites.placing import edition_on, placed, slices
from eval.suites.question import Feature, Gold, Question
from eval.suites.read import Broken, Read, addresses
from eval.ticket_check import misplaced
from eval.ticket_files import Suite, load_suite
from eval.tickets import Ticket
from ingest.errors import SourceError


def read_tickets(folder: Path, policy: Policy) -> Read:
    """Every ticket of a folder with its rewrites; one whose gold is not in place is broken and not asked.

    Raises:
        SourceError: a file is missing, or a line breaks the schema; with file and line.
    """
    suite = load_suite(folder)
    questions: list[Question] = []
    broken: list[Broken] = []
    for ticket in suite.tickets:
        faults = tuple(_faults(ticket, suite, policy))
        if faults:
            broken.append(Broken(ticket.id, ticket.split, faults))
        else:
            questions += _asked(ticket, suite, policy.on(ticket.day))
    features: list[Feature] = ["dates", "quotes", "windows", "links"]
    features += ["rewrites"] if suite.rewrites else []
    return Read(tuple(questions), frozenset(features), tuple(broken), tuple(_said(suite)), addresses(policy))


def _faults(ticket: Ticket, suite: Suite, policy: Policy) -> Iterator[SourceError]:
    try:
        edition_on(policy, ticket.day, suite.where(ticket))
    except SourceError as error:
        yield error
        return
    for note in misplaced(ticket, suite, policy):
        fix = "caveat tickets check says what fits; quote the text that is in force on that day"
        yield SourceError(note.message, where=note.where, fix=fix)


def _asked(ticket: Ticket, suite: Suite, edition: Edition) -> Iterator[Question]:
    gold = placed(ticket.gold, edition)
    groups = slices(gold, edition)
    yield _question(ticket, gold, ticket.id, ticket.message, suite.where(ticket), slices=groups)
    entry = suite.rewrites.get(ticket.id)
    for rewrite in entry.rewrites if entry else ():
        yield _question(
            ticket,
            gold,
            f"{ticket.id}/{rewrite.style}",
            rewrite.text,
            suite.where_rewritten(ticket),
            asked="ambiguous rewrite" if rewrite.ambiguous else "rewrite",
            slices=groups | {"style": rewrite.style.value},
        )


def _question(ticket: Ticket, gold: tuple[Gold, ...], name: str, query: str, where: str, **more: Any) -> Question:
    return Question(
        name,
        query,
        gold,
        ticket.family,
        ticket.as_of.isoformat(),
        ticket.kind.value,
        ticket=ticket.id,
        split=ticket.split,
        where=where,
        **more,
    )


def _said(suite: Suite) -> Iterator[tuple[str | None, str]]:
    """Side and text of everything that is asked and expected, as the files say it."""
    for ticket in suite.tickets:
        yield ticket.split, ticket.model_dump_json(exclude={"split", "notes", "answer"})
        if ticket.id in suite.rewrites:
            yield ticket.split, suite.rewrites[ticket.id].model_dump_json()
