from __future__ import annotations

from dataclasses import replace

import pytest

from index.history.records import Version
from index.targets import Targets, slug
from ingest.elements import Element, Kind


def version(
    doc_id: str, heading: str, number: str | None = None, above: tuple[str, ...] = (), text: str = ""
) -> Version:
    title = heading.removeprefix(f"{number} ") if number else heading
    path, elements = (*above, heading), ()
    if text:
        elements = (Element(Kind.TABLE, 0, len(text), 1, header=(0, len(text))),)
    return Version(
        *("", f"{doc_id}/{heading}", None, doc_id, "", "", number, title, path, (*above, title), len(path), 1, text),
        elements,
        (),
        None,
        0,
    )


@pytest.fixture
def targets() -> Targets:
    return Targets(
        [
            version("04-seats.md", "4 Seats", "4"),
            version("04-seats.md", "4.2 Downgrades", "4.2", ("Seats",), "Table 4.2 - Seat Downgrade Credit\n| a |"),
            version("04-seats.md", "Late fees", None, ("Seats",)),
            version("05-refunds.md", "5 Refunds", "5"),
            version("05-refunds.md", "5.1 Late fees", "5.1", ("Refunds",)),
            version("legal/09-terms.md", "9.1 Order", "9.1", ("Terms",)),
            version("legal/09-terms.md", "Schedule C - Rates", "C", ("Terms",)),
            version("legal/10-terms.md", "IV. Term", "IV"),
            version("legal/10-terms.md", "4.2 Other", "4.2"),
            version("legal/11-order.md", "D. Content", "D"),
            version("legal/11-order.md", "4. License", "4", ("D. Content",)),
            version("legal/11-order.md", "E. Privacy", "E"),
            version("legal/11-order.md", "7. Retention", "7"),
        ]
    )


@pytest.mark.parametrize(
    ("target", "doc_id", "found"),
    [
        ("4.2", "04-seats.md", ["04-seats.md/4.2 Downgrades"]),
        ("4.2", "legal/10-terms.md", ["legal/10-terms.md/4.2 Other"]),
        ("9.1", "04-seats.md", ["legal/09-terms.md/9.1 Order"]),
        ("9.1(b)(ii)", "04-seats.md", ["legal/09-terms.md/9.1 Order"]),
        ("Section 5.1", "05-refunds.md", ["05-refunds.md/5.1 Late fees"]),
        ("iv", "04-seats.md", ["legal/10-terms.md/IV. Term"]),
        ("Schedule C", "04-seats.md", ["legal/09-terms.md/Schedule C - Rates"]),
        ("Table 4.2", "04-seats.md", ["04-seats.md/4.2 Downgrades"]),
        ("late fees", "05-refunds.md", ["05-refunds.md/5.1 Late fees"]),
        ("Refunds > Late fees", "04-seats.md", ["05-refunds.md/5.1 Late fees"]),
        ("#late-fees", "04-seats.md", ["04-seats.md/Late fees"]),
        ("#51-late-fees", "05-refunds.md", ["05-refunds.md/5.1 Late fees"]),
        ("05-refunds.md", "04-seats.md", ["05-refunds.md/5 Refunds"]),
        ("05-refunds.html", "04-seats.md", ["05-refunds.md/5 Refunds"]),
        ("10-terms.docx#4.2", "04-seats.md", ["legal/10-terms.md/4.2 Other"]),
        ("05-refunds.md#5.1", "04-seats.md", ["05-refunds.md/5.1 Late fees"]),
        ("05-refunds.md#Refunds > Late fees", "04-seats.md", ["05-refunds.md/5.1 Late fees"]),
        ("../04-seats.md#4.2", "legal/09-terms.md", ["04-seats.md/4.2 Downgrades"]),
        ("/legal/09-terms.md#9.1", "04-seats.md", ["legal/09-terms.md/9.1 Order"]),
        ("10-terms.md", "legal/09-terms.md", ["legal/10-terms.md/IV. Term"]),
        ("/policies/10-terms", "legal/09-terms.md", ["legal/10-terms.md/IV. Term"]),
        ("/policies/10-terms/#iv-term", "04-seats.md", ["legal/10-terms.md/IV. Term"]),
        ("/policies/11-order#D", "04-seats.md", ["legal/11-order.md/D. Content"]),
        ("D.4", "legal/11-order.md", ["legal/11-order.md/4. License"]),
        ("D(4)", "legal/11-order.md", ["legal/11-order.md/4. License"]),
        ("D.4(a)", "legal/11-order.md", ["legal/11-order.md/4. License"]),
        ("7.1", "legal/11-order.md", ["legal/11-order.md/7. Retention"]),
    ],
)
def test_a_reference_finds_what_it_names(targets: Targets, target: str, doc_id: str, found: list[str]) -> None:
    assert [version.section_id for version in targets.resolve(target, doc_id)] == found


@pytest.mark.parametrize("target", ["8.8", "9.9(b)", "Schedule Z", "gone.md", "05-refunds.md#gone", "#gone", "", "()"])
def test_a_dangling_reference_finds_nothing(targets: Targets, target: str) -> None:
    assert targets.resolve(target, "04-seats.md") == ()


def test_an_agreement_with_numbers_of_its_own_means_no_other(targets: Targets) -> None:
    assert targets.resolve("5.1", "legal/11-order.md") == ()
    assert len(targets.resolve("5.1", "04-seats.md")) == 1


def test_a_document_without_headings_is_its_first_section() -> None:
    preamble = replace(version("00-note.md", "Note"), level=0, path=(), titles=())

    assert Targets([preamble]).resolve("00-note.md", "04-seats.md") == (preamble,)


def test_an_ambiguous_reference_names_all_it_can_mean(targets: Targets) -> None:
    assert len(targets.resolve("4.2", "05-refunds.md")) == 2


def test_slugs_are_those_of_markdown_renderers() -> None:
    assert slug("4.2 Late fees & charges") == "42-late-fees--charges"


def test_a_link_to_the_id_that_an_author_gave() -> None:
    text = "## 4.2 Downgrades {#Seat-cuts}\n\nwords"
    named = replace(
        version("04-seats.md", "4.2 Downgrades", "4.2"), text=text, elements=(Element(Kind.HEADING, 0, 30, 1, 2),)
    )
    assert Targets([named]).resolve("#seat-cuts", "04-seats.md") == (replace(named, text="", elements=()),)
