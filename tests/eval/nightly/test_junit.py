"""junit.xml: something fails in it where the night failed, and nowhere else."""

from xml.etree import ElementTree

import pytest

from eval.nightly.glance import Glance, glance
from eval.nightly.junit import junit_xml
from eval.nightly.record import Night, Pinned
from tests.eval.nightly import sample


def parsed(found: Glance) -> ElementTree.Element:
    return ElementTree.fromstring(junit_xml(found))


def failing(root: ElementTree.Element) -> list[str]:
    return [case.get("name", "") for case in root.iter("testcase") if case.find("failure") is not None]


@pytest.fixture(scope="module")
def eventful() -> tuple[Night, list[Night]]:
    return sample.eventful()


def test_a_failed_night_fails_its_gate_and_points_at_what_went_worse(eventful: tuple[Night, list[Night]]) -> None:
    found = glance(*eventful, None)
    assert set(failing(parsed(found))) == {"recall@5"} | {flip.ticket.id for flip in found.lost}


def test_a_night_that_passed_fails_nothing_whatever_went_worse(eventful: tuple[Night, list[Night]]) -> None:
    night, before = eventful
    gates = [gate.model_copy(update={"status": "passed"}) for gate in night.gates]
    pins = [Pinned(id="pin-1", title="t", status="failed")]
    root = parsed(glance(night.model_copy(update={"gates": gates, "pins": pins}), before, None))
    assert failing(root) == []
    told = [case.findtext("system-out") for case in root.iter("testcase") if case.get("name") == "exc-105"]
    moved = "Recall@5 1 -> 0.5; PolicyExceptionRecall@5+links 1 -> 0"
    assert told == [f"{moved}; 03-renewals.md#3 Renewals > Caps on the uplift: lost in rerank"]


def test_what_was_not_measured_is_skipped_not_passed(eventful: tuple[Night, list[Night]]) -> None:
    case = parsed(glance(*eventful, None)).find(".//testcase[@name='lost pins']")
    assert case is not None
    skipped = case.find("skipped")
    assert skipped is not None
    assert skipped.get("message") == "none yet; wanted: none"


def test_a_night_that_could_not_be_measured_fails() -> None:
    assert failing(parsed(glance(sample.unmeasured(), [], None))) == ["run"]


def test_counts_are_those_of_the_cases(eventful: tuple[Night, list[Night]]) -> None:
    root = parsed(glance(*eventful, None))
    cases = list(root.iter("testcase"))
    assert root.get("tests") == str(len(cases)) == str(sum(int(suite.get("tests", "")) for suite in root))
    assert root.get("failures") == str(len(failing(root)))


def test_hostile_text_is_text_and_xml_stays_well_formed() -> None:
    root = parsed(glance(sample.hostile(), [], None))
    names = [case.get("name", "") for case in root.iter("testcase")]
    assert any(name.startswith("<script>alert(1)</script>") for name in names)
    assert "[U+0000]" in names[0]
