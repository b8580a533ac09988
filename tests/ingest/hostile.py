"""A folder of hostile files beside good ones, and what is to be said of each."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.ingest.hostile_files import (
    LAUGHS,
    SECRET,
    THIEF,
    content_control,
    content_cycle,
    deep_list,
    deep_tables,
    docx,
    html,
    lying_docx,
    outline_cycle,
    p,
    page_cycle,
    pdf,
    quadratic_docx,
    spaces_docx,
    spaces_pdf,
    text_box,
    tracked,
    white_on_white,
    xhtml,
)
from tests.ingest.pdf.conftest import Sheet, write_pdf

WORD_AGAIN = "allowed: a Word document (.docx); fix: save it in Word again, or fetch it again"
NO_ENTITIES = (
    ": a DOCTYPE with declarations of its own in line 1: entities can expand without end; allowed: <!DOCTYPE html>; "
    "fix: save the page as plain HTML"
)
UNZIPPED = "allowed: up to 200,000,000 (max_unzipped_bytes); fix: take out pictures, split it, or raise the limit"
NO_DTD = (
    "a document type declaration (DTD), which may hold entities; allowed: XML without one; fix: save it in Word again"
)
PRINT_ANEW = "fix: open it in a PDF viewer and print it to a new PDF"
EMPTY = ": the file is empty; fix: remove it, or write its text"


@dataclass(frozen=True)
class Case:
    """One file, and all that is said of it after its name."""

    content: Callable[[], bytes]
    refused: str = ""
    """The line of a file that is refused."""
    note: str = ""
    """The line of a remark, with its code."""
    kept: str = ""
    """Words that are indexed."""


BOMBS = {
    "bomb-spaces.docx": Case(spaces_docx, f": parts of 1,073,742,284 bytes or more, unzipped; {UNZIPPED}"),
    "bomb-quadratic.docx": Case(quadratic_docx, f": parts of 10,000,000,701 bytes or more, unzipped; {UNZIPPED}"),
    "bomb-lying.docx": Case(
        lying_docx,
        f", word/document.xml: a damaged ZIP file: Bad CRC-32 for file 'word/document.xml'; {WORD_AGAIN}",
    ),
    "bomb-spaces.pdf": Case(
        spaces_pdf,
        ", page 1: a stream that unzips to more than 200,000,000 bytes; allowed: 200,000,000 (max_unzipped_bytes); "
        f"{PRINT_ANEW}",
    ),
    "laughs.docx": Case(lambda: docx(p("&l9;"), LAUGHS), f", word/document.xml: {NO_DTD}"),
    "laughs.xhtml": Case(lambda: xhtml("<p>Ha: &l9;</p>", LAUGHS), NO_ENTITIES),
    "thief.docx": Case(lambda: docx(p("&x;"), THIEF), f", word/document.xml: {NO_DTD}"),
    "thief.xhtml": Case(lambda: xhtml("<p>Stolen: &x;</p>", THIEF), NO_ENTITIES),
    "deep-list.html": Case(
        deep_list,
        ": elements nest 200,000 levels deep; the first beyond the limit is <ul> in line 1; "
        "allowed: max_nesting = 200; fix: flatten the page, or raise max_nesting under [ingest] in caveat.toml",
    ),
    "deep-tables.docx": Case(
        deep_tables,
        ", word/document.xml: tags that nest deeper than 200 levels; allowed: up to 200 (max_nesting); "
        "fix: flatten its tables",
    ),
    "cycle-pages.pdf": Case(
        page_cycle, f": damaged: 1 of its 2 pages can be found; allowed: a whole PDF; {PRINT_ANEW}"
    ),
    "cycle-content.pdf": Case(
        content_cycle,
        ", page 1: objects that contain themselves, or nest without end; allowed: a tree of pages and objects; "
        f"{PRINT_ANEW}",
    ),
    "cycle-outline.pdf": Case(outline_cycle, kept="Beside a bookmark that follows itself."),
}
"""What takes more time or memory than it looks like."""
IMPOSTORS = {
    "photo.pdf": Case(
        lambda: b"\xff\xd8\xff\xe0\x00\x10JFIF" + bytes(1000),
        ': a JPEG image under a PDF name; allowed: a file that starts with "%PDF-"; fix: give it its own ending',
    ),
    "archive.html": Case(
        lambda: docx(p("Words.")),
        ": a ZIP or Office file under an HTML name; fix: give it the ending of its format",
    ),
    "polyglot.pdf": Case(
        lambda: pdf("Half a page.") + docx(p("Half an archive.")),
        f": a ZIP archive in the same file; allowed: a PDF and nothing else; {PRINT_ANEW}",
    ),
    "password.pdf": Case(
        lambda: write_pdf(Sheet().text(72, 100, "Locked."), password="seats"),
        ": encrypted with a password; allowed: a PDF that anyone can open; fix: save it without a password",
    ),
    "password.docx": Case(
        lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(4000),
        ": encrypted or an old .doc; allowed: a Word document (.docx); fix: save it as .docx without a password",
    ),
    "cut.docx": Case(
        lambda: docx(p("Cut off in the middle. " * 99))[:-300],
        f": a truncated ZIP file: its end is missing; {WORD_AGAIN}",
    ),
    "cut.pdf": Case(
        lambda: pdf("Cut off in the middle.")[:400],
        ": no cross-reference table: the end of the file is missing; allowed: a whole file; "
        "fix: copy or download it again",
    ),
    "empty.docx": Case(bytes, EMPTY),
    "empty.html": Case(bytes, EMPTY),
    "empty.pdf": Case(bytes, EMPTY),
}
"""What is not what its name says, locked or cut off."""
UNSEEN = {
    "white.docx": Case(
        lambda: docx(p("Fees are paid at once.") + p(SECRET, '<w:color w:val="FFFFFF"/>')),
        note=f', paragraph 2: hidden text left out: "{SECRET}" [hidden-text]',
        kept="Fees are paid at once.",
    ),
    "vanished.docx": Case(
        lambda: docx(p("Fees are paid at once.") + p(SECRET, "<w:vanish/>")),
        note=f', paragraph 2: hidden text left out: "{SECRET}" [hidden-text]',
        kept="Fees are paid at once.",
    ),
    "white.html": Case(
        lambda: html(f'<p>Fees are paid at once.</p><p style="display:none">{SECRET}</p>'),
        note=f':1: left out, not to be seen (display: none): "{SECRET}" [hidden-text]',
        kept="Fees are paid at once.",
    ),
    "white.pdf": Case(
        white_on_white,
        note=f', page 1: left out what nobody sees (of the colour of its ground): "{SECRET}" [hidden-text]',
        kept="Fees are paid at once.",
    ),
    "tracked.docx": Case(
        tracked,
        note=": 1 insertion kept, 1 deletion left out; accept or reject them in Word [tracked-changes]",
        kept="A credit is paid unless notice is later than 30 calendar days.",
    ),
    "control.docx": Case(content_control, kept="Before the control. Inside the control."),
    "box.docx": Case(text_box, kept="Before the box. In the box."),
    "details.html": Case(
        lambda: html("<details><summary>More</summary><p>In the details.</p></details>"), kept="In the details."
    ),
}
"""Words that nobody sees, and words that readers lose."""
GOOD = {
    "good.md": Case(lambda: b"# 1 Fees\n\nGood Markdown.\n", kept="Good Markdown."),
    "good.html": Case(lambda: html("<h1>2 Fees</h1><p>Good HTML.</p>"), kept="Good HTML."),
    "good.docx": Case(
        lambda: docx(p("3 Fees", paragraph='<w:outlineLvl w:val="0"/>') + p("Good Word.")), kept="Good Word."
    ),
    "good.pdf": Case(lambda: pdf("Good PDF."), kept="Good PDF."),
}
CASES: Mapping[str, Case] = BOMBS | IMPOSTORS | UNSEEN | GOOD
"""Every file by name."""
OTHERS = {
    "link.html": ": a link to a file outside of the handbook; fix: copy the file into the handbook",
    "pipe.pdf": ": not a regular file; fix: remove it, or replace it by a file",
}
"""What is no file of the folder's own, and the line of its refusal."""


def build(folder: Path) -> None:
    """Write all of them to `folder`, with a link that leads out of it, a pipe, and a folder named like a file."""
    folder.mkdir(parents=True)
    for name, case in CASES.items():
        (folder / name).write_bytes(case.content())
    outside = folder.parent.parent / "outside.html"
    outside.write_bytes(html("<p>Outside of the handbook.</p>"))
    (folder / "link.html").symlink_to(outside)
    os.mkfifo(folder / "pipe.pdf")
    (folder / "folder.docx").mkdir()
