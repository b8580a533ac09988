"""How a pin went: where each quote came back, what came, and which stage lost what did not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from .form import Anchor, Pin
from .quotes import Came, first_rank, one_line

NOT_RETURNED: Final = "not returned"
"""What is told of a retriever whose stages are not known."""
SHOWN: Final = 5
_WIDTH: Final = 11


@dataclass(frozen=True, slots=True)
class AnchorOutcome:
    """How one quote went."""

    quote: str
    sections: tuple[str, ...]
    rank: int | None
    """Of the first passage that brings it; linked ones stand behind the passages."""
    linked: bool = False
    lost: str | None = None
    """The stage that lost it; None where it came back."""
    ranks: Mapping[str, int | None] = field(default_factory=dict)
    """By stage: where its section stood; empty where stages are not known."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one pin went."""

    pin: str
    anchors: tuple[AnchorOutcome, ...]
    came: tuple[str, ...]
    """What came back, best first; linked ones marked."""
    milliseconds: float | None = None

    @property
    def passed(self) -> bool:
        """Whether every quote came back."""
        return all(one.lost is None for one in self.anchors)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {**asdict(self), "passed": self.passed}


def outcome_of(values: Mapping[str, Any]) -> Outcome:
    """The outcome that `to_dict` told."""
    anchors = tuple(
        AnchorOutcome(
            one["quote"], tuple(one["sections"]), one["rank"], one["linked"], one["lost"], dict(one.get("ranks") or {})
        )
        for one in values["anchors"]
    )
    return Outcome(values["pin"], anchors, tuple(values["came"]), values.get("milliseconds"))


def judged(
    pin: Pin,
    passages: Sequence[Came],
    linked: Sequence[Came] = (),
    lost: Callable[[Anchor], str] = lambda anchor: NOT_RETURNED,
    ranks: Callable[[Anchor], Mapping[str, int | None]] = lambda anchor: {},
    milliseconds: float | None = None,
) -> Outcome:
    """An answer held against a pin; `lost` and `ranks` tell of the stages, where they are known."""
    every = (*passages, *linked)
    anchors = []
    for anchor in pin.anchors:
        rank = first_rank(anchor, every)
        behind = rank is not None and rank > len(passages)
        stage = lost(anchor) if rank is None else None
        anchors.append(AnchorOutcome(anchor.quote, anchor.sections, rank, behind, stage, ranks(anchor)))
    came = [one.name for one in passages] + [f"{one.name} (linked)" for one in linked]
    return Outcome(pin.id, tuple(anchors), tuple(came), milliseconds)


def told(pin: Pin, outcome: Outcome) -> str:
    """A failed pin in words: the query, each expected quote and the stage that lost it, and what came back instead."""
    return "\n".join(_lines(pin, outcome))


def _lines(pin: Pin, outcome: Outcome) -> Iterator[str]:
    yield one_line(f"{pin.id}: {pin.title}")
    yield _line("query", pin.query)
    yield _line("as of", pin.as_of)
    for one in outcome.anchors:
        yield _line("expected", f'"{one.quote}" of {" or ".join(one.sections)}')
        yield _line("", f"came back: {placed(one)}" if one.lost is None else f"lost: {one.lost}{stood(one.ranks)}")
    for number, name in enumerate(outcome.came[:SHOWN], 1):
        yield _line("came back" if number == 1 else "", f"{number} {name}")
    if not outcome.came:
        yield _line("came back", "nothing")
    if len(outcome.came) > SHOWN:
        yield _line("", f"and {len(outcome.came) - SHOWN} more")


def placed(one: AnchorOutcome) -> str:
    """Where a quote came back."""
    return f"rank {one.rank}{', linked' if one.linked else ''}"


def stood(ranks: Mapping[str, int | None]) -> str:
    """Where its section stood in every list, in brackets; nothing where that is not known."""
    words = ", ".join(f"{name} {rank or '-'}" for name, rank in ranks.items())
    return f" ({words})" if words else ""


def _line(name: str, text: str) -> str:
    return f"  {name:<{_WIDTH}}{one_line(text)}"
