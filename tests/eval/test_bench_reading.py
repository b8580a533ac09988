"""What the reading benchmark reads: a handbook's chapters again and again, each time with other numbers."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ingest.handbook.reading import FileReading, FileRequest, read_file


@pytest.fixture(scope="module")
def large(root: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, FileReading]:
    """Chapter 8, with its footnote, on at least 12 pages: three times over."""
    folder = tmp_path_factory.mktemp("large")
    (folder / "2026-07-01").mkdir()
    chapter = "2026-07-01/08-credit-memos-and-approval-limits.md"
    shutil.copy(root / "data" / "handbook" / chapter, folder / chapter)
    script = root / "data" / "source" / "build_large.py"
    subprocess.run([sys.executable, str(script), str(folder), str(folder), "12", "12"], check=True)
    files = [folder / "large.pdf", folder / "large.docx"]
    return {file.suffix: read_file(FileRequest(file.name, file.name, file.read_bytes())) for file in files}


@pytest.mark.parametrize("suffix", [".pdf", ".docx"])
def test_no_number_comes_twice_and_nothing_is_lost(large: dict[str, FileReading], suffix: str) -> None:
    read = large[suffix]
    numbers = [section.number for section in read.document.sections if section.number]
    assert len(set(numbers)) == len(numbers)
    assert {"8.3", "108.3", "208.3"} < set(numbers)
    assert len(read.document.sections) == 3 * 15
    assert read.loss.lines == ()


def test_the_file_is_as_long_as_was_asked_for(large: dict[str, FileReading]) -> None:
    assert 12 <= (large[".pdf"].pages or 0) < 18
