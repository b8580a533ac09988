"""`python -m eval.bench_reading`: time and memory of reading a PDF of 400 pages and a Word file of 870.

Both are made of the demo handbook (data/source/build_large.py) and read by processes of their own, as `caveat read`
and `caveat index` read them.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from eval.bench import Line
from eval.process import Runner

PDF_PAGES: Final = 400
DOCX_PAGES: Final = 870
"""As a PDF of the same text would have."""
_DATA: Final = Path(__file__).parent.parent / "data"
_CAVEAT: Final = (sys.executable, "-m", "eval.cli")
_MB: Final = 1_000_000
_SETTINGS: Final = '[encoder]\nmodel = "hash-384"\n'


@dataclass(frozen=True, slots=True)
class Large:
    """One large file and its target."""

    name: str
    pages: int
    seconds: float
    """To be read in."""


FILES: Final = (Large("large.pdf", PDF_PAGES, 60.0), Large("large.docx", DOCX_PAGES, 30.0))


def write_files(folder: Path) -> None:
    """Write the large files to `folder`."""
    folder.mkdir(parents=True)
    script = _DATA / "source" / "build_large.py"
    pages = (str(PDF_PAGES), str(DOCX_PAGES))
    Runner(folder)((sys.executable, str(script), str(_DATA / "handbook"), str(folder), *pages))


def reading_lines(folder: Path, large: Large) -> Iterator[Line]:
    """What `caveat read` takes for one file."""
    # 1: a line was lost, which has a row of its own.
    done = Runner(folder, allowed=(0, 1))((*_CAVEAT, "read", large.name, "--json"))
    found = json.loads(done.output)
    at = f"{large.name}, {large.pages} pages:"
    cause = f"{done.processor_seconds:.0f} s of processor time, the rest waited for other programs"
    yield Line(f"{at} caveat read, whole process", done.seconds, "s", large.seconds, cause=cause)
    yield Line(f"{at} pages a second", large.pages / done.seconds, "", large.pages / large.seconds, at_least=True)
    yield Line(f"{at} peak memory", done.peak_bytes / _MB, "MB", 1500)
    yield Line(f"{at} lost lines", len(found["loss"]["lines"]), "", 0)


def index_lines(root: Path) -> Iterator[Line]:
    """What the reading stage of `caveat index` takes for all files, and again where nothing changed."""
    (root / "caveat.toml").write_text(_SETTINGS, encoding="utf-8")
    index = (*_CAVEAT, "index", "handbook", "--json")
    first, second = Runner(root)(index), Runner(root)(index)
    read = [_read_seconds(done.output) for done in (first, second)]
    yield Line("caveat index of both, reading stage", read[0], "s", sum(large.seconds for large in FILES))
    yield Line("caveat index of both, peak memory", first.peak_bytes / _MB, "MB", 1500)
    yield Line("the same again, reading stage: nothing is read twice", read[1], "s", 1.0)


def _read_seconds(output: str) -> float:
    report: dict[str, Any] = json.loads(output)
    return float(report["seconds"]["read"])


def main() -> int:
    """Print the table; exit status 0 whatever it says, since a busy machine misses targets too."""
    with tempfile.TemporaryDirectory(prefix="caveat-bench-") as name:
        root = Path(name)
        write_files(root / "handbook")
        rows = [line for large in FILES for line in reading_lines(root / "handbook", large)]
        rows += index_lines(root)
    print("\n".join(line.shown() for line in rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
