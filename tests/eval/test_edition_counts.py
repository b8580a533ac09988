"""`caveat stats HANDBOOK`: sizes of editions, what changed, what a script wrote."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from eval.edition_counts import EditionCounts, edition_counts
from index.history.o200k import count_tokens
from ingest.errors import SourceError
from ingest.settings import IngestSettings
from tests.eval import desk

Write = Callable[[Mapping[str, str]], Path]
RATES = "---\ntitle: Rates\ngenerated: true\n---\n# A Rates\n\n## A.1 Prices\n\nThe price of a seat is 1 USD.\n"
RENUMBERED = "# 7 Refunds\n\n## 7.1 New\n\nSomething entirely new stands here.\n"


def counted(root: Path) -> dict[str, EditionCounts]:
    return {one.edition: one for one in edition_counts(root, IngestSettings(), desk.NOW)}


def test_editions_are_counted_as_the_handbook_they_leave(write_files: Write) -> None:
    found = counted(write_files(desk.FILES))
    assert list(found) == ["2025-01-01", "2026-01-01", "2026-01-01@2026-09-14"]
    assert [one.documents for one in found.values()] == [2, 3, 3]
    # Of "4", "4.1", "4.2", "Words" three have a number; of chapter 7 four, of chapter 11 two.
    assert [one.sections for one in found.values()] == [7, 9, 9]
    # 4.2 is amended and chapter 11 is new; the correction amends 4.2 alone.
    assert [one.changed for one in found.values()] == [None, 3, 1]
    assert found["2026-01-01"].changed_share == pytest.approx(3 / 9)
    text = desk.SEATS.format(days=15) + desk.REFUNDS.format(copy=desk.COPY)
    assert found["2025-01-01"].tokens == pytest.approx(count_tokens(text), abs=10)


def test_a_renumbered_section_did_not_change(write_files: Write) -> None:
    last = desk.REFUNDS.format(copy=desk.COPY)
    moved = RENUMBERED + last.removeprefix("# 7 Refunds\n").replace("## 7.2", "## 7.3").replace("## 7.1", "## 7.2")
    found = counted(write_files({"2025-01-01/07.md": last, "2026-01-01/07.md": moved.replace("7.3 Cop", "7.4 Cop")}))
    assert found["2026-01-01"].changed == 1


def test_the_share_of_what_changed_is_never_above_the_whole(write_files: Write) -> None:
    files = {"2025-01-01/a.md": desk.REFUNDS.format(copy=desk.COPY), "2026-01-01/b.md": "# 1 Words\n\nNew.\n"}
    one = counted(write_files(files))["2026-01-01"]
    assert (one.changed, one.sections, one.compared) == (5, 1, 5)
    assert one.changed_share == 1.0


def test_what_a_script_wrote_says_so_in_its_front_matter(write_files: Write) -> None:
    one = counted(write_files({**desk.FILES, "2025-01-01/a.md": RATES}))["2025-01-01"]
    assert one.generated_tokens == pytest.approx(count_tokens(RATES.split("---\n")[2]), abs=3)
    assert 0 < one.generated_share < 0.5


def test_a_word_for_generated_is_refused(write_files: Write) -> None:
    root = write_files({"2025-01-01/a.md": RATES.replace("generated: true", "generated: partly")})
    with pytest.raises(SourceError, match=r'a\.md: "generated" is neither true nor false; allowed: `generated: true`'):
        counted(root)


def test_stats_of_a_handbook_needs_no_index(caveat: Callable[..., Any], write_files: Write) -> None:
    root = str(write_files(desk.FILES))
    done = caveat("stats", root)
    assert (done.status, done.err) == (0, "")
    head, *rows = done.out.splitlines()
    assert head.split() == ["edition", "documents", "sections", "o200k", "tokens", "changed", "generated"]
    assert rows[1].split()[:3] + rows[1].split()[4:] == ["2026-01-01", "3", "9", "3", "(33.3%)", "0.0%"]
    assert caveat("stats", root, "--json").values[2]["changed"] == 1
