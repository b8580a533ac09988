"""An index run from end to end, under the writer lock: read, plan, record, build, publish.

What is recorded is recorded in one transaction, what is published is published by one rename; whatever ends
a run between any two steps, the published generation answers and the next run finishes the work.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from time import perf_counter

from index.collecting import no_cycle_search
from index.encoding.encoder import prepare_encoder
from index.faults import reach
from index.generation.builder import Builder, Built, collect, recover
from index.generation.manifest import CATALOG, Manifest
from index.generation.tokens import keep_tokens
from index.history.assembly import Moment
from index.history.catalog import Catalog
from index.history.change import Change
from index.history.changes import SectionChange, counted
from index.history.parsed import ParseCache, load
from index.history.plan import LostText, Plan, make_plan
from index.history.records import Content
from index.history.rollback import rollback
from index.settings import Settings
from index.state import State, numbers_in, unwritable
from ingest.dates import Day, Instant, today
from ingest.document import Note
from ingest.errors import StateDamaged, StateError
from ingest.handbook.editions import Refusal, scan

Progress = Callable[[str, int, int], None]
"""Called with (stage, done, in all); stages are "read" (files) and "encode" (chunks)."""


@dataclass(frozen=True, slots=True)
class IndexRequest:
    """One index run: what is read, into which state folder, and what is allowed."""

    root: Path
    state: Path
    now: Instant
    settings: Settings = field(default_factory=Settings)
    effective_from: Day | None = None
    allow_removals: bool = False
    correct: bool = False
    strict: bool = False
    full: bool = False
    """Build from nothing and encode everything again."""
    moved: bool = False
    progress: Progress | None = None


@dataclass(frozen=True, slots=True)
class RollbackRequest:
    """Going back to what was believed after run `seq`."""

    state: Path
    seq: int
    now: Instant
    settings: Settings = field(default_factory=Settings)
    full: bool = False
    progress: Progress | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """What a run did."""

    seq: int
    """The catalog's sequence that is published now."""
    generation: int
    published: bool
    """Whether this run published a new generation."""
    changes: tuple[SectionChange, ...]
    counts: Mapping[str, int]
    refusals: tuple[Refusal, ...]
    notes: tuple[Note, ...]
    lost: tuple[LostText, ...]
    chunks_total: int
    chunks_new: int
    """Chunks of the versions that this run added to the index."""
    chunks_embedded: int
    """Distinct texts that were encoded."""
    chunks_reused: int
    """New chunks whose vector was known already."""
    full: bool
    seconds: Mapping[str, float]
    """By stage: read, plan, record, prepare (the encoder), encode, build."""

    @property
    def exit_status(self) -> int:
        """1 where a file was refused, else 0."""
        return 1 if self.refusals else 0


class _Stopwatch:
    """Seconds by stage."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        start = perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + perf_counter() - start

    def move(self, source: str, target: str, seconds: float) -> None:
        """Show a part of a stage as a stage of its own."""
        self.seconds |= {source: self.seconds[source] - seconds, target: seconds}


def plan_run(request: IndexRequest) -> Plan:
    """What `index_run` would do. It may write to the parse cache, and to nothing else.

    Raises:
        SourceError: the handbook cannot be read, or an edition contradicts itself.
        StateError: the state folder belongs to another handbook, is locked or damaged.
    """
    state = State(request.state)
    if not state.catalog.exists():
        _check(state, request)
        with tempfile.TemporaryDirectory(prefix="caveat-plan-") as folder:
            return _plan_in(State(Path(folder)), request)
    with _mapped(state), state.locked():
        _check(state, request)
        return _plan_in(state, request)


def _plan_in(state: State, request: IndexRequest) -> Plan:
    with closing(ParseCache(state.parsed)) as cache, Catalog.open(state.catalog) as catalog:
        return _planned(catalog, cache, request, _Stopwatch())


def index_run(request: IndexRequest) -> Report:
    """Bring a state folder up to date with a handbook.

    Raises:
        SourceError: the handbook cannot be read; with `strict`, a file was refused or lost some of its text.
        GuardError: a change wants a flag first.
        StateError: the state folder is of another handbook, locked, damaged, read-only, or the disk is full.
        EncoderError: the encoder cannot be prepared.
        StoreError: the vector store failed.
    """
    state, watch = State(request.state), _Stopwatch()
    with _writing(state):
        _check(state, request)
        with closing(ParseCache(state.parsed)) as cache, Catalog.open(state.catalog) as catalog:
            reach("catalog-open")
            plan = _planned(catalog, cache, request, watch)
            plan.check(allow_removals=request.allow_removals, correct=request.correct, strict=request.strict)
            reach("planned")
            state.belong_to(request.root, moved=request.moved)
            with watch.stage("record"):
                _record(catalog, plan.change)
            built = _publish(state, catalog, request, watch)
            return _report(state, catalog, _Told(plan.changes, plan.refusals, plan.notes, plan.lost), built, watch)


def rollback_run(request: RollbackRequest) -> Report:
    """Believe again what was believed after an earlier run, as a new run and a new generation; nothing is erased.

    Raises:
        StateError: there is no such run, or the state folder is locked or damaged.
        EncoderError: the encoder cannot be prepared.
        StoreError: the vector store failed.
    """
    state, watch = State(request.state), _Stopwatch()
    with _writing(state):
        _require_history(state)
        with Catalog.open(state.catalog) as catalog:
            with watch.stage("record"):
                change, changes = rollback(catalog, request.seq, request.now)
                _record(catalog, change)
            built = _publish(state, catalog, request, watch)
            return _report(state, catalog, _Told(changes), built, watch)


@contextmanager
def _writing(state: State) -> Iterator[None]:
    with _mapped(state), state.locked():
        reach("begin")
        recover(state)
        reach("recovered")
        yield


@contextmanager
def _mapped(state: State) -> Iterator[None]:
    """A full disk or a read-only folder anywhere in a run is the state's fault, in one line."""
    try:
        yield
    except OSError as error:
        raise unwritable(state.folder, error) from error
    except sqlite3.Error as error:
        fix = "free some space and run `caveat index` again; what is published stays in use"
        raise StateError(f"cannot be written ({error})", where=str(state.folder), fix=fix) from error


def _check(state: State, request: IndexRequest) -> None:
    # A folder that is not there is the fault to name, and `scan` names it.
    if request.root.exists():
        state.check_owner(request.root, moved=request.moved)
    if numbers_in(state.generations):
        _require_history(state)


def _require_history(state: State) -> None:
    if state.catalog.exists():
        return
    copies = [state.generation(number) / CATALOG for number in reversed(numbers_in(state.generations))]
    copy = next((path for path in copies if path.exists()), None)
    fix = f"copy {copy} there, or restore a backup" if copy else "run `caveat index HANDBOOK`"
    raise StateDamaged("the history is gone", where=str(state.catalog), fix=fix)


def _planned(catalog: Catalog, cache: ParseCache, request: IndexRequest, watch: _Stopwatch) -> Plan:
    settings, told = request.settings, request.progress
    with watch.stage("read"):
        zone, largest = settings.ingest.timezone, settings.ingest.max_file_bytes
        handbook = scan(request.root, timezone=zone, now=request.now, max_file_bytes=largest)
        progress = partial(told, "read") if told else None
        override = request.effective_from
        loaded = load(handbook, cache, settings=settings.ingest, override=override, progress=progress)
    with watch.stage("plan"), no_cycle_search():
        moment = Moment(request.now, today(request.now, zone))
        plan = make_plan(catalog, loaded, moment, settings.index, request.effective_from)
    return replace(plan, notes=(*handbook.notes, *plan.notes))


def _record(catalog: Catalog, change: Change) -> None:
    if change.is_empty:
        return

    def contents(digests: Collection[str]) -> Iterable[Content]:
        yield from change.contents(digests)
        # Texts are asked for inside the transaction: whatever ends the run here leaves no trace.
        reach("catalog-written")

    catalog.apply(replace(change, contents=contents))
    reach("catalog-committed")


def _publish(
    state: State, catalog: Catalog, request: IndexRequest | RollbackRequest, watch: _Stopwatch
) -> Built | None:
    with watch.stage("prepare"):
        encoder = prepare_encoder(request.settings.encoder, state.encoder(request.settings.encoder))
        reach("encoder-ready")
    progress = partial(request.progress, "encode") if request.progress else None
    builder = Builder(state, catalog, encoder, request.settings, progress)
    built = None
    with watch.stage("build"):
        if request.full or builder.is_due():
            built = builder.build(full=request.full)
        collect(state, request.settings.index.keep_generations)
    watch.move("build", "encode", built.embedded.seconds if built else 0.0)
    with watch.stage("encode"):
        keep_tokens(state, encoder, request.settings.encoder, progress)
    return built


@dataclass(frozen=True, slots=True)
class _Told:
    """What a report says of the handbook."""

    changes: tuple[SectionChange, ...]
    refusals: tuple[Refusal, ...] = ()
    notes: tuple[Note, ...] = ()
    lost: tuple[LostText, ...] = ()


def _report(state: State, catalog: Catalog, told: _Told, built: Built | None, watch: _Stopwatch) -> Report:
    manifest = built.manifest if built else Manifest.load(state.generation(state.must_be_published()))
    return Report(
        seq=catalog.sequence,
        generation=manifest.generation,
        published=built is not None,
        changes=told.changes,
        counts=counted(told.changes),
        refusals=told.refusals,
        notes=told.notes,
        lost=told.lost,
        chunks_total=manifest.points,
        chunks_new=built.chunks_new if built else 0,
        chunks_embedded=built.embedded.encoded if built else 0,
        chunks_reused=built.embedded.reused if built else 0,
        full=built.full if built else False,
        seconds=watch.seconds,
    )
