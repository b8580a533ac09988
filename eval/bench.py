"""`make bench`: the table of speed and memory, each figure with its target, from one run on this machine.

A made handbook (eval/corpus.py) of 3,000 children is indexed with the real encoder and searched with each
reranker that comes along, one of 50,000 with the hash encoder and without any, so that the second measures
everything but the models.
Every command runs as a process of its own.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from eval import corpus
from eval.process import Finished, Runner

_CAVEAT: Final = (sys.executable, "-m", "eval.cli")
_PROBE: Final = (sys.executable, "-m", "eval.bench_probe")
_MB: Final = 1_000_000
_BUSY: Final = "two threads of a model each want a core: other work on the machine doubles it"
_SLOW: Final = "8-bit products take twice as long on a processor without instructions for them (VNNI, AMX)"
_WARM: Final = "most of it reads documents that no question has touched yet; varies with the load of the machine"
_EDIT: Final = "two thirds are reading, planning, copying the generation and proving it, which grow with it"


@dataclass(frozen=True, slots=True)
class Line:
    """One row of the table."""

    what: str
    measured: float
    unit: str
    limit: float
    at_least: bool = False
    cause: str = ""
    """Where the time goes, said where the target is missed."""

    @property
    def met(self) -> bool:
        """Whether the target is met."""
        return self.measured >= self.limit if self.at_least else self.measured <= self.limit

    def shown(self) -> str:
        """The row as text."""
        sign, verdict = (">=" if self.at_least else "<="), ("met" if self.met else f"MISSED: {self.cause}".rstrip(": "))
        return f"{self.what:<80}{self.measured:>10.2f} {self.unit:<4} {sign} {self.limit:>7.2f}  {verdict}"


@dataclass(frozen=True, slots=True)
class Reranker:
    """One reranker that comes along."""

    setting: str
    name: str
    stage: str
    """Its own, among the milliseconds of a search."""
    own: str
    """What the stage is called."""
    cause: str
    own_limit: float | None = None
    """Milliseconds of its own stage; None: those of the whole reranking."""


_RERANKERS: Final = (
    Reranker("late", "late interaction", "late", "late interaction", _BUSY, 15),
    Reranker("bundled", "the bundled cross-encoder", "cross", "the model's own time", _SLOW),
)


@dataclass(frozen=True, slots=True)
class Scale:
    """One size at which everything is measured."""

    children: int
    model: str
    warm_limit_ms: float

    @property
    def settings(self) -> str:
        """The content of caveat.toml."""
        return f'[encoder]\nmodel = "{self.model}"\n' + ("" if self.has_models else '[retrieve]\nreranker = "none"\n')

    @property
    def has_models(self) -> bool:
        """Whether it is about the real encoder and the rerankers too."""
        return not self.model.startswith("hash-")

    @property
    def label(self) -> str:
        """Such as "3,000 children, all-MiniLM-L6-v2"."""
        return f"{self.children:,} children, {self.model}"


SMALL: Final = Scale(3_000, "all-MiniLM-L6-v2", 10.0)
LARGE: Final = Scale(50_000, "hash-384", 40.0)


@dataclass(frozen=True, slots=True)
class Measured:
    """Everything measured at one scale."""

    scale: Scale
    full: Finished
    report: Mapping[str, Any]
    """What the full index run reported."""
    edit: Finished
    edited: Mapping[str, Any]
    """What the run after one edited sentence reported."""
    search: Finished
    """Of several cold searches, the one with the median time."""
    probe: Mapping[str, Any]
    """What eval/bench_probe.py measured in one warm process."""
    probe_peak: int
    encoder_share: float
    """Seconds of the encoder alone against the whole embedding step."""
    reranking: tuple[tuple[Reranker, Finished], ...]
    """What eval/bench_probe.py measured with each reranker; empty without models."""
    token_bytes: int
    """Size of the token vectors that are kept."""


def measure(scale: Scale, folder: Path) -> Measured:
    """Write, index, edit, index again and search a handbook of one size below `folder`."""
    root, state = folder / "handbook", folder / "state"
    corpus.write_handbook(root, scale.children)
    (folder / "caveat.toml").write_text(scale.settings, encoding="utf-8")
    run = Runner(folder)
    index = (*_CAVEAT, "index", str(root), "--state", str(state), "--json")
    # The export of the encoder is a cost of the first run on a machine, not of an index run: it is made before.
    run((*_PROBE, "prepare", str(state), scale.model))
    full = run(index)
    corpus.edit_one_sentence(root)
    edit = run(index)
    search = (*_CAVEAT, "search", corpus.questions(1, 6)[0], "--state", str(state), "--json")
    searches = sorted((run(search) for _ in range(5)), key=lambda finished: finished.seconds)
    probe = run((*_PROBE, "warm", str(state)))
    share = json.loads(run((*_PROBE, "share", str(state))).output)
    report, edited, warm = (json.loads(done.output) for done in (full, edit, probe))
    rerankers = _RERANKERS if scale.has_models else ()
    again = tuple((one, run((*_PROBE, "rerank", str(state), one.setting))) for one in rerankers)
    kept = sum(path.stat().st_size for path in (state / "cache" / "token_vectors").glob("*"))
    return Measured(scale, full, report, edit, edited, searches[2], warm, probe.peak_bytes, share, again, kept)


def lines_of(found: Measured) -> Iterator[Line]:
    """The rows that both sizes have."""
    at = f"[{found.scale.children:,}]"
    limit = found.scale.warm_limit_ms
    for kind in ("short question", "40-word ticket"):
        yield Line(
            f"{at} warm retrieval without the encoder, {kind}, p50", found.probe[kind]["p50"], "ms", limit, cause=_WARM
        )
    yield Line(f"{at} cold search, median of 5", found.search.seconds, "s", 3.0)
    yield Line(f"{at} search peak memory", max(found.probe_peak, found.search.peak_bytes) / _MB, "MB", 500)
    yield Line(f"{at} index peak memory", found.full.peak_bytes / _MB, "MB", 1500)
    changed = found.edited["chunks"]
    yield Line(f"{at} children embedded after one edited sentence (1 changed)", changed["embedded"], "", 1)


def small_lines(found: Measured) -> Iterator[Line]:
    """The rows that want the real encoder and the rerankers."""
    for reranker, done in found.reranking:
        yield from _reranking(reranker, done, found.probe_peak)
    texts = found.report["chunks"]["embedded"]
    yield Line("[3,000] token vectors, for 3,000 distinct children", 3000 * found.token_bytes / texts / _MB, "MB", 80)
    share = 100 * found.encoder_share
    yield Line("[3,000] encoding stage against the encoder alone, turn by turn", share, "%", 90, True)
    yield Line(
        "[3,000] one edited section, share of a full index", 100 * found.edit.seconds / found.full.seconds, "%", 5
    )


def _reranking(reranker: Reranker, done: Finished, peak_without: int) -> Iterator[Line]:
    """Times of one reranker, of its own stage within them, and its memory."""
    name, stage, cause = reranker.name, reranker.stage, reranker.cause
    for (kind, spent), limit in zip(json.loads(done.output).items(), (300, 450), strict=True):
        own = reranker.own_limit or limit
        yield Line(f"[3,000] reranking 20 sections by {name}, {kind}, p50", spent["rerank"], "ms", limit, cause=cause)
        yield Line(f"[3,000] of it {reranker.own}, {kind}, p50", spent[stage], "ms", own, cause=cause)
    more = (done.peak_bytes - peak_without) / _MB
    yield Line(f"[3,000] more memory of a search with {name}", more, "MB", 250)


def large_lines(large: Measured, small: Measured) -> Iterator[Line]:
    """The rows that compare the sizes."""
    yield Line("[50,000] one edited section, whole process", large.edit.seconds, "s", 3.0, cause=_EDIT)
    yield Line(
        "[50,000] one edited section, against the same at 3,000",
        large.edit.seconds / small.edit.seconds,
        "x",
        2,
        cause=_EDIT,
    )


def help_line(folder: Path) -> Line:
    """How long `caveat --help` takes in a fresh process."""
    seconds = [Runner(folder)((*_CAVEAT, "--help")).seconds for _ in range(7)]
    return Line("cold caveat --help, median of 7", statistics.median(seconds), "s", 0.5)


def detail(found: Measured) -> str:
    """Where the time of one size went."""
    chunks = found.report["chunks"]["total"]
    full = ", ".join(f"{stage} {spent:.2f}" for stage, spent in found.report["seconds"].items())
    edit = ", ".join(f"{stage} {spent:.2f}" for stage, spent in found.edited["seconds"].items())
    warm = "; ".join(_warm(kind, found.probe[kind]) for kind in ("short question", "40-word ticket"))
    return "\n".join(
        [
            f"{found.scale.label}: {chunks:,} chunks",
            f"  full index  {found.full.seconds:.2f} s whole process; seconds by stage: {full}",
            f"  one edit    {found.edit.seconds:.2f} s whole process; seconds by stage: {edit}",
            f"  warm        milliseconds, {found.probe['queries']} queries each; {warm}",
        ]
    )


def _warm(kind: str, spent: Mapping[str, float]) -> str:
    return f"{kind}: p50 {spent['p50']:.2f}, p95 {spent['p95']:.2f}, encoder {spent['encode']:.2f}"


def main(arguments: list[str] | None = None) -> int:
    """Print the table; exit status 0 whatever it says, since a busy machine misses targets too."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--small", action="store_true", help="only the 3,000 children")
    only_small = parser.parse_args(arguments).small
    with tempfile.TemporaryDirectory(prefix="caveat-bench-") as name:
        folder = Path(name)
        rows = [help_line(folder)]
        found = []
        for scale in (SMALL,) if only_small else (SMALL, LARGE):
            place = folder / str(scale.children)
            place.mkdir()
            print(f"measuring {scale.label} ...", file=sys.stderr)
            found.append(measure(scale, place))
            rows += lines_of(found[-1])
        rows += small_lines(found[0])
        rows += [] if only_small else large_lines(found[1], found[0])
    print("\n".join(line.shown() for line in rows))
    print("\n" + "\n".join(detail(one) for one in found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
