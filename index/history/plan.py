"""What an index run would do, worked out before anything is written.

What the editions say is identified, laid out in time, and set against what the catalog believes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from index.history.assembly import Moment, Prior, assemble
from index.history.believing import Believer, as_timeline, belief_of
from index.history.catalog import Catalog
from index.history.change import Change, Retold, Step
from index.history.changes import Look, SectionChange, Span, counted, describe, differing
from index.history.guards import Removal, correction_test, removals
from index.history.matching import Turn, identify
from index.history.parsed import LoadedDocument, LoadedEdition, contents_from
from index.history.retelling import declared_steps, retold, too_late
from index.history.skeleton import Skeleton, traits_of
from index.history.stating import Texts, statements, with_sections
from index.history.tellings import LIVE, Telling
from index.history.timeline import EditionKey, Timeline, timeline
from index.settings import IndexSettings
from ingest.dates import UNKNOWN_DAY, Day, Instant, show_day, show_instant
from ingest.document import Note
from ingest.errors import ConfigError, GuardError, SourceError, StateError
from ingest.handbook.editions import Refusal
from ingest.loss import Loss

NAMED: Final = 5
"""Files that an error names."""


@dataclass(frozen=True, slots=True)
class LostText:
    """A file with words that no section holds, so that no search finds them."""

    file: str
    loss: Loss

    def __str__(self) -> str:
        """Such as "2026-01-01/seats.pdf: 3 lines, 112 letters and digits; first on page 3: Notice of ..."."""
        first, lines = self.loss.lines[0], len(self.loss.lines)
        size = f"{lines:,} line{'s' if lines > 1 else ''}, {self.loss.total.lost:,} letters and digits"
        place = f"{'on' if first.where.startswith('page') else 'in'} {first.where}"
        return f"{self.file}: {size}; {'the first ' if lines > 1 else ''}{place}: {first.shown}"


@dataclass(frozen=True, slots=True)
class Plan:
    """A change, and what a human should know before it is made."""

    change: Change
    changes: tuple[SectionChange, ...]
    """By first day, then by address."""
    refusals: tuple[Refusal, ...]
    notes: tuple[Note, ...]
    lost: tuple[LostText, ...]
    removals: tuple[Removal, ...]
    """Editions that end more sections than the limit allows without a word; empty at the first run."""
    removal_limit: float
    undated: tuple[str, ...]
    """Documents in force since nobody knows when."""
    turns: Mapping[EditionKey, Turn]
    """What ended and began with each edition: where likely moves are looked for."""

    @property
    def is_empty(self) -> bool:
        """Whether a run would write nothing."""
        return self.change.is_empty

    @property
    def counts(self) -> dict[str, int]:
        """Changes by kind."""
        return counted(self.changes)

    @property
    def corrects_from(self) -> Day | None:
        """The first day of the past that would be told otherwise; None where none would be."""
        return min((c.corrects_from for c in self.changes if c.corrects_from is not None), default=None)

    def check(self, *, allow_removals: bool = False, correct: bool = False, strict: bool = False) -> None:
        """Refuse what was not allowed.

        Raises:
            SourceError: strict, and a file was refused, lost some of its text, or has no date.
            GuardError: sections are removed beyond the limit, or the past is corrected, without a word for it.
        """
        if strict:
            self._check_strictly()
        if self.removals and not allow_removals:
            raise GuardError(
                "; ".join(f"edition {removal.edition} removes {removal}" for removal in self.removals)
                + self._refused(),
                allowed=f"up to {self.removal_limit:.0%} in one edition",
                fix='--allow-removals if that is meant, or base = "..." in edition.toml where the folder is a delta',
            )
        if self.corrects_from is not None and not correct:
            raise GuardError(
                self._correction() + self._refused(), fix="--correct if the past was told wrongly, or undo the edit"
            )

    def _check_strictly(self) -> None:
        if self.refusals:
            first = self.refusals[0]
            more = f" (and {len(self.refusals) - 1} more)" if len(self.refusals) > 1 else ""
            raise SourceError(f"refused under --strict{more}: {first.error}")
        if self.lost:
            more = f"; and {len(self.lost) - NAMED} more files" if len(self.lost) > NAMED else ""
            raise SourceError(
                f"lost text under --strict: {'; '.join(map(str, self.lost[:NAMED]))}{more}",
                fix="`caveat read FILE` lists every lost line",
            )
        if self.undated:
            raise SourceError(
                f"no effective date under --strict in {len(self.undated)} documents, first {self.undated[0]}",
                fix="put effective_from into front matter or a sidecar, or give --effective-from",
            )

    def _refused(self) -> str:
        """Files at fault must not go unnamed because a guard speaks first."""
        return "".join(f"; and refused: {refusal.error}" for refusal in self.refusals[:1]) + (
            f" (and {len(self.refusals) - 1} more)" if len(self.refusals) > 1 else ""
        )

    def _correction(self) -> str:
        past = [change for change in self.changes if change.corrects_from is not None]
        since = show_day(self.corrects_from or UNKNOWN_DAY) or "the beginning"
        corrected = "1 change corrects" if len(past) == 1 else f"{len(past)} changes correct"
        return f"{corrected} the past from {since} on, first {past[0].address} ({past[0].kind})"


def make_plan(
    catalog: Catalog,
    loaded: Sequence[LoadedEdition],
    moment: Moment,
    settings: IndexSettings,
    effective_from: Day | None = None,
) -> Plan:
    """Work out what must be written so that the catalog believes what the editions say. Writes nothing.

    Raises:
        SourceError: an edition contradicts the others.
        ConfigError: `effective_from` is given for dated editions.
        StateError: there is something to write, and the clock stands before the last run.
    """
    _check_override(loaded, effective_from)
    prior = catalog.tellings()
    assembled = assemble(loaded, prior, moment, effective_from)
    skeletons, texts = _skeletons(catalog, loaded, assembled), Texts()
    identities = identify(assembled, skeletons)
    tellings = with_sections(assembled, identities, skeletons, texts)
    believed = _believe(catalog, prior, tellings, moment.now)
    spans = differing(believed.old, believed.new)
    changes = describe(spans, looks(catalog, spans, texts), correction_test(prior, assembled))
    over = removals(prior, tellings, identities.turns, settings.removal_limit)
    change = _change(catalog, believed.steps, retold(prior, tellings), changes, _Sources(loaded, skeletons, texts))
    if not change.is_empty:
        check_clock(catalog, moment.now)
    return Plan(
        change,
        changes,
        tuple(refusal for edition in loaded for refusal in edition.refusals),
        (*_notes(loaded, () if prior else over), *too_late(prior, tellings, catalog.last_instant)),
        tuple(_lost(loaded)),
        over if prior else (),
        settings.removal_limit,
        tuple(sorted({s.doc_id for t in assembled for s in t.said.values() if s.valid_from == UNKNOWN_DAY})),
        identities.turns,
    )


def check_clock(catalog: Catalog, now: Instant) -> None:
    """Raises StateError: `now` is not after the last run, so what is recorded now would contradict the log."""
    last = catalog.last_instant
    if last is not None and now <= last:
        raise StateError(
            f"the clock says {show_instant(now)}, and the last run was recorded at {show_instant(last)}",
            where=str(catalog.path),
            fix="set the clock, or wait",
        )


def _check_override(loaded: Sequence[LoadedEdition], effective_from: Day | None) -> None:
    if effective_from is not None and any(edition.edition.name != LIVE for edition in loaded):
        raise ConfigError(
            "--effective-from with dated edition folders",
            allowed="a folder without dated editions",
            fix="name the edition folder after the day, or put effective_from into the file's front matter",
        )


@dataclass(frozen=True, slots=True)
class _Sources:
    """Where the texts of a change come from."""

    loaded: Sequence[LoadedEdition]
    skeletons: Mapping[str, Skeleton]
    texts: Texts

    @property
    def documents(self) -> list[LoadedDocument]:
        return [document for edition in self.loaded for document in edition.documents]


@dataclass(frozen=True, slots=True)
class _Believed:
    old: Timeline
    new: Timeline
    steps: tuple[Step, ...]


def _skeletons(catalog: Catalog, loaded: Sequence[LoadedEdition], tellings: Sequence[Telling]) -> dict[str, Skeleton]:
    found = {document.skeleton.digest: document.skeleton for edition in loaded for document in edition.documents}
    wanted = {said.skeleton for telling in tellings for said in telling.said.values()}
    return found | catalog.skeletons(wanted - found.keys())


def _believe(catalog: Catalog, prior: Prior, tellings: Sequence[Telling], now: Instant) -> _Believed:
    belief = belief_of(catalog.believed())
    old = as_timeline(belief)
    believer = Believer(belief, catalog.next_row_id)
    steps = [
        believer.step(timeline(statements(said)), instant)
        for instant, said in declared_steps(prior, tellings, catalog.last_instant, now)
    ]
    target = timeline(statements(tellings))
    steps = [step for step in steps if step.opens or step.closes]
    return _Believed(old, target, (*steps, believer.step(target, now)))


def looks(catalog: Catalog, spans: Mapping[str, Sequence[Span]], texts: Texts) -> Callable[[str], Look]:
    """What the version digests in `spans` stand for, from the catalog or from texts that are not in it yet."""
    named = {digest for found in spans.values() for span in found for digest in (span.old, span.new, span.preceding)}
    stored = catalog.versions([digest for digest in named if digest and digest not in texts.traits])
    known = {digest: Look(v.doc_id, v.parent_id, traits_of(v)) for digest, v in stored.items()}

    def look(digest: str) -> Look:
        if digest in known:
            return known[digest]
        key = texts.versions[digest]
        return Look(key.doc_id, key.parent_id, texts.traits[digest])

    return look


def _change(
    catalog: Catalog,
    steps: tuple[Step, ...],
    retold: Retold,
    changes: Sequence[SectionChange],
    sources: _Sources,
) -> Change:
    texts = sources.texts
    digests = {digest for _, said in retold.said for _, digest in said.sections}
    return Change(
        "index",
        catalog.sequence,
        steps,
        retold,
        {digest: texts.versions[digest] for digest in sorted(digests)},
        {said.outline: texts.outlines[said.outline] for _, said in retold.said},
        {said.skeleton: sources.skeletons[said.skeleton] for _, said in retold.said},
        partial(contents_from, sources.documents),
        {"changes": counted(changes)},
    )


def _lost(loaded: Sequence[LoadedEdition]) -> Iterator[LostText]:
    for edition in loaded:
        for document in edition.documents:
            if document.loss.lines:
                yield LostText(edition.edition.where(document.relative), document.loss)


def _notes(loaded: Sequence[LoadedEdition], removed: Sequence[Removal]) -> Iterator[Note]:
    for edition in loaded:
        for document in edition.documents:
            yield from document.notes
    for removal in removed:
        yield Note("many-removed", removal.edition, f"ends {removal} of the edition before")
