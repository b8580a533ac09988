import time

import pytest

from ingest.document import Link, Relation
from ingest.links import find_links

LIMITS, CONDITION = Relation.LIMITS, Relation.CONDITION
DEFINITION, REFERENCE = Relation.DEFINITION, Relation.REFERENCE


def only(text: str) -> Link:
    (link,) = find_links(text)
    return link


def targets(text: str) -> list[str]:
    return [link.target for link in find_links(text)]


@pytest.mark.parametrize(
    ("text", "relation", "limiter", "target", "phrase"),
    [
        ("Paid, except as provided in 9.1(b).", LIMITS, "target", "9.1(b)", "except as provided in 9.1(b)"),
        ("Fees are final, except as otherwise expressly provided in Section 8.", LIMITS, "target", "8", None),
        ("Unless otherwise stated in Section 8, it ends.", LIMITS, "target", "8", None),
        ("Subject to the exceptions in Section 9.1, it ends.", LIMITS, "target", "9.1", None),
        ("Subject to Section 4.3, seats move.", CONDITION, "target", "4.3", "Subject to Section 4.3"),
        ("Allowed if the conditions set out in Section 4.2 are met.", CONDITION, "target", "4.2", None),
        ("It must meet the requirements of 3.7.", CONDITION, "target", "3.7", None),
        ("Notwithstanding 4.2, no credit is due.", LIMITS, "self", "4.2", "Notwithstanding 4.2"),
        ("Notwithstanding any of the requirements set forth in Section 2, go.", LIMITS, "self", "2", None),
        ("Section 4.2 does not apply to trials.", LIMITS, "self", "4.2", "Section 4.2"),
        ("This clause overrides Section 3.1.", LIMITS, "self", "3.1", None),
        ("A Seat, as defined in Section 1.2, is paid.", DEFINITION, "target", "1.2", "defined in Section 1.2"),
        ("It has the meaning given to it in Schedule C.", DEFINITION, "target", "Schedule C", None),
        ("Late requests follow Section 4.4.", REFERENCE, "target", "4.4", "Section 4.4"),
        ("See 4.4 for more.", REFERENCE, "target", "4.4", "See 4.4"),
        ("EXCEPT AS PROVIDED IN SECTION 9.1, NOTHING.", LIMITS, "target", "9.1", None),
        ("Subject to the [terms](05-refunds.md), it ends.", CONDITION, "target", "05-refunds.md", None),
    ],
)
def test_what_a_link_says(text: str, relation: Relation, limiter: str, target: str, phrase: str | None) -> None:
    link = only(text)

    assert (link.relation, link.limiter, link.target) == (relation, limiter, target)
    assert phrase in (None, text[link.start : link.end])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sections 4.2, 4.3 and 9.1(b)", ["4.2", "4.3", "9.1(b)"]),
        ("Sections D.3 through D.6", ["D.3", "D.4", "D.5", "D.6"]),
        ("Sections 2, 3 (second paragraph) and 12-14", ["2", "3", "12", "13", "14"]),
        ("Sections 1 to 900", ["1", "900"]),
        ("§ 12.3(a) and §§ 4, 5", ["12.3(a)", "4", "5"]),
        ("Article IV or Part 2", ["IV", "2"]),
        ("Section B(5), Section B.5", ["B(5)", "B.5"]),
        ("see Appendices A and B", ["Appendix A", "Appendix B"]),
        ("see Table 4.2", ["Table 4.2"]),
        ("Section 3, 30 days later", ["3"]),
        ("Section H of our [terms](/terms#top)", ["/terms#H", "/terms#top"]),
        ('[late fees](#late-fees) and [refunds](<05 refunds.md> "Refunds")', ["#late-fees", "05 refunds.md"]),
        ('<a href="#annex-1">Annex 1</a>', ["#annex-1"]),
        ("[Section 4.2](04-seats.md#downgrades) of this Handbook", ["04-seats.md#downgrades"]),
        ("**Section 4.2** and _Section 4.3_", ["4.2", "4.3"]),
        ("Section\u00a04.2 of this Agreement", ["4.2"]),
        ("Section 4.2 of the Handbook", ["4.2"]),
    ],
)
def test_targets_as_written(text: str, expected: list[str]) -> None:
    assert targets(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Section 512(c) of the DMCA",
        "17 U.S.C. § 512",
        "U.S. Code, Title 18, Section 1621",
        "Article 28 of the GDPR",
        "Article 6(1)(f) GDPR",
        "processing under the GDPR is limited (Article 28(2))",
        "Articles 46 or 47 Regulation (EU) 2016/679",
        "California Civil Code Section 1542",
        "Section 230 of the Communications Decency Act",
        "36 CFR Chapter XII, Subchapter B",
        "the Act, in accordance with its Article 3(2)",
        "Annex XI thereto",
        "Section 8, Limitation of Liability of the Developer Agreement",
        "Section 5 (“Trademark”) of the Master Agreement",
        "[Title 18, Section 1621](https://example.org/#section-4.2)",
        "https://example.org/section/4.2 and mailto:a@example.org",
        "this Section 4.2",
        "Notwithstanding the foregoing, seats move.",
        "# Section 4.2 Downgrades",
        "Table 4.2 - Credit formula",
        "`Section 9` or ```Section 9```",
        "```\nSection 9\n```",
        "<!-- Section 9 -->",
        "![Section 9](figure-9.png)",
        "under 4.5 percent, or subject to 2.5 million",
        "version 4.2 of the software, licensed under CC BY-SA 4.0",
        "subject to $4.20",
        "clause A customer signs, part 2 of the plan, a table I set",
        "the sections in this article",
        "pursuant to paragraph 2",
        "§ 12-101",
    ],
)
def test_no_link(text: str) -> None:
    assert find_links(text) == ()


def test_a_target_is_linked_once_for_each_relation() -> None:
    links = find_links("See Section 4.2. See Section 4.2. Subject to Section 4.2, it ends.")

    assert [link.relation for link in links] == [REFERENCE, CONDITION]


def test_a_cue_of_the_sentence_before_does_not_count() -> None:
    assert only("It is subject to change. Section 4.2 says more.").relation is REFERENCE


@pytest.mark.parametrize(
    "piece", ["[(", "<a ", "``", "1.2 ", "except ", "<!--", "Section 1, ", "Articles I, ", "(", "\n# ", " "]
)
def test_hostile_text_takes_no_quadratic_time(piece: str) -> None:
    text = piece * (40_000 // len(piece))
    started = time.process_time()

    find_links(text)

    assert time.process_time() - started < 5
