"""The words of the raw text, found without the tree: Python's own parser finds the same."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.handbook.reading import FileRequest, read_file
from ingest.html.names import names_in
from ingest.html.source import source_lines

TAGS = sorted(
    names_in("p div span b a h2 ul ol li dl dt dd table tr td th caption blockquote pre br hr section sup form select")
)
WORD = st.sampled_from(["seat", "thirty days", "4.2 ", "(a) ", "&amp;", "&nbsp;", "\n", "<3", "a&lt;b", "[x](y)", "*"])
TAG = st.builds(
    "<{}{}{}>".format, st.sampled_from(["", "/"]), st.sampled_from(TAGS), st.sampled_from([" ", " class=x"])
)
PARTS = st.lists(st.one_of(WORD, WORD, TAG, st.sampled_from(["<!-- c -->", "<style>s</style>", '<img alt="alt">'])))


class Oracle(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.silent = False
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.silent = self.silent or tag == "style"
        self.words += [dict(attributes).get("alt") or ""] if tag == "img" else []

    def handle_endtag(self, tag: str) -> None:
        self.silent = self.silent and tag != "style"

    def handle_data(self, data: str) -> None:
        self.words += [] if self.silent else [data]


def squeezed(texts: list[str]) -> str:
    return "".join(re.findall(r"[^\W_]+", "".join(texts)))


@given(PARTS)
def test_all_words_are_found(parts: list[str]) -> None:
    html = "".join(parts)
    assert squeezed([line.text for line in source_lines(html)]) == squeezed(Oracle(html).words)


@given(st.lists(st.one_of(st.sampled_from(["seat ", "thirty days ", "4.2 ", "\n"]), TAG), min_size=1))
def test_no_word_is_lost(parts: list[str]) -> None:
    html = f"<p>Here: {''.join(parts)}"
    assert read_file(FileRequest("x.html", "x.html", html.encode())).loss.lines == ()


@pytest.mark.parametrize(
    ("html", "lines"),
    [
        ("<p>one\ntwo <b>th</b>ree</p>\n<p>four", [(1, "one"), (2, "two three"), (3, "four")]),
        ("<td>5<td>6", [(1, "5"), (1, "6")]),
        ("<title>x</title><script>a<b</script><style>c</style>d<!-- e -->f", [(1, "d"), (1, "f")]),
        ('a<img alt="b > c">d<input value=e><input type=hidden value=f>', [(1, "a"), (1, "b > c"), (1, "d"), (1, "e")]),
        ("<del>30</del><ins>45</ins> days", [(1, "30 45 days")]),
        ("<p title='it\n> x'>a\n</p>&nbsp;<p>b", [(2, "a"), (3, "b")]),
    ],
    ids=["lines", "cells", "silent", "attributes", "revisions", "quotes"],
)
def test_lines_are_those_of_the_file(html: str, lines: list[tuple[int, str]]) -> None:
    found = [(line.where, " ".join(line.text.split())) for line in source_lines(html)]
    assert found == [(f"line {number}", text) for number, text in lines]
