"""One night from end to end: index what changed, ask, judge, compare, and write down what was found.

A night whose index run was stopped by a guard, or in which files were refused, is measured all the same on what is
published. A night that cannot be measured at all leaves the history as it was, writes reports that say so, and is an
error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Final

from filelock import FileLock, Timeout

from eval.ladder.readings import readings
from eval.nightly import gates, history
from eval.nightly.causes import DIGEST, Facts, Out, causes, setting_changes
from eval.nightly.changes import handbook_since
from eval.nightly.gold import broken_tickets, out_of_place
from eval.nightly.measuring import Asking, Measured, measure
from eval.nightly.pins import pins_of
from eval.nightly.ragas_figures import Ragas
from eval.nightly.record import Gate, HandbookChange, Night
from eval.nightly.versions import configuration_digest, health_of, settings_of
from eval.pins.folder import FOLDER as PINS
from eval.policy import Policy, read_policy
from eval.progress import Told
from eval.redaction.redactor import Redactor
from eval.retrievers.answer import Contender
from eval.retrievers.kept import AnswerStore, Kept, answers_file
from eval.retrievers.pipeline import Pipelines
from eval.suites.opening import Opened, open_sound
from eval.suites.question import check_lengths
from eval.surroundings import Surroundings
from index.run import IndexRequest, index_run
from index.state import State
from ingest.dates import show_day, show_instant
from ingest.errors import CaveatError, GuardError, StateLocked
from ingest.handbook.editions import Refusal

TUNE: Final = "tune"
WHOLE: Final = "all"
"""The side of a suite that was never dealt."""


@dataclass(frozen=True, slots=True)
class NightRequest:
    """What a night is about."""

    around: Surroundings
    handbook: Path
    suite: Path
    index: bool = True
    progress: Told | None = None
    wrap: Callable[[Contender], Contender] = lambda contender: contender
    """Stands between the night and the search; a test makes it slow here."""


@dataclass(frozen=True, slots=True)
class Done:
    """A night, and what it was held against."""

    night: Night
    before: tuple[Night, ...]
    """All nights in the history, oldest first."""
    baseline: Night | None
    error: CaveatError | None = None
    """Why nothing could be measured; such a night is not in the history."""


def run_night(request: NightRequest) -> Done:
    """Measure one night and append it to the history.

    Raises:
        StateLocked: another night is being measured, in this state folder or into this history.
    """
    paths, found = Paths.of(request.around), _Night(request)
    with _alone(request.around.state / "nightly.lock", paths.history.with_name(f".{paths.history.name}.lock")):
        try:
            found.remember(paths)
            night = history.append_night(paths.history, found.measured())
        except CaveatError as error:
            return Done(found.failed(error), found.nights, found.baseline, error)
    return Done(night, found.nights, found.baseline)


@dataclass(frozen=True, slots=True)
class Paths:
    """Where nights are kept; relative to caveat.toml's folder."""

    history: Path
    baseline: Path
    readings: Path
    reports: Path
    pins: Path

    @classmethod
    def of(cls, around: Surroundings) -> Paths:
        """As configured."""
        named = around.config.eval
        paths = (named.history, named.baseline, named.readings, named.reports, PINS)
        return cls(*map(around.path, paths))


def suite_name(around: Surroundings, suite: Path) -> str:
    """What a suite is called in the history: its path from caveat.toml's folder, where it lies within."""
    inner, folder = suite.resolve(), around.place.folder.resolve()
    return inner.relative_to(folder).as_posix() if inner.is_relative_to(folder) else suite.as_posix()


@contextmanager
def _alone(*files: Path) -> Iterator[None]:
    with ExitStack() as held:
        for file in files:
            file.parent.mkdir(parents=True, exist_ok=True)
            try:
                held.enter_context(FileLock(file).acquire(timeout=0))
            except Timeout:
                found = "another night is being measured"
                raise StateLocked(found, where=str(file.parent), fix="wait for it to end") from None
            # The folder of the history is committed whole.
            held.callback(file.unlink, missing_ok=True)
        yield


@dataclass(frozen=True, slots=True)
class _Indexed:
    refused: tuple[Refusal, ...] = ()
    stopped: str | None = None


class _Night:
    """A night while it is measured."""

    def __init__(self, request: NightRequest):
        self.request, self.around = request, request.around
        self.name, self.start = suite_name(request.around, request.suite), perf_counter()
        self.nights: tuple[Night, ...] = ()
        self.baseline: Night | None = None
        self.read = 0
        self.redactor = Redactor(self.around.config.redact)
        self.notes: dict[str, str] = {}

    def remember(self, paths: Paths) -> None:
        """Read what tonight is held against.

        Raises:
            StateDamaged: the history or the baseline cannot be read.
            SourceError: the log of holdout readings cannot be read.
        """
        self.nights = history.read_nights(paths.history)
        self.baseline = history.read_baseline(paths.baseline)
        self.read = len(readings(paths.readings))

    def measured(self) -> Night:
        """Index, ask, judge, compare."""
        indexed = self._index()
        around, progress = self.around, self.request.progress
        told = (lambda done, total: progress("read", done, total)) if progress else None
        policy = read_policy(
            self.request.handbook, around.config.ingest, around.now, told, state=around.state, lenient=True
        )
        opened, split = opened_side(self.request.suite, policy)
        check_lengths(opened.questions.questions, around.config.retrieve.max_query_chars)
        answered = self._ask(opened, None if indexed.refused else policy)
        broken = tuple(broken_tickets(opened.broken, self.request.suite, self.redactor))
        asked = replace(answered, tickets=(*answered.tickets, *broken))
        out = out_of_place(opened.broken, self.request.suite, policy, indexed.refused)
        return self._night(asked, split, opened.questions.digest, indexed, out)

    def _index(self) -> _Indexed:
        if not self.request.index:
            return _Indexed()
        around = self.around
        request = IndexRequest(
            self.request.handbook, around.state, around.now, around.config.indexing, progress=self.request.progress
        )
        try:
            return _Indexed(index_run(request).refusals)
        except GuardError as error:
            if State(around.state).current() is None:
                raise
            return _Indexed(stopped=str(error))

    def _ask(self, opened: Opened, policy: Policy | None) -> Measured:
        around = self.around
        today = show_day(around.today) or ""
        with (
            Pipelines(around.state, encoder=around.wanted_encoder, clock=lambda: around.now) as pipelines,
            AnswerStore(answers_file(around.state)) as store,
        ):
            pipeline = self.request.wrap(pipelines.under(around.config.retrieve))
            kept = Kept(pipeline, store, today)
            fresh, ragas = lambda: frozenset(kept.fresh), Ragas(around, policy)
            asking = Asking(kept, policy, self.redactor, fresh, self.request.progress, ragas.figures)
            measured = measure(opened.questions, asking)
            self.notes = ragas.notes
            return measured

    def _night(self, asked: Measured, split: str, digest: str, indexed: _Indexed, out: Mapping[str, Out]) -> Night:
        earlier = history.like(self.nights, self.name, split)
        last = earlier[-1] if earlier else None
        settings, handbook = settings_of(self.around), handbook_since(self.around, last)
        configured = setting_changes(settings, last.settings) if last else []
        refused = [_refused(refusal) for refusal in indexed.refused]
        pins = pins_of(Paths.of(self.around).pins, self.around, self.nights)
        evidence = gates.Evidence(
            asked.figures,
            asked.tickets,
            self._comparable(split),
            [one.address for one in refused],
            indexed.stopped,
            pins,
            asked.p95,
            "files were refused, so that what is in force is not known" if refused else None,
        )
        facts = Facts(
            earlier, asked.tickets, out, handbook, configured, digest, indexed.refused, indexed.stopped, asked.p95
        )
        return self._blank(split).model_copy(
            update={
                "suite_digest": digest,
                "generation": State(self.around.state).must_be_published(),
                "configuration": configuration_digest(settings),
                "settings": settings,
                "figures": list(asked.figures),
                "tickets": list(asked.tickets),
                "gates": gates.gates_of(self.around.config.gates, evidence),
                "causes": causes(facts),
                "handbook": [*refused, *handbook.changes],
                "configured": configured,
                "slowest": list(asked.slowest),
                "pins": pins,
                "health": {**health_of(self.around, len(refused)), **self.notes, DIGEST: handbook.digest},
                "p95": asked.p95,
                "seconds": round(perf_counter() - self.start, 1),
            }
        )

    def _comparable(self, split: str) -> Night | None:
        fits = self.baseline and (self.baseline.suite, self.baseline.split) == (self.name, split)
        return self.baseline if fits else None

    def _blank(self, split: str) -> Night:
        """A night of which nothing is known yet."""
        return Night(
            run=history.next_run(self.nights),
            at=show_instant(self.around.now) or "",
            today=show_day(self.around.today) or "",
            suite=self.name,
            suite_digest="",
            split=split,
            generation=0,
            configuration="",
            settings={},
            figures=[],
            tickets=[],
            gates=[],
            causes=[],
            holdout_readings=self.read,
        )

    def failed(self, error: CaveatError) -> Night:
        """What is told of a night that could not be measured."""
        # A fault of the suite may quote a question.
        why = self.redactor.text(str(error))
        gate = Gate(name="run", status="failed", found=why, wanted="a night that can be measured")
        update = {"gates": [gate], "causes": [f"Nothing could be measured: {why}."]}
        return self._blank(self._last_split()).model_copy(update=update)

    def _last_split(self) -> str:
        return next((night.split for night in reversed(self.nights) if night.suite == self.name), TUNE)


def opened_side(suite: Path, policy: Policy) -> tuple[Opened, str]:
    """The tune side of a suite; all of one that was never dealt.

    Raises:
        SourceError, DateError: as `open_sound`.
    """
    everything = open_sound(suite, policy)
    sides = {one.split for one in everything.questions.questions} | {one.split for one in everything.broken}
    return (everything, WHOLE) if sides <= {None} else (open_sound(suite, policy, TUNE), TUNE)


def _refused(refusal: Refusal) -> HandbookChange:
    return HandbookChange(address=refusal.relative, change="refused", detail=str(refusal.error))
