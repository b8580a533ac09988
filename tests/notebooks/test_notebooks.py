"""The notebooks run on a small handbook without a model, and lie there as they ran on the demo."""

import json
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.eval import desk
from tests.notebooks.conftest import Execute, read_cells

Write = Callable[[Mapping[str, str]], Path]
NAMES = ("01_why_sections.ipynb", "02_error_analysis.ipynb")

WINDOWS = ("windows, as they fall", "windows, cut apart")
SECTIONS = ("sections, BM25 only", "sections, dense only", "sections, min-max", "sections, RRF", "+ rerank", "+ links")


@pytest.fixture
def two_chapters(folder: Path, demo_handbook: Path) -> Path:
    """The demo's chapters on seats and on refunds in one edition."""
    edition = folder / "handbook" / "2026-01-01"
    edition.mkdir(parents=True)
    for name in ("04-seats.md", "07-refunds-and-credits.md", "edition.toml"):
        shutil.copy(demo_handbook / edition.name / name, edition / name)
    return edition.parent


def test_why_sections(execute: Execute, folder: Path, two_chapters: Path) -> None:
    values = execute(NAMES[0], {"HANDBOOK": two_chapters, "STATE": folder / "state", "MODEL": "hash-384"} | incident())
    assert values["rewrite"] == "seat downgrade credit calculation table"
    assert set(values["fates"]) > {"in two windows"}
    found = values["tables"]["cut apart"]["rewrite"]
    assert not ((found["formula"] == "yes") & (found["condition"] == "yes")).any()
    ladder = values["ladder"]
    assert set(ladder.loc["message"].index) == set(ladder.loc["rewrite"].index) == {*WINDOWS, *SECTIONS}
    assert "lost" not in set(ladder.loc["rewrite", "+ links"])
    assert "lost" in set(ladder.loc["rewrite", "windows, cut apart"])


def test_error_analysis(execute: Execute, folder: Path, write_files: Write) -> None:
    tickets = [
        desk.ticket("exc-1", split="tune"),
        desk.ticket("secret", split="holdout"),
        desk.plain("plain-1", "the right of one named person", "Seats > Words", message="may two share", split="tune"),
        desk.ticket("none-1", kind="unanswerable", gold=[], message="bitcoin please", split="tune"),
    ]
    suite = desk.write_suite(folder / "tickets", tickets, [desk.rewrites(one["id"]) for one in tickets])
    handbook = write_files(desk.FILES)
    given = {"HANDBOOK": handbook, "SUITE": suite, "STATE": folder / "state", "ASKED": ("message", "rewrite")}
    values = execute(NAMES[1], given)
    assert "secret" not in set(values["after"]["ticket"])
    assert len(values["after"]) == 3 + 3 * 3
    assert values["after"][values["MEASURE"]].count() == 4
    assert set(values["sliced"]("kind").index) == {"exception", "plain"}


def incident() -> dict[str, Path]:
    """The bundled incident, wherever the test runs."""
    return {"INCIDENT": Path(__file__).parents[2] / "data" / "incidents" / "8841.jsonl"}


@pytest.mark.parametrize("name", NAMES)
def test_it_lies_there_as_it_ran_from_top_to_bottom(root: Path, name: str) -> None:
    code = [cell for cell in read_cells(root, name) if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    outputs = [output for cell in code for output in cell["outputs"]]
    assert {output["output_type"] for output in outputs} <= {"execute_result", "display_data", "stream"}
    assert not [output for output in outputs if output.get("name") == "stderr"]
    assert sum("image/png" in output.get("data", {}) for output in outputs) == len(
        [cell for cell in code if "plt.show()" in "".join(cell["source"])]
    )


@pytest.mark.parametrize("name", NAMES)
def test_nothing_of_the_machine_it_ran_on_is_in_it(root: Path, name: str) -> None:
    text = (root / "notebooks" / name).read_text(encoding="utf-8")
    assert not re.search(r"/(work|tmp|home|Users|root)/", text)


def test_no_ticket_of_the_holdout_side_is_in_it(root: Path) -> None:
    lines = (root / "data" / "tickets" / "tickets.jsonl").read_text(encoding="utf-8").splitlines()
    held_out = [one["id"] for one in map(json.loads, lines) if one["split"] == "holdout"]
    text = (root / "notebooks" / NAMES[1]).read_text(encoding="utf-8")
    assert held_out
    assert sum(name in text for name in held_out) == 0
