"""XML parts, parsed without entities, network or surprises; strict names made transitional."""

from __future__ import annotations

import re
from typing import Final

from lxml import etree

from ingest.docx.names import Node
from ingest.errors import SourceError
from ingest.settings import IngestSettings

MARKS_PER_ELEMENT: Final = 40
"""Tags and attributes for each paragraph that is allowed; Word's own files have about 20. It bounds memory before
anything is parsed: 100 MB for a million."""
_DOCTYPES: Final = tuple("<!DOCTYPE".encode(encoding) for encoding in ("utf-8", "utf-16-le", "utf-16-be"))
_STRICT: Final = "http://purl.oclc.org/ooxml/"
_TRANSITIONAL: Final = "http://schemas.openxmlformats.org/"
_POSITION: Final = re.compile(r", line \d+, column \d+.*$")


def parse(raw: bytes, settings: IngestSettings, where: str) -> Node:
    """The root of an XML part; comments and processing instructions are left out.

    Raises:
        SourceError: a DTD, XML that is not well formed, too deep, or too much of it.
    """
    _refuse_bulk(raw, settings, where)
    if any(doctype in raw for doctype in _DOCTYPES):
        raise _declared(where)
    # One parser for one part: a parser remembers the errors of those before.
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
    )
    try:
        root = etree.fromstring(raw, parser)
    except etree.XMLSyntaxError as error:
        raise _malformed(error, settings, where) from None
    except (ValueError, LookupError) as error:
        raise SourceError(f"XML that cannot be read: {error}", where=where, fix="save it in Word again") from None
    if root.getroottree().docinfo.internalDTD is not None:
        raise _declared(where)
    if root.xpath(f"boolean({'/*' * (settings.max_nesting + 1)})"):
        raise _deep(settings, where)
    return _transitional(root)


def _refuse_bulk(raw: bytes, settings: IngestSettings, where: str) -> None:
    most = MARKS_PER_ELEMENT * settings.max_elements
    if (marks := raw.count(b"<") + raw.count(b"=")) > most:
        found = f"XML of {marks:,} tags and attributes"
        raise SourceError(found, where=where, allowed=f"up to {most:,} (max_elements)", fix="split it")


def _declared(where: str) -> SourceError:
    found = "a document type declaration (DTD), which may hold entities"
    return SourceError(found, where=where, allowed="XML without one", fix="save it in Word again")


def _deep(settings: IngestSettings, where: str) -> SourceError:
    found = f"tags that nest deeper than {settings.max_nesting} levels"
    return SourceError(
        found, where=where, allowed=f"up to {settings.max_nesting} (max_nesting)", fix="flatten its tables"
    )


def _malformed(error: etree.XMLSyntaxError, settings: IngestSettings, where: str) -> SourceError:
    said = _POSITION.sub("", error.msg or "no XML")
    if "depth" in said.lower():
        return _deep(settings, where)
    found = f"XML that is not well formed: {said}"
    return SourceError(found, where=f"{where}, line {error.lineno or 1}", fix="save it in Word again")


def _transitional(root: Node) -> Node:
    """`root` with the names of strict OOXML (ISO 29500) replaced by those that Word writes by default."""
    if not any(str(uri).startswith(_STRICT) for uri in root.nsmap.values()):
        return root
    for node in root.iter(etree.Element):
        node.tag = _renamed(node.tag)
        for name in [name for name in node.attrib if str(name).startswith("{" + _STRICT)]:
            node.set(_renamed(str(name)), node.attrib.pop(name))
    return root


def _renamed(name: str) -> str:
    """{http://purl.oclc.org/ooxml/drawingml/main}t is {http://schemas.openxmlformats.org/drawingml/2006/main}t."""
    if not name.startswith("{" + _STRICT):
        return name
    uri, _, local = name[1:].partition("}")
    area, _, rest = uri.removeprefix(_STRICT).partition("/")
    return f"{{{_TRANSITIONAL}{area}/2006/{rest}}}{local}"
