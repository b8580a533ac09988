"""Parts of a Word file and how they are related (OPC): found by their relationships, not by their names."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from ingest.docx.archive import Archive, printable
from ingest.docx.names import DOCUMENT, Node, R
from ingest.docx.parsing import parse
from ingest.errors import SourceError
from ingest.settings import IngestSettings

_TYPES: Final = "[Content_Types].xml"
_ALLOWED: Final = "a Word document (.docx)"
_OTHERS: Final = (
    ("spreadsheetml", "an Excel workbook"),
    ("ms-excel", "an Excel workbook"),
    ("presentationml", "a PowerPoint presentation"),
    ("ms-powerpoint", "a PowerPoint presentation"),
    ("visio", "a Visio drawing"),
)
_MIMETYPES: Final = ((b"opendocument", "an OpenDocument file (.odt)"), (b"epub", "an e-book (EPUB)"))


@dataclass(frozen=True, slots=True)
class Relation:
    """What a part points to."""

    kind: str
    """Last step of its type: "styles", "hyperlink"."""
    target: str
    """Name of a part, or an address where it is external."""
    external: bool


def target_of(relations: dict[str, Relation], node: Node) -> str:
    """What `r:id` of a node stands for, as messages show it."""
    relation = relations.get(node.get(R + "id", ""))
    return printable(relation.target) if relation else "that is not there"


class Package:
    """A Word file: its main part and what that is related to."""

    def __init__(self, raw: bytes, settings: IngestSettings, where: str):
        """Open the file `raw`.

        Raises:
            SourceError: no Word document, or one that is damaged or beyond a limit.
        """
        self._settings = settings
        self._where = where
        self._archive = Archive(raw, settings, where)
        self._types = self._content_types()
        self.main = self._main_part()
        self.document = self.xml(self.main)
        self._refuse_other_roots()

    @property
    def has_macros(self) -> bool:
        """Whether there is code in it, which is never run."""
        return any(name.endswith("vbaproject.bin") for name in self._archive.names) or "macroEnabled" in self._type()

    def size(self, name: str) -> int | None:
        """Bytes of a part, as it claims; None where it is not there."""
        return self._archive.size(name) if name in self._archive else None

    def xml(self, name: str) -> Node:
        """The root of an XML part that is there."""
        return parse(self._archive.read(name), self._settings, f"{self._where}, {printable(name)}")

    def find_xml(self, name: str) -> Node | None:
        """The root of an XML part, None where it is not there."""
        return self.xml(name) if name in self._archive else None

    def relations(self, part: str) -> dict[str, Relation]:
        """What a part ("" for the package) points to, by id."""
        folder, base = posixpath.split(part)
        root = self.find_xml(posixpath.join(folder, "_rels", f"{base}.rels"))
        if root is None:
            return {}
        return {node.get("Id", ""): self._relation(node, folder) for node in root if node.get("Target") is not None}

    def _relation(self, node: Node, folder: str) -> Relation:
        kind = node.get("Type", "").rpartition("/")[2]
        target = node.get("Target", "").strip()
        if node.get("TargetMode") == "External":
            return Relation(kind, target, external=True)
        name = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
        return Relation(kind, name if name in self._archive else unquote(name), external=False)

    def _content_types(self) -> dict[str, str]:
        root = self.find_xml(_TYPES)
        named = root if root is not None else ()
        return {
            node.get("PartName", "").lstrip("/").casefold(): node.get("ContentType", "")
            for node in named
            if node.get("PartName")
        }

    def _type(self) -> str:
        return self._types.get(self.main.casefold(), "")

    def _main_part(self) -> str:
        targets = [one.target for one in self.relations("").values() if one.kind == "officeDocument"]
        found = next((name for name in targets if name in self._archive), None)
        if found is None:
            raise SourceError(self._kind(), where=self._where, allowed=_ALLOWED, fix="save it in Word as .docx")
        for mark, kind in _OTHERS:
            if mark in self._types.get(found.casefold(), ""):
                raise self._other(kind)
        return found

    def _kind(self) -> str:
        """What a ZIP file without a Word document is."""
        if "mimetype" in self._archive:
            mimetype = self._archive.read("mimetype")[:200]
            for mark, kind in _MIMETYPES:
                if mark in mimetype:
                    return f"{kind} under a .docx name"
        return "a ZIP file without a Word document in it"

    def _refuse_other_roots(self) -> None:
        root = self.document.tag
        if root == DOCUMENT:
            return
        for mark, kind in _OTHERS:
            if mark in root:
                raise self._other(kind)
        found = f"{printable(self.main)} is no Word document but <{root.rpartition('}')[2]}>"
        raise SourceError(found, where=self._where, allowed=_ALLOWED, fix="save it in Word as .docx")

    def _other(self, kind: str) -> SourceError:
        return SourceError(f"{kind} under a .docx name", where=self._where, allowed=_ALLOWED, fix="export its text")
