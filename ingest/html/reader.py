"""HTML pages to blocks, as a person sees them in a browser; no file or network is touched.

Understood beside plain HTML: what Word, LibreOffice, Google Docs, Confluence, pandoc and Sphinx export. Scripts do
not run and linked style sheets are not fetched, so text that only they would show or hide is read as it stands.
"""

from __future__ import annotations

from collections.abc import Iterator

from ingest.blocks import Dropped, Parsed, SourceLine
from ingest.errors import SourceError
from ingest.html.decoding import decoded
from ingest.html.finish import finished
from ingest.html.source import source_lines
from ingest.html.tree import Page, parsed
from ingest.html.walk import Walk
from ingest.settings import IngestSettings


def read_html(raw: bytes, settings: IngestSettings, where: str) -> Parsed:
    """The blocks of an HTML file.

    Raises:
        SourceError: another format, binary, cut off, an archive or a set of frames, declarations of entities, or
            deeper or larger than the settings allow.
    """
    read = decoded(raw, where)
    page = parsed(read.text, settings, where)
    _refuse_others(page, where)
    walk = Walk(page, settings, where)
    drafts = walk.read()
    if page.frames and not drafts:
        found = "a set of frames: its text is in other files"
        raise SourceError(found, where=where, fix="remove it, and index the files that it shows")
    unshown = list(_unshown(page))
    return Parsed(
        blocks=tuple(finished(drafts, walk)),
        # What no browser shows comes last, so that no word of it is found in the text of the page.
        source=(*source_lines(read.text), *(SourceLine(one.where, one.text) for one in unshown)),
        dropped=(*walk.findings.dropped, *unshown),
        remarks=(*read.remarks, *walk.findings.remarks),
        title=page.title,
    )


def _unshown(page: Page) -> Iterator[Dropped]:
    for reason, line, words in page.unshown:
        for place, one in enumerate(words.split("\n")):
            if any(map(str.isalnum, one)):
                yield Dropped(reason, f"line {line + place}", one)


def _refuse_others(page: Page, where: str) -> None:
    if not page.first:
        raise SourceError(
            "no tag in it: plain text under an HTML name", where=where, fix="name it .md, or save it as HTML"
        )
    if not page.html:
        raise SourceError(f"XML that is no HTML: its root is <{page.first}>", where=where, fix="save it as HTML")
