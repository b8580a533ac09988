"""The parts that the main one points to, each parsed once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from ingest.docx.archive import printable
from ingest.docx.names import Node
from ingest.docx.package import Package, Relation
from ingest.docx.report import Report

_READ: Final = ("styles", "numbering", "settings", "footnotes", "endnotes", "header", "footer", "comments")


@dataclass(slots=True)
class Parts:
    """Parts by the kind of their relation: "styles", "footnotes", "header"."""

    package: Package
    report: Report
    relations: dict[str, Relation] = field(init=False)
    """What the main part points to."""
    _roots: dict[str, list[Node]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.relations = self.package.relations(self.package.main)

    def roots(self, kind: str) -> list[Node]:
        """The roots of all parts of a kind, in the order in which the file names them."""
        if kind not in self._roots:
            self._roots[kind] = [root for name in self._names(kind) if (root := self._root(kind, name)) is not None]
        return self._roots[kind]

    def root(self, kind: str) -> Node | None:
        """The root of the one part of a kind."""
        return next(iter(self.roots(kind)), None)

    def relations_of(self, kind: str) -> dict[str, Relation]:
        """What the one part of a kind points to."""
        return next((self.package.relations(name) for name in self._names(kind)), {})

    def _names(self, kind: str) -> list[str]:
        names = [one.target for one in self.relations.values() if one.kind == kind and not one.external]
        return list(dict.fromkeys(names))

    def _root(self, kind: str, name: str) -> Node | None:
        root = self.package.find_xml(name)
        if root is None and kind in _READ:
            self.report.remark(
                "missing-part", "", f"{printable(name)} ({kind}) is named but not in the file; save it in Word again"
            )
        return root
