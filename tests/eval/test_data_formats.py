"""Three chapters as HTML, DOCX and PDF: what the script writes, with every word of the Markdown in it."""

import html
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

Read = Callable[[Path], str]
CHAPTERS = ("04-seats", "08-credit-memos-and-approval-limits", "18-purchase-cards")


@pytest.fixture(scope="module")
def formats(root: Path) -> Path:
    return root / "data" / "formats"


def in_html(file: Path) -> str:
    return html.unescape(re.sub(r"<[^>]+>", " ", file.read_text(encoding="utf-8")))


def in_docx(file: Path) -> str:
    with zipfile.ZipFile(file) as archive:
        parts = [archive.read(f"word/{name}.xml").decode() for name in ("document", "footnotes")]
    return html.unescape(re.sub(r"<[^>]+>", "", re.sub(r"</w:p>", " ", " ".join(parts))))


def in_pdf(file: Path) -> str:
    shown = re.findall(r"\(((?:[^()\\]|\\.)*)\) Tj|( ET)", file.read_bytes().decode("cp1252"))
    return re.sub(r"\\(.)", r"\1", "".join(text + end for text, end in shown)).replace(" ET", " ")


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


def test_the_committed_files_are_what_the_script_writes(root: Path, formats: Path, tmp_path: Path) -> None:
    script = root / "data" / "source" / "build_formats.py"
    subprocess.run([sys.executable, str(script), str(root / "data" / "handbook"), str(tmp_path)], check=True)
    written = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert sorted(written) == sorted(f"{name}.{suffix}" for name in CHAPTERS for suffix in ("docx", "html", "pdf"))
    assert written == {file.name: file.read_bytes() for file in formats.iterdir()}, "run: make handbook"


@pytest.mark.parametrize("chapter", CHAPTERS)
@pytest.mark.parametrize(
    ("suffix", "read"), [("html", in_html), ("docx", in_docx), ("pdf", in_pdf)], ids=["html", "docx", "pdf"]
)
def test_no_word_of_the_chapter_is_lost(root: Path, formats: Path, chapter: str, suffix: str, read: Read) -> None:
    markdown = (root / "data" / "handbook" / "2026-07-01" / f"{chapter}.md").read_text(encoding="utf-8")
    marks = set(re.findall(r"\[\^(\w+)\]", markdown))
    lost = words(markdown) - words(read(formats / f"{chapter}.{suffix}")) - marks
    # In a Word file the numbers of a list are not text.
    assert {word for word in lost if not word.isdigit()} == set()
