"""report.html: it answers first, does what its policy says, and foreign text in it stays text."""

import base64
import hashlib
import re
from collections import Counter
from html.parser import HTMLParser

import pytest

from eval.nightly.glance import glance
from eval.nightly.page import MOST, page
from eval.nightly.record import Night
from eval.nightly.svg import Frame, Point, told, trend
from tests.eval.nightly import sample

VOID = {"meta", "br"}
CLAIMS = (
    "As on the night before",
    "The first night of this suite",
    "answer was kept",
    "No baseline was accepted",
    "generation 0",
    "holdout side was read",
    "none yet",
)
"""What a night that was not measured cannot know."""


class Read(HTMLParser):
    """Tags, attributes and text of a page; refuses one whose tags do not match."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str | None]] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())


def read(night: Night, before: list[Night] | None = None, baseline: Night | None = None) -> Read:
    return Read(page(glance(night, before or [], baseline)))


@pytest.fixture(scope="module")
def eventful() -> Read:
    night, before = sample.eventful()
    return read(night, before, before[10])


def test_the_first_heading_answers(eventful: Read) -> None:
    heading = eventful.text.index("Recall@5 is not all right 0.906 [0.824, 0.989] over 48 questions")
    assert heading < eventful.text.index("Changed since run 29") < eventful.text.index("Why") < 900


def test_what_changed_and_why_stand_beside_it(eventful: Read) -> None:
    assert "6 messages went worse, 1 better; 44 rewrites went worse, 12 better." in eventful.text
    assert "Why The handbook changed: 1 section moved" in eventful.text
    assert "1 of 5 failed : recall@5" in eventful.text
    assert "Against the baseline, run 11 (12 Nov): −0.083" in eventful.text


def test_a_flipped_question_is_told_with_what_it_wanted_what_came_and_what_lost_it(eventful: Read) -> None:
    at = eventful.text.index("exc-105")
    flip = eventful.text[at : at + 900]
    for part in (sample.QUERIES[5], "Recall@5 1 → 0.5", "Expected", "9 % on Business Annual", "lost in rerank"):
        assert part in flip
    assert "Came back 04-seats.md#4 Seats > Downgrades > Credit" in flip
    assert "Last night also: 03-renewals.md#3 Renewals > Caps on the uplift" in flip


@pytest.mark.parametrize(
    ("update", "before", "wanted"),
    [
        ({}, True, "✓ Recall@5 is all right"),
        ({"gates": []}, True, "? No verdict on Recall@5"),
        ({"figures": []}, True, "? Recall@5 was not measured"),
        ({}, False, "The first night of this suite: nothing to compare with yet."),
        ({}, True, "Recall@5 unchanged. No question flipped, of 300 that both nights asked."),
        ({"p95": None}, True, "p95 of a search not measured nearly every answer was kept"),
    ],
    ids=["good", "no gate", "not measured", "first", "unchanged", "kept"],
)
def test_what_a_quiet_night_says(update: dict[str, object], before: bool, wanted: str) -> None:
    first, second = sample.quiet(2)
    assert wanted in read(second.model_copy(update=update), [first] if before else []).text


def test_another_gate_that_failed_makes_no_good_night() -> None:
    first, second = sample.quiet(2)
    stale = second.gates[2].model_copy(update={"status": "failed", "found": "2 of 48 questions"})
    found = read(second.model_copy(update={"gates": [*second.gates[:2], stale]}), [first])
    assert "✗ Recall@5 is all right, but the night failed: stale text" in found.text


def test_a_night_that_could_not_be_measured_says_so_and_claims_nothing_else() -> None:
    for before in (sample.quiet(3), []):
        found = read(sample.unmeasured(), before)
        assert "✗ Recall@5 was not measured, and the night failed: run" in found.text
        assert "Nothing was measured tonight: nothing to compare." in found.text
        assert "no question was asked" in found.text
        assert found.text.count("Not known: tonight was not measured.") == 2
        assert not [claim for claim in CLAIMS if claim in found.text]
        values = [value for name, value in found.attributes if name == "class" and (value or "").startswith("value")]
        assert values == ["value none"] * 4


def test_the_policy_forbids_everything_but_the_style_of_the_page() -> None:
    html = page(glance(sample.quiet(1)[0], [], None))
    style = re.search(r"<style>(.*?)</style>", html, re.DOTALL)
    assert style
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert f'content="{policy}"' in html


def test_the_page_has_no_script_and_loads_nothing(eventful: Read) -> None:
    assert not eventful.tags.keys() & {"script", "link", "img", "iframe", "object", "form", "base"}
    names = {name for name, _ in eventful.attributes}
    assert not {name for name in names if name.startswith("on")} | names & {"src", "style"}
    assert all((value or "").startswith("#") for name, value in eventful.attributes if name == "href")


def test_hostile_text_makes_no_mark_up_and_moves_nothing() -> None:
    html = page(glance(sample.hostile(), [sample.hostile()], None))
    found, calm = Read(html), read(sample.quiet(1)[0])
    lists = {"blockquote", "ul", "ol", "li", "br", "i"}
    assert found.tags.keys() <= calm.tags.keys() | lists | {"polyline", "polygon", "path"}
    assert "<script>alert(1)</script>" in found.text
    assert "{{ 7*7 }}" in found.text
    assert "[U+001B][31mred" in found.text
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u200b\u202a-\u202e\u2066-\u2069\ufeff]", html)
    assert "more characters)" in found.text
    assert max(map(len, html.split())) < 1000


def test_what_does_not_fit_is_counted() -> None:
    first = sample.night(sample.Recipe(1, rewritten=0, hit=1.0))
    second = sample.night(sample.Recipe(2, messages=60, rewritten=0, hit=0.0))
    found = read(second, [first])
    assert f"{48 - MOST} more: tickets.csv, report.json" in found.text


def test_questions_of_the_holdout_side_are_never_listed() -> None:
    night, before = sample.eventful()
    nights = [one.model_copy(update={"split": "holdout"}) for one in (*before, night)]
    found = read(nights[-1], nights[:-1])
    assert "0.906" in found.text
    assert "exc-1" not in found.text
    assert sample.QUERIES[0] not in found.text


def test_rewrites_do_not_borrow_the_recall_of_messages() -> None:
    night = sample.night(sample.Recipe(1, rewritten=0))
    assert "Rewrite robustness not measured" in read(night).text


def test_no_two_figures_have_one_name(eventful: Read) -> None:
    for name in ("Policy-exception recall (PolicyExceptionRecall@5+links)", "Rewrite robustness (Recall@5)"):
        assert name in eventful.text


def test_another_suite_is_not_compared_with() -> None:
    first, second = sample.quiet(2)
    found = read(second, [first.model_copy(update={"suite": "other"})])
    assert "nothing to compare with yet" in found.text


def test_a_question_in_other_words_did_not_flip() -> None:
    first, second = sample.night(sample.Recipe(1, hit=1.0)), sample.night(sample.Recipe(2, hit=0.0))
    others = [one.model_copy(update={"query": f"{one.query} Please."}) for one in first.tickets]
    found = glance(second, [first.model_copy(update={"tickets": others})], None)
    assert (found.compared, found.flips) == (0, ())


def test_a_chart_says_in_words_what_it_shows() -> None:
    points = [Point("run 1, 2 Nov", 0.9), Point("run 2, 3 Nov", None), Point("run 3, 4 Nov", 0.95, 0.9, 0.98)]
    words = told(Frame("a", "Recall"), points)
    assert words == (
        "Tonight 0.950, interval 0.900 to 0.980. 2 of 3 nights measured; lowest 0.900 (run 1, 2 Nov), "
        "highest 0.950 (run 3, 4 Nov)."
    )


@pytest.mark.parametrize(
    ("points", "lines", "bands", "bars", "gaps"),
    [
        ([], 0, 0, 0, 0),
        ([Point("1", 0.5, 0.4, 0.6)], 0, 0, 1, 0),
        ([Point("1", 0.5), Point("2", 0.6)], 1, 0, 0, 0),
        ([Point("1", 0.5, 0.4, 0.6), Point("2", 0.6, 0.5, 0.7)], 1, 1, 0, 0),
        ([Point("1", 0.5, 0.4, 0.6), Point("2", 0.6)], 1, 0, 1, 0),
        ([Point("1", 0.5), Point("2", None), Point("3", 0.6)], 0, 0, 0, 1),
        ([Point("1", 0.5, era="a"), Point("2", 0.6, era="b")], 0, 0, 0, 0),
        ([Point("1", 0.5, era="a"), Point("2", 0.6)], 1, 0, 0, 0),
        ([Point("1", None), Point("2", None)], 0, 0, 0, 2),
        ([Point(str(run), 0.0, 0.0, 0.0) for run in range(30)], 1, 1, 0, 0),
    ],
    ids=[
        "none",
        "one",
        "no intervals",
        "two",
        "one interval",
        "gap",
        "suites",
        "unknown suite",
        "unknown",
        "all failed",
    ],
)
def test_a_chart_draws_what_was_measured_and_nothing_else(
    points: list[Point], lines: int, bands: int, bars: int, gaps: int
) -> None:
    chart = str(trend(Frame("a", "Recall"), points))
    drawn = [chart.count(f'class="{kind}"') for kind in ("trend", "band", "bar", "gap")]
    assert drawn == [lines, bands, bars, gaps]


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ((0.96, 0.99), ["0.85", "0.90", "0.95", "1.00"]),
        ((0.85, 0.99), ["0.85", "0.90", "0.95", "1.00"]),
        ((0.0, 0.97), ["0.00", "0.25", "0.50", "0.75", "1.00"]),
        ((1.0, 1.0), ["0.90", "0.95", "1.00"]),
        ((0.0, 0.0), ["0.00", "0.05", "0.10"]),
    ],
)
def test_an_axis_of_shares_is_round_and_never_too_narrow(values: tuple[float, float], ticks: list[str]) -> None:
    chart = str(trend(Frame("a", "Recall"), [Point("x", value) for value in values]))
    assert re.findall(r">(\d\.\d\d)<", chart) == ticks


@pytest.mark.parametrize("highest", [0.4, 7.0, 84.0, 181.0, 2400.0, 61000.0])
def test_an_axis_of_times_begins_at_zero_and_reaches_the_highest(highest: float) -> None:
    chart = str(trend(Frame("a", "p95", unit="milliseconds"), [Point("x", highest)]))
    ticks = [float(text.replace(",", "")) for text in re.findall(r'text-anchor="end">([\d,]+)<', chart)]
    assert ticks[0] == 0
    assert highest <= ticks[-1] <= max(2.5 * highest, 1)
    assert 2 <= len(ticks) <= 5
