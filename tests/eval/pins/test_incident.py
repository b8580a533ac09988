"""The incident as a pin: what a user writes, and how the retrievers of then do with it."""

from contextlib import ExitStack
from pathlib import Path
from time import process_time

import pytest

from eval.pins.against import frozen_chunks
from eval.pins.folder import pins_in
from eval.pins.plain.foreign import run_foreign
from eval.pins.plain.form import Pin
from eval.pins.plain.outcome import told
from eval.replay import CutPointSession
from index.encoding.hashing import HashEncoder
from ingest.errors import NetworkRefused
from retrieve import retrieve
from tests.eval.pins.conftest import ADD, DAY, NAME, NOTICE, QUERY, TITLE, Typed, read


@pytest.fixture
def pin(root: Path) -> Pin:
    """The first pin of the repository."""
    [filed] = [one for one in pins_in(root / "data" / "pins") if one.pin.id == NAME]
    return filed.pin


def test_the_bad_rewrite_brings_the_condition(root: Path, demo_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(demo_folder)
    retrieve("the models are loaded once")

    start = process_time()
    with CutPointSession(root / "data" / "incidents" / "8841.jsonl", mode="replay") as session:
        bad_query = session.envelopes[("query_rewrite", 1)].output
        for chunks in (retrieve(bad_query), retrieve(bad_query, as_of="2026-03-15")):
            assert any("30 calendar days" in c.text for c in chunks)
    assert process_time() - start < 0.5
    assert session.refused == ()
    assert NetworkRefused.exit_status == 1


def test_the_committed_pin_is_what_its_command_writes(ask: Typed, root: Path, tmp_path: Path, pin: Pin) -> None:
    trace = root / "data" / "incidents" / "8841.jsonl"
    assert ask("pin", "add", str(trace), *ADD, *DAY, *TITLE).status == 0
    [made] = [one.pin for one in pins_in(tmp_path / "data" / "pins")]
    assert (made.id, made.query, made.as_of, made.status) == (pin.id, pin.query, pin.as_of, "pinned")
    assert [(one.quote, one.sections) for one in made.anchors] == [(one.quote, one.sections) for one in pin.anchors]


def test_two_frozen_chunks_searched_by_cosine_alone_lose_it(root: Path, pin: Pin) -> None:
    with ExitStack() as stack:
        run = frozen_chunks(root / "data" / "incidents" / "8841-chunks", HashEncoder(384), 1, stack)
        outcome = run(pin)
    notice, formula = outcome.anchors
    assert (notice.quote, notice.lost, formula.rank) == (NOTICE, "beyond k", 1)
    text = told(pin, outcome)
    assert f"query      {QUERY}" in text
    assert "lost: beyond k" in text
    assert "1 042: Table 4.2 - Seat Downgrade Pro-Rata Credit Formula" in text


def test_both_chunks_would_have_brought_it(root: Path, pin: Pin) -> None:
    with ExitStack() as stack:
        run = frozen_chunks(root / "data" / "incidents" / "8841-chunks", HashEncoder(384), 2, stack)
        assert run(pin).passed


def test_of_a_foreign_retriever_no_stage_is_known(root: Path, pin: Pin) -> None:
    recorded = CutPointSession(root / "data" / "incidents" / "8841.jsonl", mode="replay").envelopes
    passages = recorded[("rag_retrieve", 1)].output["passages"]
    outcome = run_foreign(pin, lambda query, as_of: passages, 5)
    assert [one.lost for one in outcome.anchors] == ["not returned", None]


@pytest.mark.parametrize("name", [NAME])
def test_it_is_run_against_others_by_command(ask: Typed, root: Path, name: str) -> None:
    chunks, pins = str(root / "data" / "incidents" / "8841-chunks"), str(root / "data" / "pins")
    done = ask("pin", "run", name, "--pins", pins, "--against", chunks)
    assert (done.status, done.err) == (1, "")
    assert "Against 8841-chunks, dense only, top 1:" in done.out
    assert "lost: beyond k" in done.out
    done = ask("pin", "run", name, "--pins", pins, "--against", "windows")
    assert done.out.startswith("Against windows of 510 pieces, 512 read, dense only, top 3:\n")
    assert read(root / "data" / "pins" / f"{name}.json")["status"] == "pinned"


def test_what_is_open_stays_open_against_others(ask: Typed, root: Path) -> None:
    chunks, pins = str(root / "data" / "incidents" / "8841-chunks"), str(root / "data" / "pins")
    done = ask("pin", "run", "exc-214", "--pins", pins, "--against", chunks)
    assert done.status == 0
    assert done.out.splitlines()[1].startswith("open   exc-214")
    assert done.out.endswith("1 open\n")


def test_nobody_by_that_name(ask: Typed, root: Path) -> None:
    done = ask("pin", "run", "--pins", str(root / "data" / "pins"), "--against", "nobody")
    assert done.status == 2
    assert '--against: "nobody"; allowed: "windows", a folder with a corpus.jsonl of chunks' in done.err
