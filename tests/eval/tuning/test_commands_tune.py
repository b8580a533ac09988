"""`caveat tune` as typed: on the chapter on seats, with the encoder that needs no weights."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from eval.policy import InForce, read_policy
from eval.tuning import tune as tuning
from eval.tuning.space import Axis
from ingest.dates import parse_day
from ingest.settings import IngestSettings
from tests.eval import desk
from tests.eval.conftest import Caveat

DAY = "2026-03-15"
COLUMNS = ("id", "query", "as_of", "document", "section", "quote", "kind", "family", "split")


@pytest.fixture(autouse=True)
def few_axes(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is searched here is known to end in seconds."""
    links = Axis("links", tuple({"max_links": n} for n in (0, 3)))
    k = Axis("k", tuple({"k": n} for n in (1, 3)))
    monkeypatch.setattr(tuning, "axes", lambda *_: (k, links))


@pytest.fixture(scope="module")
def sections(one_chapter: Path) -> list[InForce]:
    """Sections with a dozen words of their own."""
    found = read_policy(one_chapter, IngestSettings(), desk.NOW).on(parse_day(DAY)).sections
    return [section for section in found if len(section.body.split()) > 12 and "|" not in section.body][:8]


def suite(folder: Path, sections: list[InForce], *sides: str) -> Path:
    """Each section asked for by its own words; the sides in turn."""
    rows = [_row(f"q{n}", section, sides[n % len(sides)]) for n, section in enumerate(sections)]
    with (folder / "asked.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    return folder / "asked.csv"


def _row(name: str, section: InForce, side: str) -> dict[str, str]:
    words = section.section.text.split("\n\n")[1].split()
    quote, query = " ".join(words[:9]), " ".join(words[:6])
    where = {"document": section.doc_id, "section": section.section.address_path}
    return {
        "id": name,
        "query": query,
        "as_of": DAY,
        **where,
        "quote": quote,
        "kind": "",
        "family": name,
        "split": side,
    }


def tuned(caveat: Caveat, demo_folder: Path, file: Path, *arguments: str) -> Any:
    state, handbook = str(demo_folder / ".caveat"), str(demo_folder / "handbook")
    measure = ("--measure", "AnchorRecall@5+links")
    return caveat("tune", str(file), handbook, "--state", state, *measure, *arguments)


def test_it_prints_the_gain_and_what_it_would_write(
    caveat: Caveat, demo_folder: Path, tmp_path: Path, sections: list[InForce]
) -> None:
    done = tuned(caveat, demo_folder, suite(tmp_path, sections, "tune"))
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("AnchorRecall@5+links on the tune side of asked: ")
    assert "not chosen: 0 families of questions without an answer cannot tell" in done.out
    assert "keep what is in force: " in done.out
    assert done.out.endswith("nothing to write\n")


def test_json_holds_the_folds_and_nothing_is_written_unless_asked(
    caveat: Caveat, demo_folder: Path, tmp_path: Path, sections: list[InForce]
) -> None:
    before = (tmp_path / "caveat.toml").read_text()
    values = tuned(caveat, demo_folder, suite(tmp_path, sections, "tune"), "--json").values
    assert [fold["tickets"] for fold in values["nested"]["folds"]] == [2, 2, 2, 1, 1]
    assert values["written"] is None
    assert (tmp_path / "caveat.toml").read_text() == before


def test_a_gain_beyond_noise_is_written_with_its_evidence(
    caveat: Caveat, demo_folder: Path, tmp_path: Path, sections: list[InForce], monkeypatch: pytest.MonkeyPatch
) -> None:
    def better(sheet: Any, settings: Any, *_: Any) -> Any:
        score = float(settings.k == 1)
        return tuning.Outcome(dict.fromkeys(sheet.shares, score), dict.fromkeys(sheet.shares, 1.0))

    monkeypatch.setattr(tuning, "outcome", better)
    done = tuned(caveat, demo_folder, suite(tmp_path, sections, "tune"), "--write")
    assert done.out.endswith("wrote k into caveat.toml\n")
    assert (tmp_path / "caveat.toml").read_text() == (
        '[encoder]\nmodel = "hash-384"\n[retrieve]\n'
        "# caveat tune: 2026-11-30, --measure AnchorRecall@5+links on asked, tune side, chose k = 1\n"
        "# caveat tune: gain on 5 unseen folds +1.000 [+1.000, +1.000] (n=8 tickets, 8 families, from 0.000)\n"
        'k = 1\nreranker = "none"\n'
    )


def test_only_the_tune_side_is_asked(
    caveat: Caveat, demo_folder: Path, tmp_path: Path, sections: list[InForce]
) -> None:
    file = suite(tmp_path, [*sections, *sections], "tune", "holdout")
    text = file.read_text().replace("q8,", "q8b,")
    file.write_text(text)
    assert tuned(caveat, demo_folder, file, "--json").values["questions"] == 8


def test_a_suite_that_is_all_holdout_is_refused(
    caveat: Caveat, demo_folder: Path, tmp_path: Path, sections: list[InForce]
) -> None:
    done = tuned(caveat, demo_folder, suite(tmp_path, sections, "holdout"))
    assert done.status == 1
    assert "8 of 8 questions are on the holdout side; fix: tune on the tune side" in done.err


@pytest.mark.parametrize(
    ("measure", "told"),
    [
        ("Tokens@5", "Tokens@5 is not what settings are tuned by; allowed: a measure of what comes back"),
        ("PolicyExceptionRecall@5+links", "scores none of its questions"),
        ("Recal@5", 'did you mean "Recall@5"?'),
    ],
    ids=["less is better", "none scored", "unknown"],
)
def test_a_measure_that_cannot_be_raised_is_refused(
    caveat: Caveat, demo_folder: Path, tmp_path: Path, sections: list[InForce], measure: str, told: str
) -> None:
    done = tuned(caveat, demo_folder, suite(tmp_path, sections, "tune"), "--measure", measure)
    assert done.status == 2
    assert told in done.err


def test_a_folder_in_beirs_layout_is_refused(caveat: Caveat, demo_folder: Path, tmp_path: Path) -> None:
    folder = tmp_path / "beir"
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text(json.dumps({"_id": "a", "title": "", "text": "some text"}) + "\n")
    (folder / "queries.jsonl").write_text(json.dumps({"_id": "q", "text": "some"}) + "\n")
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq\ta\t1\n")
    done = tuned(caveat, demo_folder, folder)
    assert done.status == 2
    assert "a folder in BEIR's layout; allowed: a folder of tickets, or a .csv file" in done.err
