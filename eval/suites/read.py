"""What reading a suite gives, whatever its form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from eval.policy import Policy
from eval.suites.question import Feature, Question
from ingest.errors import SourceError

PolicyOrLoader = Policy | Callable[[], Policy] | None
"""A handbook over time, or what reads it: only suites whose gold is quoted need one."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A question whose gold is not in place; it cannot be scored."""

    id: str
    split: str | None
    faults: tuple[SourceError, ...]
    """With file and line."""


@dataclass(frozen=True, slots=True)
class Read:
    """All sides of a suite."""

    questions: tuple[Question, ...]
    features: frozenset[Feature]
    broken: tuple[Broken, ...]
    said: tuple[tuple[str | None, str], ...]
    """Side and text of everything that is asked and expected, broken or not; the suite's digest is theirs."""
    sections: frozenset[str]
    """Ids that a section can have, on whatever day."""


def addresses(policy: Policy) -> frozenset[str]:
    """Of all sections that were ever in force."""
    return frozenset(section.address for day in policy.changes for section in policy.on(day).sections)


def policy_of(given: PolicyOrLoader, where: str) -> Policy:
    """The policy itself.

    Raises:
        SourceError: none was given.
    """
    if given is None:
        raise SourceError("these questions quote a handbook, and none is named", where=where, fix="--handbook DIR")
    return given if isinstance(given, Policy) else given()
