"""docs/readers.md: what it shows is what the commands print."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from eval.reading_table import table
from ingest.settings import IngestSettings

DOCUMENTS = Path(__file__).parents[3] / "shared" / "docs"
BLOCK = re.compile(r"^```text\n(> .*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    return (root / "docs" / "readers.md").read_text(encoding="utf-8")


def printed(commands: list[str], folder: Path, root: Path) -> str:
    """The commands as typed, each followed by what it prints."""
    if not (folder / "data").exists():
        (folder / "data").symlink_to(root / "data")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    shown = ""
    for command in commands:
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=folder,
            env={**os.environ, "PATH": path, "LC_ALL": "C.UTF-8"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=120,
        )
        shown += f"> {command}\n{done.stdout}"
    return shown


def test_every_command_prints_what_the_page_shows(page: str, root: Path, tmp_path: Path) -> None:
    blocks = BLOCK.findall(page)
    assert len(blocks) == 3
    for block in blocks:
        assert printed(re.findall(r"^> (.*)$", block, re.MULTILINE), tmp_path, root) == block


def test_every_limit_is_named_with_its_default(page: str) -> None:
    rows = dict(re.findall(r"^\| `(max_\w+|read_\w+)` \| ([\d,]+)", page, re.MULTILINE))
    limits = {name: value for name, value in IngestSettings() if name.startswith(("max_", "read_"))}
    assert set(rows) == set(limits)
    for name, value in limits.items():
        shown = int(rows[name].replace(",", ""))
        assert shown == (value // 1_000_000 if name.endswith("bytes") else value)


@pytest.mark.parametrize(
    "pattern", [r"[Rr]emark\(\s*\"([a-z-]+)\"", r"Dropped\(\s*\"([a-z ]+)\""], ids=["remark", "reason"]
)
def test_every_remark_and_every_reason_is_explained(page: str, root: Path, pattern: str) -> None:
    sources = [file.read_text(encoding="utf-8") for file in (root / "ingest").rglob("*.py")]
    found = {name for source in sources for name in re.findall(pattern, source)}
    assert len(found) > 4
    assert [name for name in sorted(found) if not re.search(rf"\| [^|]*\b{name}\b", page)] == []


def test_every_format_is_named(page: str) -> None:
    assert [name for name in ("Markdown", "HTML", "Word", "PDF") if name not in page.split("\n\n")[1]] == []


@pytest.mark.skipif(not DOCUMENTS.is_dir(), reason="the shared documents are not beside the project")
def test_the_table_of_real_documents_is_up_to_date(page: str) -> None:
    files = sorted((*DOCUMENTS.glob("*.docx"), *DOCUMENTS.glob("*.pdf")), key=lambda file: (file.suffix, file.name))
    made = table(files, IngestSettings())
    assert made in page, made
