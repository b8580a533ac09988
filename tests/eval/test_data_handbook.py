"""The bundled handbook: rendered from its sources, as large and as changeable as it says, corrected as it says."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from eval.edition_counts import edition_counts
from eval.policy import Policy
from ingest.dates import parse_day, parse_instant
from ingest.settings import IngestSettings
from tests.eval import desk


def render(source: Path, out: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(source / "build_handbook.py"), str(out)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def source(root: Path, tmp_path: Path) -> Path:
    """A copy of the sources to break."""
    return Path(shutil.copytree(root / "data" / "source", tmp_path / "source"))


def text_on(policy: Policy, day: str, chapter: str, number: str, known_at: str = "2026-11-30") -> str:
    """A section with its subsections, white space normalised."""
    known = parse_instant(known_at, "UTC", end_of_day=True)
    sections = policy.on(parse_day(day), known).sections
    held = (one for one in sections if one.doc_id == chapter and f"{one.section.number}.".startswith(f"{number}."))
    return " ".join(one.text for one in held)


def test_the_committed_editions_are_what_the_sources_render(root: Path, tmp_path: Path) -> None:
    done = render(root / "data" / "source", tmp_path / "handbook")
    assert (done.returncode, done.stderr) == (0, "")
    assert contents(tmp_path / "handbook") == contents(root / "data" / "handbook"), "run: make handbook"


@pytest.mark.parametrize(
    ("mark", "message"),
    [
        ("{{30 days}}", "'{{30 days}}' without an older wording; allowed: "),
        ("<!-- in 2026-02-01.. -->", "range '2026-02-01..' starts with '2026-02-01'; allowed: 2024-07-01, "),
        ("{{=notice.never}}", "value notice.never"),
        ("## Without a number", "heading '## Without a number' has no number"),
        ("## 1.1 Again", "section 1.1 stands twice"),
    ],
    ids=["choice", "range", "value", "heading", "number"],
)
def test_a_fault_in_a_source_is_one_line_and_nothing_is_written(source: Path, mark: str, message: str) -> None:
    chapter = source / "chapters" / "01-plans-and-pricing.md"
    chapter.write_text(f"{chapter.read_text(encoding='utf-8')}\n{mark}\n", encoding="utf-8")
    done = render(source, source / "out")
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (source / "out").exists()


def test_it_is_of_real_size_and_changes_as_handbooks_do(root: Path, demo_handbook: Path) -> None:
    page = (root / "data" / "README.md").read_text(encoding="utf-8")
    counted = {one.edition: one for one in edition_counts(demo_handbook, IngestSettings(), desk.NOW)}
    assert all(f"| {one.edition} | {one.sections} | {one.tokens:,} |" in page for one in counted.values())
    in_force = counted["2026-07-01@2026-09-14"]
    assert in_force.sections >= 450
    assert in_force.tokens >= 150_000
    assert in_force.tokens * (1 - in_force.generated_share) >= 80_000
    assert counted.pop("2026-07-01@2026-09-14").changed == 1
    assert all(0.10 <= one.changed_share <= 0.15 for one in list(counted.values())[1:] if one.changed_share)


def test_the_incident_is_in_it(demo_policy: Policy) -> None:
    downgrades = text_on(demo_policy, "2026-03-15", "04-seats.md", "4.2")
    assert "at least 30 calendar days prior to the renewal date" in downgrades
    assert "credit_usd = (prior_seats - new_seats) * annual_seat_price * (days_remaining / 365)" in downgrades


@pytest.mark.parametrize(
    ("known_at", "days"), [("2026-09-01", "forty-five (45)"), ("2026-09-15", "sixty (60)")], ids=["before", "after"]
)
def test_the_correction_is_believed_from_the_day_on_which_it_was_made(
    demo_policy: Policy, known_at: str, days: str
) -> None:
    text = text_on(demo_policy, "2026-08-01", "10-billing-disputes.md", "10.2", known_at)
    assert f"filed within {days} calendar days" in text
