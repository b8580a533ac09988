"""`caveat compare ...` as typed, without a model: the table, the page, and what is not measured."""

import json
import re
from collections.abc import Callable
from contextlib import redirect_stdout
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from eval.cli import run
from eval.comparison.arms import ARMS
from tests.eval import desk
from tests.eval.comparison.server import serving
from tests.eval.conftest import NOW, SETTINGS

Typed = Callable[..., Any]


TICKETS = [
    desk.ticket("exc-1", message="<script>alert(1)</script> where is our secret money", split="tune"),
    desk.ticket("exc-2", message="and the seats", split="holdout"),
    desk.plain("plain-1", "the right of one named person", "Seats > Words", message="may two share", split="tune"),
    desk.ticket("none-1", kind="unanswerable", gold=[], message="bitcoin please", split="tune"),
    desk.dated("d-1", "2025-06-01", 15, split="tune"),
]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an indexed handbook and tickets about it."""
    folder = tmp_path_factory.mktemp("shop")
    for name, text in (desk.FILES | {"caveat.toml": SETTINGS}).items():
        path = folder / "handbook" / name if name.endswith(".md") else folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    desk.write_suite(folder / "t", TICKETS)
    typed_in(folder, "index", "handbook")
    return folder


@pytest.fixture(scope="module")
def values(shop: Path) -> Any:
    """What `caveat compare t --json` prints there."""
    return json.loads(typed_in(shop, "compare", "t", "--json"))


def typed_in(folder: Path, *arguments: str) -> str:
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(StringIO()) as out:
        patch.chdir(folder)
        patch.setenv("CAVEAT_NOW", NOW)
        assert run(arguments) == 0
    return out.getvalue()


@pytest.fixture
def compare(caveat: Typed, shop: Path) -> Typed:
    """Types `caveat compare ...` about it from another folder."""
    state = str(shop / ".caveat")
    return lambda *more: caveat("compare", str(shop / "t"), "--state", state, *more, at=NOW)


def measured(done: Any) -> Any:
    assert done.status == 0, done.err
    return done.values


def test_sizes_are_of_every_arm(values: Any) -> None:
    sizes = {one["arm"]: one for one in values["sizes"]}
    arms = ["retrieval", "handbook", "gold first", "gold in the middle", "gold last", "oracle", "closed book"]
    assert list(sizes) == arms
    assert [sizes[arm]["n"] for arm in arms] == [4, 4, 3, 3, 3, 3, 4]
    assert sizes["closed book"]["mean"] < sizes["oracle"]["mean"] < sizes["handbook"]["mean"]


def test_bills_follow_from_the_sizes(values: Any) -> None:
    sizes = {one["arm"]: one for one in values["sizes"]}
    rows = {row["name"]: row for row in values["bills"]["rows"]}
    output = 300 * 15 / 1e6
    assert rows["handbook, no cache"]["each"] == pytest.approx(sizes["handbook"]["mean"] * 3 / 1e6 + output)
    assert rows["retrieval"]["month"] == pytest.approx(600 + 45_000 * rows["retrieval"]["each"])
    assert rows["retrieval"]["each"] == pytest.approx(sizes["retrieval"]["mean"] * 3 / 1e6 + output)
    assert {one["arrived"]["tickets"] for one in values["bills"]["caches"]} == {45_000, 10_000, 1_000}
    assert {one["editions"] for one in values["bills"]["caches"]} == {1, 2}


def test_what_needs_a_model_is_not_measured(compare: Typed, values: Any, tmp_path: Path) -> None:
    assert values["model"] is None
    assert values["to_measure"].startswith("caveat compare ")
    done = compare()
    assert "recall, quotes, position curve, latency: not measured (no model was asked)" in done.out
    page = (tmp_path / "reports" / "compare.html").read_text("utf-8")
    assert "Not measured: no model was asked." in page
    assert "Not measured: only a model can lose a clause in the middle." in page


def test_what_retrieval_puts_into_the_prompt_is_judged(values: Any) -> None:
    inside = {(one["measure"], one["slice"]): one["estimate"] for one in values["inside"]}
    assert inside["PolicyExceptionRecall@5+links", "all"]["n"] == 1
    assert inside["AnchorRecall@5+links", "all"]["n"] == 3
    assert inside["StaleRate@5+links", "all"]["mean"] == 0


def test_edits_change_some_prompts_and_corrections_are_told_apart(values: Any) -> None:
    changes = values["changes"]
    assert [(one["day"], one["edits"], one["changed"] is None) for one in changes] == [
        ("2026-01-01", 3, False),
        ("2026-01-01", 1, True),
    ]
    assert all(0 < one["by_one"] <= one["by_most"] <= 1 for one in changes)
    assert changes[0]["changed"]["n"] == 4


def test_names_take_fewer_tokens_to_log_than_prompts(values: Any) -> None:
    for one in values["logged"]:
        assert 0 < one["named"] < one["whole"]


def test_own_prices_and_volume(compare: Typed, values: Any, tmp_path: Path) -> None:
    shipped = (Path(__file__).parents[3] / "eval" / "comparison" / "prices.toml").read_text("utf-8")
    (tmp_path / "own.toml").write_text(shipped.replace("input = 3.00", "input = 6.00"), "utf-8")
    dear = measured(compare("--json", "--prices", "own.toml", "--tickets", "500"))
    assert (dear["price"]["input"], dear["month"]["tickets"]) == (6.0, 500)
    uncached = [next(row for row in one["bills"]["rows"] if "no cache" in row["name"]) for one in (values, dear)]
    handbook = next(one["mean"] for one in values["sizes"] if one["arm"] == "handbook")
    assert uncached[1]["each"] - uncached[0]["each"] == pytest.approx(handbook * 3 / 1e6)
    assert uncached[1]["month"] == pytest.approx(500 * uncached[1]["each"])


def test_in_words(compare: Typed) -> None:
    done = compare()
    assert done.status == 0
    assert done.out.startswith("t, tune side: 4 tickets; a handbook of ")
    assert re.search(r"^45,000 tickets a month +tokens +USD/ticket +USD/month$", done.out, re.M)
    assert re.search(r"^45,000 tickets, one edition +99\.95% ", done.out, re.M)
    assert "assumed: cache_write, output, cache_from_tokens, cache_minutes" in done.out
    assert done.err.endswith("compare.html\n")


def test_a_second_run_says_the_same(values: Any, shop: Path) -> None:
    assert json.loads(typed_in(shop, "compare", "t", "--json")) == values


def test_a_reading_of_the_holdout_side_is_logged(compare: Typed, tmp_path: Path) -> None:
    assert measured(compare("--json", "--split", "holdout"))["readings"] == 1
    assert "The holdout side was read 2 times so far" in compare("--split", "holdout").out
    lines = (tmp_path / "data" / "history" / "holdout.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["command"] for line in lines] == ["compare", "compare"]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("--arm", "essay"), 'no arm "essay"; allowed: retrieval, handbook, '),
        (("--price", "gpt"), 'no row "gpt"; allowed: post-mortem'),
        (("--prices", "none.toml"), "none.toml: cannot be read"),
        (("--split", "both"), 'no side "both"'),
        (("--model", "m"), 'no way to ask "m"'),
    ],
)
def test_wrong_use_is_told(compare: Typed, more: tuple[str, ...], told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    done = compare(*more)
    assert (done.status, done.out) == (2, "")
    assert told in done.err


class Tags(HTMLParser):
    """Counts what opens, and collects what could reach outside."""

    def __init__(self, text: str):
        super().__init__()
        self.opened: list[str] = []
        self.reaching: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.opened.append(tag)
        self.reaching += [name for name, _ in attrs if name in ("src", "href", "style") or name.startswith("on")]


def test_the_page_stands_alone(compare: Typed, tmp_path: Path) -> None:
    compare("--out", "o")
    text = (tmp_path / "o" / "compare.html").read_text("utf-8")
    tags = Tags(text)
    assert tags.reaching == []
    assert not {"script", "link", "img", "iframe"} & set(tags.opened)
    assert "default-src 'none'; style-src 'sha256-" in text
    assert tags.opened.count("polyline") == 10
    assert "secret money" not in text


@pytest.mark.enable_socket
def test_a_model_is_asked_and_shown(compare: Typed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        first = measured(compare("--model", "m", "--questions", "2", "--json"))["model"]
        again = compare("--model", "m", "--questions", "2")
    assert [arm["arm"] for arm in first["arms"]] == list(ARMS)
    assert (first["stopped"], first["reused"]) == (None, 0)
    assert f"0 answers bought, {first['bought']} from the ledger" in again.out
    page = (tmp_path / "reports" / "compare.html").read_text("utf-8")
    assert "no model was asked" not in page
    assert "gold in the middle" in page
    assert (tmp_path / "reports" / "compare.calls.jsonl").is_file()


@pytest.mark.parametrize("command", ["compare", "eval"])
def test_a_folder_that_cannot_be_written_is_named_before_anything_is_asked(
    caveat: Typed, shop: Path, tmp_path: Path, command: str
) -> None:
    (tmp_path / "taken").write_text("a file", encoding="utf-8")
    out = str(tmp_path / "taken" / "reports")
    done = caveat(command, str(shop / "t"), "--state", str(shop / ".caveat"), "--out", out, at=NOW)
    assert done.status == 2
    assert f"{out}: cannot be written (Not a directory); fix: make it writable, or name another with --out" in done.err
