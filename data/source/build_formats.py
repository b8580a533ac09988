"""Write three chapters of the newest edition in force as HTML, DOCX and PDF.

    python data/source/build_formats.py data/handbook data/formats

They are no part of the handbook folder: each is the same text as its Markdown. The same chapters give the same bytes.
"""

from __future__ import annotations

import sys
from pathlib import Path

from formats.blocks import Heading, blocks
from formats.docx import docx
from formats.html import html
from formats.pdf import pdf

EDITION = "2026-07-01"
CHAPTERS = ("04-seats", "08-credit-memos-and-approval-limits", "18-purchase-cards")
WRITERS = {"html": html, "docx": docx, "pdf": pdf}


def build(handbook: Path, out: Path) -> None:
    """Write CHAPTER.html, .docx and .pdf of each chapter to `out`."""
    out.mkdir(parents=True, exist_ok=True)
    for name in CHAPTERS:
        read = blocks((handbook / EDITION / f"{name}.md").read_text(encoding="utf-8"))
        title = next(block.text for block in read if isinstance(block, Heading))
        for suffix, write in WRITERS.items():
            (out / f"{name}.{suffix}").write_bytes(write(title, read))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(f"usage: {Path(sys.argv[0]).name} HANDBOOK OUT")
    build(Path(sys.argv[1]), Path(sys.argv[2]))
