"""Pages as programs export them: Word, Google Docs, LibreOffice, Confluence, pandoc and Sphinx."""

import pytest

from tests.ingest.html.exports import EXPORTS

TEXTS = {
    "Word": "# Seat policy\n\n## 1 Seats\n\n(a) The request\n   (i) in writing\n- a bullet\n\nSee [Seats](#1) and pay.",
    "Word filtered": "- first\n\n(a) alpha\n\n(b) beta\n\n## 4.2 Fees",
    "Google Docs": "## 4.2 Fees\n\n(a) One\n   i. Sub\n(b) Two\n\n[**Fees**](#4.2)\n\n- dot",
    "LibreOffice": "# 4 Seats\n\nOne two.\n\n1. a\n2. b",
    "Confluence": "# HB : Seat policy\n\n## 4.2 Fees\n\nSee [here](#4.2)\n\n"
    "| Plan | Credit |\n|---|---|\n| Team | • none |",
    "pandoc": "# Seat policy\n\nAnn\n\n## 4.2 Fees\n\na. a\n\nPlans\n\n| A | B |\n|---|---|\n| c | d |",
    "Sphinx": "# Fees {#seat-fees}\n\nSee [Notice](#Notice).\n\n## Notice\n\nSeat\n: A right.",
}


@pytest.mark.parametrize("program", TEXTS)
def test_exports(markdown, program: str) -> None:
    assert markdown(EXPORTS[program]) == TEXTS[program]


def test_what_word_adds_is_left_out_with_its_reason(page) -> None:
    read = page(EXPORTS["Word"])
    reasons = [one.reason for one in read.dropped]
    assert reasons == ["table of contents", "deleted revision", "comment", "comment", "style"]
    assert [one.code for one in read.remarks] == ["tracked-changes"]
