"""Pins over what is indexed: which sections hold a quote on a day, and how a query went stage by stage."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Final, Self

from eval.pins.plain.form import Anchor, Pin
from eval.pins.plain.outcome import Outcome, judged
from eval.pins.plain.quotes import Came, in_words, normal, wordings
from eval.retrievers.losses import NOT_IN_FORCE, stage_of
from ingest.dates import show_day
from ingest.errors import QueryError
from retrieve.asking import Asked, ask
from retrieve.history import around
from retrieve.retriever import Retriever, system_clock
from retrieve.settings import RetrieveSettings
from retrieve.shelf import Shelf

if TYPE_CHECKING:
    from index.settings import EncoderSettings
    from index.snapshot import Placed
    from ingest.dates import Instant
    from retrieve.explain import Explanation
    from retrieve.result import Passage, Result

STAGES: Final = ("dense", "bm25", "fused", "late", "cross", "rerank")
"""Lists in which a section has a rank."""
_FURTHEST: Final = ("beyond-k", "over-budget", "collapsed", "omitted", "beyond-candidates", "not-found", "not-in-force")
"""Of several sections that hold a quote, the one that came closest is told."""
_MOST_NAMED: Final = 5


@dataclass(frozen=True, slots=True)
class Expected:
    """What was typed: quotes, and the section that they are expected of."""

    quotes: tuple[str, ...]
    section: str | None
    day: str | None
    """None: today."""


class PinSearch:
    """The search as configured, asked what pins want to know. Close it, or use `with`."""

    def __init__(
        self,
        state: Path,
        settings: RetrieveSettings,
        *,
        encoder: EncoderSettings | None = None,
        clock: Callable[[], Instant] = system_clock,
    ):
        """Open what was indexed last. Arguments and errors are those of `Retriever.open`."""
        self._shelf, self._clock = Shelf(state, encoder), clock
        self.retriever = Retriever(self._shelf, settings, None, clock)

    def close(self) -> None:
        """Release the files."""
        self.retriever.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self, pin: Pin) -> Outcome:
        """Ask a pin's query and hold the answer against its quotes.

        Raises:
            CaveatError: as `Retriever.retrieve`.
        """
        start = perf_counter()
        result = self.retriever.retrieve(pin.query, as_of=pin.as_of)
        spent = round((perf_counter() - start) * 1000, 3)
        stages = {anchor: self._stages(anchor, result) for anchor in pin.anchors}
        return judged(
            pin,
            [came(one) for one in result.passages],
            [came(one) for one in result.linked],
            lambda anchor: stages[anchor][0],
            lambda anchor: stages[anchor][1],
            spent,
        )

    def _stages(self, anchor: Anchor, result: Result) -> tuple[str, Mapping[str, int | None]]:
        """The stage that lost an anchor, if it is lost, and the ranks of its section in all lists."""
        found = [(one, why) for one in anchor.sections if (why := self._why(result, one))]
        if not found:
            return f"{NOT_IN_FORCE} on {result.as_of}", {}
        section, why = min(found, key=lambda pair: _distance(pair[1]))
        if not self._says(section, anchor.quote, result.as_of):
            return f"the section does not say so on {result.as_of}", ranks_of(why)
        return stage_of(self.retriever, result, section, self.retriever.settings.k), ranks_of(why)

    def _why(self, result: Result, section: str) -> Explanation | None:
        try:
            found = self.retriever.why(result, section)
        except QueryError:
            return None
        return found if found.in_force else None

    def _says(self, section: str, quote: str, day: str) -> bool:
        return quote in normal(self.retriever.section(section, as_of=day).text)

    def anchors(self, expected: Expected) -> tuple[tuple[Anchor, ...], str]:
        """Every quote with the sections that hold it, and the ISO day; each quote has to be in force that day.

        Raises:
            QueryError: no section in force is called that, or holds a quote; or several hold one, and none is named.
        """
        asked = ask(self._shelf, self._clock(), expected.day, None)
        day = show_day(asked.moment.as_of) or ""
        every = [node for doc in asked.library.documents for node in asked.library.tree(doc).nodes]
        if not every:
            spans = [span[1:] for span in asked.snapshot.days(asked.moment.known_at)]
            told = f"; {around(spans, asked.moment.as_of)}" if spans else ""
            raise QueryError(f"nothing is in force on {day}{told}", where="--as-of")
        within = _within(asked, expected.section, day) if expected.section else every
        found = [self._anchor(normal(quote), within, every, expected.section, day) for quote in expected.quotes]
        return tuple(found), day

    def _anchor(self, quote: str, within: list[Placed], every: list[Placed], section: str | None, day: str) -> Anchor:
        if not in_words(quote).strip():
            raise QueryError(f'"{quote}" holds no word', where="--expect", fix="quote the words that must come back")
        holders = [one for one in within if quote in normal(one.version.text)]
        if not holders:
            raise self._nowhere(quote, every, section, day)
        texts = {one.version.text_digest for one in holders}
        if section is None and len(texts) > 1:
            named = _addresses(one.version.address for one in holders)
            raise QueryError(f'"{quote}" stands in {named}', where="--expect", fix="say which with --section")
        held = {one.version.address for one in holders}
        others = "\n".join(
            in_words(one.version.text)
            for one in every
            if one.version.address not in held and one.version.text_digest not in texts
        )
        wide = (wording for one in holders for wording in wordings(quote, one.version.text, others))
        return Anchor(quote, tuple(sorted(held)), tuple(dict.fromkeys(wide)))

    def _nowhere(self, quote: str, every: list[Placed], section: str | None, day: str) -> QueryError:
        others = [one.version.address for one in every if quote in normal(one.version.text)]
        where = f"{section} with its subsections" if section else "any section"
        found = f'"{quote}" is not in {where} as in force on {day}'
        if others:
            return QueryError(f"{found}; it stands in {_addresses(others)}", where="--expect", fix="change --section")
        days = self._other_days(quote, day)
        if days:
            return QueryError(f"{found}; it was or will be on {', '.join(days)}", where="--as-of")
        return QueryError(found, where="--expect", fix="quote the handbook word for word")

    def _other_days(self, quote: str, day: str) -> list[str]:
        """First days of other editions in which a quote is in force."""
        now = self._clock()
        spans = ask(self._shelf, now, day, None).snapshot.days()
        days = sorted({start for _, start, _ in spans if start > 0})
        return [show_day(one) or "" for one in days if self._holds(ask(self._shelf, now, show_day(one), None), quote)]

    def _holds(self, asked: Asked, quote: str) -> bool:
        nodes = (node for doc in asked.library.documents for node in asked.library.tree(doc).nodes)
        return any(quote in normal(node.version.text) for node in nodes)


def _within(asked: Asked, name: str, day: str) -> list[Placed]:
    """The section that a number or an address names, with its subsections."""
    placed = asked.library.view.find(name)
    if len(placed) > 1:
        found = f'several sections are called "{name}" on {day}'
        raise QueryError(found, where="--section", allowed=_addresses(one.version.address for one in placed))
    if not placed:
        raise QueryError(
            f'no section in force on {day} is called "{name}"',
            where="--section",
            allowed='a number, or an address such as "04-seats.md#Seats > Downgrades"',
            fix=f'caveat history "{name}" says when one was',
        )
    version = placed[0].version
    tree = asked.library.tree(version.doc_id)
    start = tree.index[version.section_id]
    return list(tree.nodes[start : tree.end(start)])


def _addresses(names: Iterable[str]) -> str:
    every = sorted(names)
    more = f" and {len(every) - _MOST_NAMED} more" if len(every) > _MOST_NAMED else ""
    return "; ".join(every[:_MOST_NAMED]) + more


def came(passage: Passage) -> Came:
    """A passage in the form that pins judge."""
    covers = frozenset((*(part.address for part in passage.parts), *passage.also_in))
    return Came(passage.address, (passage.text, *passage.inherits), covers)


def ranks_of(why: Explanation) -> dict[str, int | None]:
    """Where a section stood in each list that was made."""
    ranks = {name: getattr(why, f"{name}_rank") for name in STAGES}
    return {name: rank for name, rank in ranks.items() if rank is not None or name in STAGES[:3]}


def _distance(why: Explanation) -> tuple[int, int]:
    """How far a section is from being returned."""
    place = _FURTHEST.index(why.outcome) + 1 if why.outcome in _FURTHEST else 0
    return place, next((rank for rank in (why.rerank_rank, why.fused_rank) if rank is not None), 10**6)


def runs(search: PinSearch, pins: Iterable[Pin]) -> Iterator[tuple[Pin, Outcome]]:
    """Each pin that is not retired, with its outcome."""
    for pin in pins:
        if pin.status != "retired":
            yield pin, search.run(pin)
