"""A real handbook in five dated editions, where the folder beside the repository has it."""

from collections import Counter
from pathlib import Path

import pytest

from ingest.dates import parse_day, parse_instant
from ingest.document import Document
from ingest.handbook.editions import Edition, Handbook, effective_of, read_document, scan

ROOT = Path(__file__).parents[3] / "shared" / "handbooks" / "github_site_policy"
NOW = parse_instant("2026-11-30T12:00:00Z", "UTC", end_of_day=False)

pytestmark = pytest.mark.skipif(not ROOT.is_dir(), reason=f"{ROOT} is not there")


@pytest.fixture(scope="module")
def handbook() -> Handbook:
    return scan(ROOT, timezone="UTC", now=NOW, max_file_bytes=20_000_000)


@pytest.fixture(scope="module")
def documents(handbook: Handbook) -> list[tuple[Edition, Document]]:
    return [(edition, read_document(file, edition)) for edition in handbook.editions for file in edition.files]


def test_five_editions_and_the_files_beside_them(handbook: Handbook) -> None:
    names = ["LICENSE.md", "README.md", "effective_dates.tsv", "lineage.tsv", "versions.json"]

    assert [len(edition.files) for edition in handbook.editions] == [29, 46, 47, 52, 57]
    assert [(note.code, note.where) for note in handbook.notes] == [("outside-editions", name) for name in names]


def test_stated_dates_are_those_of_the_list(documents: list[tuple[Edition, Document]]) -> None:
    rows = [line.split("\t") for line in (ROOT / "effective_dates.tsv").read_text().splitlines()[1:]]
    listed = {(version, file, parse_day(date)) for version, file, label, date in rows if "ffective" in label}
    stated = {(edition.name, one.doc_id, date.day) for edition, one in documents for date in one.dates}

    # The list overlooks one: "Effective January 1, 2020" on a line of its own.
    overlooked = ("2020-11-23", "Policies/githubs-notice-about-the-california-consumer-privacy-act.md")
    assert stated - listed == {(*overlooked, parse_day("2020-01-01"))}
    assert listed <= stated


def test_the_folder_decides_and_every_other_date_is_a_note(documents: list[tuple[Edition, Document]]) -> None:
    days = [(edition.effective, *effective_of(document, edition, None)) for edition, document in documents]

    assert all(day == folder for folder, day, _ in days)
    assert Counter(note.code for _, _, notes in days for note in notes) == {"date-differs": 42}
