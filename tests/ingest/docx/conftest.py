"""Word files built from strings: what tests of the DOCX reader share."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence

from ingest.blocks import Block, Parsed
from ingest.docx.reader import read_docx
from ingest.elements import Kind
from ingest.settings import IngestSettings
from ingest.writing import write

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
SPACES = (
    f'xmlns:w="{W}" xmlns:r="{R}" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    ' xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:v="urn:schemas-microsoft-com:vml"'
    ' xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    ' xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
    ' xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"'
    ' xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"'
)
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
ROOTS = {
    "styles": "styles",
    "numbering": "numbering",
    "footnotes": "footnotes",
    "endnotes": "endnotes",
    "settings": "settings",
    "comments": "comments",
    "header": "hdr",
    "footer": "ftr",
}
"""Kinds of parts, and the names of their roots."""
HEADINGS = "".join(
    f'<w:style w:type="paragraph" w:styleId="H{n}"><w:name w:val="heading {n}"/><w:rPr><w:b/></w:rPr></w:style>'
    for n in (1, 2, 3)
)


def p(*content: str, style: str = "", props: str = "") -> str:
    """A paragraph; what does not start with "<" is text."""
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    properties = f"<w:pPr>{named}{props}</w:pPr>" if named or props else ""
    return f"<w:p>{properties}{''.join(one if one.startswith('<') else r(one) for one in content)}</w:p>"


def r(text: str, props: str = "", tag: str = "t") -> str:
    """A run."""
    properties = f"<w:rPr>{props}</w:rPr>" if props else ""
    return f'<w:r>{properties}<w:{tag} xml:space="preserve">{text}</w:{tag}></w:r>'


def listed(text: str, ilvl: int = 0, num: int = 1, props: str = "", style: str = "") -> str:
    """A paragraph of a list."""
    return p(text, style=style, props=f'<w:numPr><w:ilvl w:val="{ilvl}"/><w:numId w:val="{num}"/></w:numPr>{props}')


def level(ilvl: int, form: str, text: str, more: str = "", start: int = 1) -> str:
    """A level of a list."""
    return (
        f'<w:lvl w:ilvl="{ilvl}"><w:start w:val="{start}"/><w:numFmt w:val="{form}"/>{more}'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
    )


def abstract(number: int, *levels: str, more: str = "") -> str:
    return f'<w:abstractNum w:abstractNumId="{number}">{more}{"".join(levels)}</w:abstractNum>'


def num(number: int, of: int, more: str = "") -> str:
    return f'<w:num w:numId="{number}"><w:abstractNumId w:val="{of}"/>{more}</w:num>'


def style(name: str, more: str = "", *, of: str = "", kind: str = "paragraph", identity: str = "") -> str:
    based = f'<w:basedOn w:val="{of}"/>' if of else ""
    return f'<w:style w:type="{kind}" w:styleId="{identity or name}"><w:name w:val="{name}"/>{based}{more}</w:style>'


def tbl(*rows: Sequence[str], props: str = "") -> str:
    """A table; a cell that does not start with "<" is text."""
    return f"<w:tbl><w:tblPr>{props}</w:tblPr>{''.join(tr(*row) for row in rows)}</w:tbl>"


def tr(*cells: str, props: str = "") -> str:
    properties = f"<w:trPr>{props}</w:trPr>" if props else ""
    return f"<w:tr>{properties}{''.join(one if one.startswith('<w:tc') else tc(one) for one in cells)}</w:tr>"


def tc(content: str, props: str = "") -> str:
    content = content if content.startswith("<") else p(content)
    return f"<w:tc><w:tcPr>{props}</w:tcPr>{content}</w:tc>"


def relations(*entries: tuple[str, str, str], external: Sequence[str] = ()) -> str:
    """Relationships: (id, kind, target) each."""
    made = "".join(
        f'<Relationship Id="{one}" Type="{R}/{kind}" Target="{target}"'
        f"{' TargetMode=' + chr(34) + 'External' + chr(34) if one in external else ''}/>"
        for one, kind, target in entries
    )
    return f'<Relationships xmlns="{PACKAGE}/relationships">{made}</Relationships>'


def parts(body: str, links: Mapping[str, str] | None = None, **others: str) -> dict[str, str]:
    """The parts of a Word file by name; `others` are the contents of parts by kind, `links` addresses by id."""
    entries = [(f"k{kind}", kind, f"{kind}.xml") for kind in others]
    entries += [(one, "hyperlink", target) for one, target in (links or {}).items()]
    made = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types">'
        f'<Override PartName="/word/document.xml" ContentType="{MAIN}"/></Types>',
        "_rels/.rels": relations(("r1", "officeDocument", "word/document.xml")),
        "word/document.xml": f"<w:document {SPACES}><w:body>{body}</w:body></w:document>",
        "word/_rels/document.xml.rels": relations(*entries, external=tuple(links or ())),
    }
    for kind, content in others.items():
        made[f"word/{kind}.xml"] = f"<w:{ROOTS[kind]} {SPACES}>{content}</w:{ROOTS[kind]}>"
    return made


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return target.getvalue()


def docx(body: str, links: Mapping[str, str] | None = None, **others: str) -> bytes:
    return zipped(parts(body, links, **others))


def read(body: str, links: Mapping[str, str] | None = None, **others: str) -> Parsed:
    """What is read of a Word file with this body."""
    return read_docx(docx(body, links, **others), IngestSettings(), "a.docx")


def text_of(body: str, links: Mapping[str, str] | None = None, **others: str) -> str:
    """The same as Markdown."""
    return write(read(body, links, **others).blocks)[0]


def said(blocks: Sequence[Block]) -> list[str]:
    """Each block in short: "# heading", "1. item", "text"."""
    return [_short(one) for one in blocks]


def _short(block: Block) -> str:
    if block.kind is Kind.HEADING:
        return f"{'#' * block.level} {block.text}"
    if block.kind is Kind.ITEM:
        return f"{'  ' * (block.level - 1)}{block.mark or '-'} {block.text}"
    if block.kind is Kind.TABLE:
        return " / ".join(" | ".join(row) for row in block.cells)
    return f"{'  ' * block.level}{block.text}"
