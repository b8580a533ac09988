"""What tests of HTML share: a page from a string, and what is read of it."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

from ingest.blocks import Parsed
from ingest.elements import Kind
from ingest.html.reader import read_html
from ingest.settings import IngestSettings
from ingest.writing import write

SETTINGS = IngestSettings()


def read_page(html: str | bytes) -> Parsed:
    raw = html if isinstance(html, bytes) else dedent(html).encode()
    return read_html(raw, SETTINGS, "seats.html")


@pytest.fixture
def page() -> Callable[[str | bytes], Parsed]:
    """A function from a page to what is read of it."""
    return read_page


@pytest.fixture
def markdown() -> Callable[[str], str]:
    """A function from a page to its Markdown, without the line end."""
    return lambda html: write(read_page(html).blocks)[0].rstrip("\n")


@pytest.fixture
def items() -> Callable[[str], list[tuple[str | None, int]]]:
    """A function from a page to the full ordinals and depths of its items."""
    return lambda html: [(one.ordinal, one.level) for one in write(read_page(html).blocks)[1] if one.kind is Kind.ITEM]


@pytest.fixture
def left_out() -> Callable[[str], list[tuple[str, str]]]:
    """A function from a page to what was left out: reason and words."""
    return lambda html: [(one.reason, " ".join(one.text.split())) for one in read_page(html).dropped]
