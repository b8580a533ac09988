"""A chapter as a Word file: the least that Word opens (ECMA-376), with heading styles, lists and footnotes."""

from __future__ import annotations

import io
import zipfile
from itertools import accumulate
from xml.sax.saxutils import escape

from formats.blocks import Block, Code, Heading, Note, Paragraph, Runs, Table

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
MIME = "application/vnd.openxmlformats-officedocument.wordprocessingml"
PARTS = {"document": "document.main", "styles": "styles", "footnotes": "footnotes", "numbering": "numbering"}


def docx(title: str, blocks: list[Block]) -> bytes:
    """One document. Parts are stored and dated 1980, so that the same chapter gives the same bytes everywhere."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for name, text in _parts(title, blocks).items():
            archive.writestr(zipfile.ZipInfo(name), XML + text)
    return target.getvalue()


def _parts(title: str, blocks: list[Block]) -> dict[str, str]:
    lists = accumulate(isinstance(block, Paragraph) and block.ordinal == 1 for block in blocks)
    body = "".join(
        _block(block, number) for block, number in zip(blocks, lists, strict=True) if not isinstance(block, Note)
    )
    return {
        "[Content_Types].xml": _content_types(),
        "_rels/.rels": _relations(
            (f"{R}/officeDocument", "word/document.xml"),
            (f"{PACKAGE}/relationships/metadata/core-properties", "docProps/core.xml"),
        ),
        "docProps/core.xml": _core(title),
        "word/document.xml": f'<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>',
        "word/styles.xml": _styles(),
        "word/numbering.xml": _numbering(blocks),
        "word/footnotes.xml": _footnotes(blocks),
        "word/_rels/document.xml.rels": _relations(
            *((f"{R}/{name}", f"{name}.xml") for name in ("styles", "numbering", "footnotes"))
        ),
    }


def _block(block: Block, number: int) -> str:
    """A block; `number` is that of the list that was begun last."""
    if isinstance(block, Heading):
        return _paragraph(_text(block.text), f'<w:pStyle w:val="Heading{block.level}"/>')
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Code):
        return _paragraph("<w:r><w:br/></w:r>".join(_text(line) for line in block.lines), '<w:pStyle w:val="Code"/>')
    listed = f'<w:numPr><w:ilvl w:val="0"/><w:numId w:val="{number}"/></w:numPr>'
    return _paragraph(_runs(block.runs), listed if isinstance(block, Paragraph) and block.ordinal else "")


def _paragraph(runs: str, properties: str = "") -> str:
    return f"<w:p>{f'<w:pPr>{properties}</w:pPr>' if properties else ''}{runs}</w:p>"


def _runs(runs: Runs) -> str:
    return "".join(
        f'<w:r><w:footnoteReference w:id="{run.note}"/></w:r>' if run.note else _text(run.text, bold=run.bold)
        for run in runs
    )


def _text(text: str, *, bold: bool = False) -> str:
    properties = "<w:rPr><w:b/></w:rPr>" if bold else ""
    return f'<w:r>{properties}<w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


def _table(table: Table) -> str:
    rows = "".join(
        f"<w:tr>{''.join(f'<w:tc>{_paragraph(_runs(cell))}</w:tc>' for cell in row)}</w:tr>" for row in table.rows
    )
    grid = "<w:gridCol/>" * len(table.rows[0])
    properties = '<w:tblPr><w:tblStyle w:val="TableGrid"/></w:tblPr>'
    return f"<w:tbl>{properties}<w:tblGrid>{grid}</w:tblGrid>{rows}</w:tbl>"


def _footnotes(blocks: list[Block]) -> str:
    notes = "".join(
        f'<w:footnote w:id="{block.number}">{_paragraph(_runs(block.runs))}</w:footnote>'
        for block in blocks
        if isinstance(block, Note)
    )
    return f'<w:footnotes xmlns:w="{W}">{notes}</w:footnotes>'


def _styles() -> str:
    normal = '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>'
    headings = "".join(
        f'<w:style w:type="paragraph" w:styleId="Heading{n}"><w:name w:val="heading {n}"/><w:basedOn w:val="Normal"/>'
        f'<w:pPr><w:outlineLvl w:val="{n - 1}"/></w:pPr><w:rPr><w:b/><w:sz w:val="{36 - 4 * n}"/></w:rPr></w:style>'
        for n in (1, 2, 3)
    )
    code = (
        '<w:style w:type="paragraph" w:styleId="Code"><w:name w:val="HTML Preformatted"/><w:basedOn w:val="Normal"/>'
        '<w:rPr><w:rFonts w:ascii="Courier New" w:hAnsi="Courier New"/></w:rPr></w:style>'
    )
    grid = '<w:style w:type="table" w:styleId="TableGrid"><w:name w:val="Table Grid"/></w:style>'
    return f'<w:styles xmlns:w="{W}">{normal}{headings}{code}{grid}</w:styles>'


def _numbering(blocks: list[Block]) -> str:
    """One definition, and one list of it for each that starts at 1."""
    level = '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>'
    abstract = f'<w:abstractNum w:abstractNumId="0">{level}</w:abstractNum>'
    restart = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'
    count = sum(isinstance(block, Paragraph) and block.ordinal == 1 for block in blocks)
    lists = "".join(
        f'<w:num w:numId="{number}"><w:abstractNumId w:val="0"/>{restart}</w:num>' for number in range(1, count + 1)
    )
    return f'<w:numbering xmlns:w="{W}">{abstract}{lists}</w:numbering>'


def _relations(*targets: tuple[str, str]) -> str:
    entries = (f'<Relationship Id="rId{i}" Type="{kind}" Target="{to}"/>' for i, (kind, to) in enumerate(targets, 1))
    return f'<Relationships xmlns="{PACKAGE}/relationships">{"".join(entries)}</Relationships>'


def _content_types() -> str:
    rels = "application/vnd.openxmlformats-package.relationships+xml"
    core = "application/vnd.openxmlformats-package.core-properties+xml"
    defaults = f'<Default Extension="rels" ContentType="{rels}"/>'
    overrides = "".join(
        f'<Override PartName="/word/{name}.xml" ContentType="{MIME}.{kind}+xml"/>' for name, kind in PARTS.items()
    )
    overrides += f'<Override PartName="/docProps/core.xml" ContentType="{core}"/>'
    return f'<Types xmlns="{PACKAGE}/content-types">{defaults}{overrides}</Types>'


def _core(title: str) -> str:
    spaces = f'xmlns:cp="{PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"'
    return f"<cp:coreProperties {spaces}><dc:title>{escape(title)}</dc:title></cp:coreProperties>"
