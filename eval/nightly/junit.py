"""The night as JUnit XML: something in it fails where, and only where, the night did."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal
from xml.etree import ElementTree

from eval.nightly.glance import Flip, Glance
from eval.nightly.record import TicketNight
from eval.pages.pieces import shown


@dataclass(frozen=True, slots=True)
class _Case:
    suite: str
    name: str
    status: Literal["passed", "failed", "skipped"]
    message: str
    seconds: float = 0.0


def junit_xml(glance: Glance) -> str:
    """Gates, pins and questions as test cases.

    A gate fails as it failed. A pin, a question whose gold is broken and one that went worse since last night are
    failures only in a night that failed: there they say where to look; in a night that passed they are told as output.
    """
    cases = [*_gates(glance), *_pins(glance), *_questions(glance)]
    root = ElementTree.Element("testsuites", {"name": "caveat nightly", **_counts(cases)})
    for suite in dict.fromkeys(case.suite for case in cases):
        members = [case for case in cases if case.suite == suite]
        element = ElementTree.SubElement(root, "testsuite", name=suite, timestamp=glance.night.at[:19])
        element.attrib.update(_counts(members))
        for case in members:
            _append(element, case)
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _counts(cases: list[_Case]) -> dict[str, str]:
    statuses = [case.status for case in cases]
    return {
        "tests": str(len(cases)),
        "failures": str(statuses.count("failed")),
        "skipped": str(statuses.count("skipped")),
        "errors": "0",
        "time": f"{sum(case.seconds for case in cases):.3f}",
    }


def _append(suite: ElementTree.Element, case: _Case) -> None:
    names = {"classname": f"caveat.{case.suite}", "name": shown(case.name), "time": f"{case.seconds:.3f}"}
    element = ElementTree.SubElement(suite, "testcase", names)
    message = shown(case.message)
    if case.status == "failed":
        ElementTree.SubElement(element, "failure", message=message, type=case.suite).text = message
    elif case.status == "skipped":
        ElementTree.SubElement(element, "skipped", message=message)
    elif message:
        ElementTree.SubElement(element, "system-out").text = message


def _gates(glance: Glance) -> Iterator[_Case]:
    for gate in glance.night.gates:
        status: Literal["passed", "failed", "skipped"] = "skipped" if gate.status == "not measured" else gate.status
        yield _Case("gates", gate.name, status, f"{gate.found}; wanted: {gate.wanted}")


def _pins(glance: Glance) -> Iterator[_Case]:
    for pin in glance.night.pins:
        failed = pin.status == "failed" and glance.night.failed
        status: Literal["failed", "skipped", "passed"] = "skipped" if pin.status == "open" else "passed"
        yield _Case("pins", f"{pin.id}: {pin.title}", "failed" if failed else status, f"{pin.status} {pin.detail}")


def _questions(glance: Glance) -> Iterator[_Case]:
    worse = {flip.ticket.id: flip for flip in glance.lost}
    for ticket in glance.night.tickets:
        flip = worse.get(ticket.id)
        failed = glance.night.failed and bool(flip or ticket.broken)
        seconds = (ticket.milliseconds or 0.0) / 1000
        yield _Case("questions", ticket.id, "failed" if failed else "passed", _told(ticket, flip), seconds)


def _told(ticket: TicketNight, flip: Flip | None) -> str:
    if ticket.broken:
        return f"gold is broken: {ticket.broken}"
    moved = [f"{name} {then:g} -> {now:g}" for name, (then, now) in flip.moved.items()] if flip else []
    lost = [f"{section}: {stage}" for section, stage in ticket.lost.items()]
    return "; ".join([*moved, *lost])
