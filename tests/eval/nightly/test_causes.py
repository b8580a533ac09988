"""Causes: what is named, in which order, and when there is none."""

import pytest

from eval.nightly.causes import DIGEST, Facts, causes, setting_changes, usual_p95
from eval.nightly.changes import Handbook
from eval.nightly.record import HandbookChange, Night, SettingChange
from tests.eval.nightly.test_gates import ticket
from tests.eval.nightly.test_history import night

CHANGED = HandbookChange(address="a.md#A", change="changed", detail="from 2026-07-01")


def last(*scores: float, **more: object) -> Night:
    tickets = [ticket(f"t{at}", score, came=["a.md#A"]) for at, score in enumerate(scores)]
    return night(1).model_copy(update={"tickets": tickets, **more})


def facts(*scores: float, before: Night | None = None, **more: object) -> Facts:
    tickets = [ticket(f"t{at}", score, came=["b.md#B"]) for at, score in enumerate(scores)]
    values: dict[str, object] = {
        "earlier": [before] if before else [],
        "tickets": tickets,
        "out": {},
        "handbook": Handbook("h"),
        "configured": [],
        "suite_digest": "d",
    }
    return Facts(**values | more)  # type: ignore[arg-type]


def test_an_unchanged_night_has_none() -> None:
    assert causes(facts(1.0, before=last(1.0))) == []
    assert causes(facts(1.0)) == []


def test_worse_answers_without_a_change_are_a_fault() -> None:
    [told] = causes(facts(0.0, before=last(1.0)))
    assert told.startswith("1 question got worse, though handbook, settings, encoder, libraries and suite are those")


@pytest.mark.parametrize(
    ("touched", "first"),
    [("a.md#A", "The handbook changed"), ("z.md#Z", "Settings changed")],
    ids=["what-they-got", "something-else"],
)
def test_the_handbook_stands_in_front_where_worse_questions_are_about_it(touched: str, first: str) -> None:
    handbook = Handbook("h", (CHANGED.model_copy(update={"address": touched}),))
    setting = SettingChange(name="retrieve.k", before="5", after="3")
    told = causes(facts(0.0, before=last(1.0), handbook=handbook, configured=[setting]))
    assert len(told) == 2
    assert told[0].startswith(first)


def test_the_handbook_names_kinds_and_the_first_section() -> None:
    handbook = Handbook("h", (CHANGED, CHANGED, CHANGED.model_copy(update={"change": "moved"})))
    [told] = causes(facts(0.0, before=last(1.0), handbook=handbook))
    assert told == (
        "The handbook changed: 2 sections changed, 1 moved, first a.md#A (from 2026-07-01). "
        "1 of 1 question that got worse is about them."
    )


def test_a_linked_section_counts_too() -> None:
    before = last(1.0)
    before = before.model_copy(update={"tickets": [before.tickets[0].model_copy(update={"came": ["via a.md#A"]})]})
    [told] = causes(facts(0.0, before=before, handbook=Handbook("h", (CHANGED,))))
    assert told.endswith("1 of 1 question that got worse is about them.")


def test_a_young_state_folder_knows_only_that_something_changed() -> None:
    before = last(1.0, health={DIGEST: "h"})
    assert causes(facts(1.0, before=before, handbook=Handbook("h", known=False))) == []
    [told] = causes(facts(1.0, before=before, handbook=Handbook("other", known=False)))
    assert "which sections is not known" in told


def test_what_is_wrong_by_itself_comes_first() -> None:
    told = causes(facts(before=last(), out={"t1": "moved", "t2": "abolished", "t3": "moved"}, stopped="--correct"))
    assert told == [
        "The index run was stopped, and what was published before answers: --correct.",
        "Gold of 1 question is out of place, because no section in force on its day holds its text any more: t2.",
        "Gold of 2 questions is out of place, because its text stands in another section now: t1, t3.",
        *told[3:],
    ]


@pytest.mark.parametrize(
    ("usual", "tonight", "slow"),
    [(50.0, 60.0, False), (50.0, 80.0, True), (1.0, 15.0, False), (None, 500.0, False), (50.0, None, False)],
    ids=["a-little", "much", "of-nothing", "first", "not-measured"],
)
def test_a_slow_night_is_one_beyond_the_usual(usual: float | None, tonight: float | None, slow: bool) -> None:
    assert bool(causes(facts(1.0, before=last(1.0, p95=usual), p95=tonight))) is slow


def test_a_slow_night_on_another_machine_names_it() -> None:
    machine = SettingChange(name="machine processor", before="x86_64, 8 cores", after="x86_64, 2 cores")
    [told] = causes(facts(1.0, before=last(1.0, p95=50.0), p95=200.0, configured=[machine]))
    assert told == (
        "Searches were slow: p95 200 ms, usually 50 ms; "
        "the machine is another: machine processor x86_64, 8 cores -> x86_64, 2 cores."
    )


def test_the_usual_time_is_the_median_of_the_nights_that_measured_one() -> None:
    assert usual_p95([last(p95=one) for one in (10.0, None, 30.0, 900.0)]) == 30.0
    assert usual_p95([last()]) is None


def test_settings_are_compared_by_name() -> None:
    assert setting_changes({"a": "1", "c": "3"}, {"a": "1", "b": "2"}) == [
        SettingChange(name="b", before="2", after=None),
        SettingChange(name="c", before=None, after="3"),
    ]
