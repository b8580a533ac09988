"""One night as it is kept in the history: a line of JSON, read strictly, enough to say what changed and why."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

SCHEMA: Final = 1


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Figure(_Entry):
    """One measure over one slice."""

    measure: str
    """As its name reads back: "Recall@5"."""
    slice: str = "all"
    """What it is over: "all", "kind: exception", "chapter: 4 Seats", "rewrites", ..."""
    mean: float | None
    """None: not measured; never 0 in its place."""
    low: float | None = None
    high: float | None = None
    n: int = 0


class TicketNight(_Entry):
    """How one question went."""

    id: str
    query: str
    """Redacted."""
    asked: str
    kind: str
    family: str
    as_of: str | None
    slices: dict[str, str] = {}
    scores: dict[str, float] = {}
    """By measure."""
    expected: list[str] = []
    """Quotes, or ids of sections."""
    came: list[str] = []
    """Addresses of what came back, best first; linked ones marked "via ..."."""
    ranks: list[int | None] = []
    """Of each gold section."""
    lost: dict[str, str] = {}
    """Gold section that did not come back within k: the stage that lost it."""
    confidence: float | None = None
    milliseconds: float | None = None
    broken: str | None = None
    """What is wrong with its gold ("the quote stands in 9.3 now"); such a ticket is not scored, and fails a gate."""


class HandbookChange(_Entry):
    """A section that is not what it was the night before."""

    address: str
    change: Literal["added", "removed", "changed", "moved", "renumbered", "came into force", "ended", "refused"]
    detail: str = ""


class SettingChange(_Entry):
    """A setting, a model or a library that is not what it was."""

    name: str
    before: str | None
    after: str | None


class Gate(_Entry):
    """One thing that must hold."""

    name: str
    status: Literal["passed", "failed", "not measured"]
    found: str
    wanted: str


class Slow(_Entry):
    """One of the slowest queries."""

    id: str
    query: str
    milliseconds: float
    stages: dict[str, float] = {}


class Pinned(_Entry):
    """How one pin went."""

    id: str
    title: str
    status: Literal["passed", "failed", "open"]
    detail: str = ""


class Night(_Entry):
    """All of one night."""

    schema_version: int = Field(SCHEMA, alias="schema")
    run: int
    """From 1, one more than the last in the history."""
    at: str
    """ISO instant, UTC."""
    today: str
    """The day it was in the handbook's time zone."""
    suite: str
    suite_digest: str
    split: str
    generation: int
    configuration: str
    """Digest of all settings and versions that answers depend on."""
    settings: dict[str, str]
    """The same, one by one: "retrieve.k": "5", "library onnxruntime": "1.23"."""
    figures: list[Figure]
    tickets: list[TicketNight]
    gates: list[Gate]
    causes: list[str]
    """What probably explains tonight's difference, in sentences, the likeliest first."""
    handbook: list[HandbookChange] = []
    configured: list[SettingChange] = []
    slowest: list[Slow] = []
    pins: list[Pinned] = []
    health: dict[str, str] = {}
    """Of the index: sections in force, chunks, refused files, doctor's findings, room on disk."""
    p95: float | None = None
    """Milliseconds of a search; None where every answer came from the cache."""
    holdout_readings: int = 0
    """How often the holdout side was read so far, by anybody."""
    seconds: float = 0.0

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, populate_by_name=True)

    @property
    def failed(self) -> bool:
        """Whether a gate failed; one that could not be measured is not passed either."""
        return any(gate.status == "failed" for gate in self.gates)

    def figure(self, measure: str, over: str = "all") -> Figure | None:
        """A figure by measure and slice."""
        return next((one for one in self.figures if (one.measure, one.slice) == (measure, over)), None)
