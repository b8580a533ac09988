"""What holds for any text: nothing is lost, moved or cut, and the same text gives the same document."""

from __future__ import annotations

import re

from hypothesis import example, given, settings
from hypothesis import strategies as st

from ingest.chunks import SPECIALS, cut
from ingest.document import Document
from ingest.elements import Element, Kind
from ingest.loss import lost_lines
from ingest.markdown.plain import has_words, plain
from ingest.markdown.reader import read_markdown
from ingest.sections import build_document
from ingest.settings import IngestSettings

LIMIT = 40
SETTINGS = IngestSettings(child_min=8, child_max=16, window_overlap=4)

BLOCKS = [
    "# 4 Seats",
    "## 4.2 Downgrades {#down}",
    "### Limits ###",
    "Fees\n====",
    "Terms\n---",
    "**4.2.1 Credit**",
    "**Notice**",
    "1. ## Scope",
    "1. **Fees**\n   text\n2. **Tax**\n   more",
    "- ## no heading",
    "Clause 8\n\n**Safeguards**",
    "A paragraph of text. It has two sentences.",
    "Only if:\n\n- one\n- two\n  - three\n\n  after",
    "1. first\n1. second\n   (a) alpha\n   (b) beta:\n      (i) one\n      (ii) two",
    "(a) notice in writing;\n\n(b) payment.",
    "10. ten\n\n    code?\n11. eleven",
    "- - - deep",
    "1.\n2. x",
    "* a\n\n\n* b",
    "Table 4.2 - Credit\n\n| Plan | Credit |\n|---|---|\n| Team | a \\| b |\n| Annual | none |",
    "| a |\n|---|\n| b |\nTable 1: below",
    "a | b\n--|--\nc",
    f"| {'long ' * 30}| b |\n|---|---|\n| c | {'cell ' * 50}|\n| d |",
    "> quoted *text*\n> # no heading\n> - item",
    "```py\n# no heading\ncredit = a * b\n```",
    "    indented code\n    # more",
    "    (a) indented mark",
    "A note[^1] here and[^two].",
    "[^1]: The note.\n    Its second line.",
    "[^two]: See[^1].",
    "Term\n: meaning\n: second",
    "**Seat** means a right.",
    '<ol type="a"><li>One</li>\n\n<li>Two <b>x</b></li></ol>',
    "<div>\nraw text\n</div>",
    '<h2 id="x">Raw</h2>',
    "<table><tr><th>a</th></tr>\n\n<tr><td>b</td></tr></table>",
    "<!-- hidden -->",
    "text <!-- hidden\n\nstill --> seen",
    "import X from 'y'",
    "{% note %}\n\nSeen\n\n{% endnote %}",
    '<Card title="Fees">\n\ninside\n\n</Card>',
    "[label]: https://example.com 'Title'",
    "---",
    "\\# no heading",
    "a\tb\n\t- tab item",
    "word " * 60,
    "x" * 300,
    "é ß 日本語 \u200b text",
]
NOISE = st.text(alphabet="ab1 \n\t#*_-+.|:>`~[]()<>!/{}%\\^$i=\"'é", max_size=40)
TEXTS = st.lists(st.one_of(st.sampled_from(BLOCKS), NOISE), max_size=8).flatmap(
    lambda parts: st.lists(st.sampled_from(["\n\n", "\n", "\n\n  "]), min_size=len(parts), max_size=len(parts)).map(
        lambda gaps: "".join(part + gap for part, gap in zip(parts, gaps, strict=True))
    )
)


def built(text: str) -> Document:
    return build_document("d.md", "Doc", text, read_markdown(text))


def body_words(text: str, element: Element) -> list[str]:
    raw = text[element.start : element.end]
    if element.kind is Kind.HEADING:
        return []
    return re.findall(r"\w+", raw if element.kind is Kind.CODE else plain(raw))


@given(text=TEXTS)
@settings(max_examples=150, deadline=None)
@example(text="")
@example(text=" \n ")
def test_own_spans_joined_give_the_text_back(text: str) -> None:
    document = built(text)
    assert "".join(text[section.start : section.end] for section in document.sections) == text
    assert all(section.text.startswith(text[section.start : section.end].rstrip("\n")) for section in document.sections)


@given(text=TEXTS)
@settings(max_examples=150, deadline=None)
def test_elements_are_in_order_disjoint_and_hold_all_words(text: str) -> None:
    at = 0
    for element in read_markdown(text):
        assert at <= element.start < element.end <= len(text)
        assert not has_words(text[at : element.start])
        assert text.count("\n", 0, element.start) + 1 == element.line
        at = element.end
    assert not has_words(text[at:])


@given(text=TEXTS)
@settings(max_examples=150, deadline=None)
def test_no_line_is_lost(text: str) -> None:
    # Not at the start of the file, where a rule would open front matter.
    text = f"Start.\n\n{text}"
    assert lost_lines(built(text), text) == []


@given(text=TEXTS)
@settings(max_examples=150, deadline=None)
def test_every_word_of_every_section_is_in_a_chunk_that_fits(text: str, words) -> None:
    for section in built(text).sections:
        chunks = cut(section, "Doc", words, SETTINGS, LIMIT)
        assert all(words.count(chunk.embed_text) + SPECIALS <= LIMIT for chunk in chunks)
        seen = set(re.findall(r"\w+", " ".join(chunk.text for chunk in chunks)))
        assert all(word in seen for element in section.elements for word in body_words(section.text, element))


@given(text=TEXTS)
@settings(max_examples=60, deadline=None)
def test_the_same_text_gives_the_same_document_and_unique_addresses(text: str) -> None:
    document = built(text)
    assert document == built(text)
    addresses = [document.address(section) for section in document.sections]
    assert len(set(addresses)) == len(addresses)
