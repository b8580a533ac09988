"""`caveat eval ...` as typed: the ladder over a handbook and over a corpus, kept answers, the log of readings."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from eval.measures.bootstrap import Estimate
from eval.measures.ragas_scores import RagasScore
from tests.eval import desk

Typed = Callable[..., Any]
Write = Callable[[Mapping[str, str]], Path]

WINDOWS = ("windows, 256 read, top 3", "windows, 512 read, top 3", "windows, 512 read, overlap 64, top 3")
SAME_TOKENS = ("windows, 256 read, same tokens", "windows, 512 read, same tokens")
SECTIONS = ("sections, BM25 only", "sections, dense only", "sections, min-max", "sections, RRF", "+ rerank", "+ links")
DATES = ("no date filter", "date filter")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """ragas takes seconds to load, and is tested where it is called."""
    scores = (RagasScore("ragas NonLLMContextRecall", Estimate(0.5, 0.4, 0.6, 3, 3)), RagasScore("ragas X", None, "no"))
    monkeypatch.setattr("eval.ladder.evaluation.ragas_of", lambda *_: scores)


@pytest.fixture
def handbook(write_files: Write) -> Path:
    return write_files(desk.FILES)


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    refund = desk.anchor("is refunded within 30 days", "7.1", document="07-refunds.md")
    reseller = desk.anchor("refunded by the reseller alone", "7.2", "condition", document="07-refunds.md")
    tickets = [
        desk.ticket("exc-1", message="where is our secret money", split="tune"),
        desk.ticket("exc-2", message="reseller wants it back", gold=[refund, reseller], split="holdout"),
        desk.plain("plain-1", "the right of one named person", "Seats > Words", message="may two share", split="tune"),
        desk.ticket("none-1", kind="unanswerable", gold=[], message="bitcoin please", split="tune"),
        desk.dated("d-1", "2025-06-01", 15, split="tune"),
        desk.dated("d-2", "2026-06-01", 20, split="tune"),
    ]
    return desk.write_suite(tmp_path / "t", tickets, [desk.rewrites(ticket["id"]) for ticket in tickets])


@pytest.fixture
def ladder(caveat: Typed, handbook: Path, suite: Path) -> Callable[..., Any]:
    """Types `caveat eval SUITE HANDBOOK ...` over the indexed handbook."""
    caveat("index", str(handbook))
    return lambda *more: caveat("eval", str(suite), str(handbook), *more)


@pytest.fixture
def beir(tmp_path: Path) -> Path:
    folder = tmp_path / "beir"
    (folder / "qrels").mkdir(parents=True)
    corpus = [("a", "Refunds", "A refund is paid within 30 days."), ("b", "Seats", "A seat is for one named person.")]
    rows = [{"_id": name, "title": title, "text": text} for name, title, text in corpus]
    queries = [{"_id": "1", "text": "when is a refund paid"}, {"_id": "2", "text": "who may use a seat"}]
    for name, entries in (("corpus.jsonl", rows), ("queries.jsonl", queries)):
        (folder / name).write_text("".join(f"{json.dumps(entry)}\n" for entry in entries), encoding="utf-8")
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n1\ta\t1\n2\tb\t1\n", encoding="utf-8")
    return folder


def measured(done: Any) -> Any:
    """The output of a command that went well."""
    assert (done.status, done.err) == (0, "")
    return done.values


def rows(values: Any) -> dict[str, Any]:
    return {row["name"]: row for row in values["rows"]}


def line_of(out: str, start: str) -> str:
    return next(line for line in out.splitlines() if line.startswith(start))


def figure(row: Any, measure: str, over: str = "all") -> Any:
    return next(one["estimate"] for one in row["figures"] if (one["measure"], one["slice"]) == (measure, over))


def test_the_ladder_measures_every_rung_on_the_tune_side(ladder: Typed) -> None:
    values = measured(ladder("--ablate", "--json"))
    found = rows(values)
    assert tuple(found) == (*WINDOWS, *SAME_TOKENS, *SECTIONS, *DATES)
    assert (values["split"], values["readings"]) == ("tune", None)
    assert values["questions"] == {"message": 5, "rewrite": 15, "ambiguous rewrite": 5}
    assert found["+ rerank"]["why"] == 'retrieve.reranker = "none"'
    assert figure(found["+ links"], "PolicyExceptionRecall@5+links") == {
        "mean": 1.0,
        "low": 1.0,
        "high": 1.0,
        "n": 1,
        "families": 1,
        "level": 0.95,
    }
    assert figure(found["+ links"], "PolicyExceptionRecall@5+links", "rewrites")["n"] == 3
    assert figure(found["windows, 512 read, top 3"], "PolicyExceptionRecall@3", "sections: several")["n"] == 1


def test_each_rung_stands_beside_the_one_before(ladder: Typed) -> None:
    found = rows(measured(ladder("--ablate", "--json")))
    after = {name: row["steps"][0]["after"] for name, row in found.items() if row.get("steps")}
    assert after["windows, 512 read, same tokens"] == "windows, 512 read, top 3"
    assert after["sections, dense only"] == "windows, 512 read, same tokens"
    assert after["+ links"] == "sections, RRF"
    assert after["date filter"] == "no date filter"
    steps = {step["measure"]: step for step in found["date filter"]["steps"] if step["slice"] == "all"}
    assert steps["StaleRate@5"]["difference"]["mean"] < 0
    assert steps["StaleRate@5"]["better"] > 0
    assert steps["MRR"]["p"] is None


def test_without_the_date_filter_other_days_come_back(ladder: Typed) -> None:
    found = rows(measured(ladder("--ablate", "--json")))
    assert figure(found["no date filter"], "StaleRate@5")["mean"] > 0
    assert figure(found["date filter"], "StaleRate@5")["mean"] == 0
    assert figure(found["+ links"], "StaleRate@5+links")["mean"] == 0


def test_windows_get_no_more_tokens_than_the_search_returns(ladder: Typed) -> None:
    found = rows(measured(ladder("--ablate", "--json")))
    full = figure(found["+ links"], "Tokens@5+links")["mean"]
    assert figure(found["windows, 512 read, same tokens"], "Tokens@100")["mean"] <= full


def test_a_second_run_asks_nothing_and_prints_the_same(ladder: Typed) -> None:
    first, second = measured(ladder("--ablate", "--json")), measured(ladder("--ablate", "--json"))
    assert first["rows"][0]["fresh"] == 25
    assert [row["fresh"] for row in second["rows"] if "fresh" in row] == [0] * 12
    for row in (*first["rows"], *second["rows"]):
        row.pop("fresh", None)
    assert first == second


def test_no_query_is_written(ladder: Typed, tmp_path: Path) -> None:
    ladder("--ablate")
    files = [file for file in (tmp_path / ".caveat").rglob("*") if file.is_file()]
    assert not [file for file in files if b"secret money" in file.read_bytes()]


def test_in_words(ladder: Typed) -> None:
    done = ladder("--ablate")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("t, tune side: 5 messages, 15 rewrites, 5 ambiguous rewrites; 5 passages asked for.\n")
    assert "\nwindows, 512 read, overlap 64, top 3 " in done.out
    assert line_of(done.out, "+ rerank ").endswith('  not applicable: retrieve.reranker = "none"')
    assert "(+ links): AUROC" in done.out
    assert done.out.endswith(
        "\nragas NonLLMContextRecall  0.500 [0.40, 0.60]\nragas X                    not measured (no)\n"
    )


def test_recall_stands_beside_the_exceptions(ladder: Typed) -> None:
    row = measured(ladder("--json"))["rows"][0]
    shown = [figure(row, "Recall@5+links", over) for over in ("all", "kind: exception", "rewrites")]
    out = ladder().out
    heads = [f"{head} ({one['n']})" for head, one in zip(("messages", "exceptions", "rewrites"), shown, strict=True)]
    assert re.split(r" {2,}", line_of(out, "Recall: sections that came back"))[1:] == heads
    cells = [f"{one['mean']:.3f} [{one['low']:.2f}, {one['high']:.2f}]" for one in shown]
    block = out[out.index("Recall: sections that came back") :]
    assert re.split(r" {2,}", line_of(block, "caveat"))[1:] == cells


def test_alone_it_measures_the_search_as_configured(ladder: Typed) -> None:
    values = measured(ladder("--json"))
    assert [row["name"] for row in values["rows"]] == ["caveat"]
    assert figure(values["rows"][0], "Recall@5+links")["mean"] > 0.5


def test_each_reading_of_the_holdout_side_is_logged_and_told(ladder: Typed, tmp_path: Path) -> None:
    assert "The holdout side was read once so far" in ladder("--split", "holdout").out
    assert "The holdout side was read 2 times so far" in ladder("--split", "holdout").out
    ladder("--split", "tune")
    lines = (tmp_path / "data" / "history" / "holdout.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["command"] for line in lines] == ["eval", "eval"]
    assert "secret" not in "".join(lines)


def test_a_corpus_has_the_rungs_that_apply(caveat: Typed, beir: Path) -> None:
    values = measured(caveat("eval", str(beir), "--ablate", "--k", "10", "--json"))
    found = rows(values)
    assert tuple(found) == ("windows", *SECTIONS, "no date filter")
    assert found["windows"]["why"] == "a corpus of passages has no documents to cut"
    assert figure(found["sections, RRF"], "Recall@5")["mean"] == 1.0
    assert figure(found["sections, RRF"], "nDCG@10")["n"] == 2
    assert (values["split"], values["k"]) == (None, 10)


def test_a_corpus_in_words(caveat: Typed, beir: Path) -> None:
    out = caveat("eval", str(beir), "--ablate").out
    assert line_of(out, "+ links ").endswith("  not applicable: a corpus of passages has no typed links")
    assert "Exceptions" not in out


def test_what_was_measured_is_written_for_other_tools(ladder: Typed, tmp_path: Path) -> None:
    done = ladder("--ablate", "--out", "out")
    assert done.status == 0
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"qrels", "questions.csv", "links.run", "sections-rrf.run"} <= names
    lines = (tmp_path / "out" / "questions.csv").read_text("utf-8").splitlines()
    assert lines[0].startswith("rung,id,asked,kind,family,as_of,query,expected,came,lost,milliseconds,")
    assert len(lines) == 1 + 10 * 25 + 2 * 5
    assert any(line.startswith("'+ links,exc-1,message,exception,") for line in lines)


def test_a_run_that_was_written_is_measured_beside_the_search(ladder: Typed) -> None:
    ladder("--ablate", "--out", "out")
    values = measured(ladder("--run", "out/sections-rrf.run", "--json"))
    assert [row["name"] for row in values["rows"]] == ["sections-rrf.run", "caveat"]
    assert values["rows"][1]["steps"][0]["after"] == "sections-rrf.run"
    assert values["rows"][0]["p50"] is None


def test_a_function_of_ones_own_is_measured(ladder: Typed, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def search(query, as_of):\n    return ['gets a credit for the unused days']\n")
    found = rows(measured(ladder("--retriever", "mine.py:search", "--json")))
    assert figure(found["mine.py:search"], "AnchorRecall@5", "kind: exception")["mean"] == 0.5
    assert figure(found["mine.py:search"], "PolicyExceptionRecall@5")["mean"] == 0.0


def test_without_a_suite_the_one_of_the_settings_is_asked(caveat: Typed) -> None:
    done = caveat("eval")
    assert done.status == 2
    assert "data/tickets: no such file or folder; allowed: a folder with tickets.jsonl" in done.err


def test_an_index_older_than_the_files_is_refused(ladder: Typed, handbook: Path) -> None:
    for file in handbook.rglob("04-seats.md"):
        file.write_text(file.read_text("utf-8").replace("gives up seats", "hands in seats"), encoding="utf-8")
    done = ladder()
    assert done.status == 1
    assert "the index does not hold this text as the file has it; fix: caveat index" in done.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--split", "test"), 'no side "test"; allowed: tune, holdout'),
        (("--k", "0"), "Input should be greater than or equal to 1"),
    ],
    ids=["side", "k"],
)
def test_wrong_use_is_one_line(ladder: Typed, arguments: tuple[str, ...], told: str) -> None:
    done = ladder(*arguments)
    assert done.status == 2
    assert told in done.err


def test_a_quote_that_is_not_there_is_named_by_line(caveat: Typed, handbook: Path, tmp_path: Path) -> None:
    wrong = desk.anchor("words that nobody ever wrote", "4.2", "condition")
    folder = desk.write_suite(tmp_path / "t", [desk.ticket(gold=[desk.CREDIT, wrong])])
    done = caveat("eval", str(folder), str(handbook))
    assert done.status == 2
    assert "t/tickets.jsonl:1: " in done.err


@pytest.mark.parametrize("command", [["eval"], ["nightly", "--no-index", "--suite"]], ids=["eval", "nightly"])
def test_a_query_too_long_is_named_before_any_is_asked(
    ask: Typed, demo_folder: Path, tmp_path: Path, command: list[str]
) -> None:
    rows = [
        "how early,2026-03-15,04-seats.md,4.2.2,at least 30 calendar days prior",
        f"{'x' * 10_001},2026-03-15,04-seats.md,4.2.2,at least 30 calendar days prior",
    ]
    (tmp_path / "suite.csv").write_text("\n".join(["query,as_of,document,section,quote", *rows]), encoding="utf-8")
    (tmp_path / "caveat.toml").write_text(
        f'handbook = "{demo_folder / "handbook"}"\n[encoder]\nmodel = "hash-384"\n', encoding="utf-8"
    )
    done = ask(*command, "suite.csv")
    assert done.status == 2
    assert 'suite.csv:3: the query "row-3" has 10,001 characters; allowed: up to 10,000' in done.err
