"""What is in force in one view, kept ready between queries: documents as trees, links as a graph."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ingest.errors import StateDamaged
from retrieve.links import LinkGraph, key_of
from retrieve.trace import SectionKey
from retrieve.tree import Tree

if TYPE_CHECKING:
    from index.history.records import Version
    from index.snapshot import Placed, View

REBUILD = "run `caveat index --full`, and report this: what is searched and the catalog disagree"


class Library:
    """Trees and links of one view, each made on first use."""

    def __init__(self, view: View):
        self.view = view
        self._trees: dict[str, Tree] = {}
        self._same_text: dict[str, list[SectionKey]] = {}

    @cached_property
    def documents(self) -> dict[str, None]:
        """Documents in force, in order."""
        return dict.fromkeys(self.view.documents())

    def tree(self, doc_id: str) -> Tree:
        """The sections of a document in force."""
        if doc_id not in self._trees:
            self._trees[doc_id] = self._load(doc_id)
        return self._trees[doc_id]

    def placed(self, key: SectionKey) -> Placed:
        """One section in force."""
        tree = self.tree_with(key)
        return tree.nodes[tree.index[key.section_id]]

    def tree_with(self, key: SectionKey) -> Tree:
        """The document that holds a section.

        Raises:
            StateDamaged: the section is not in force; vectors, keywords and catalog do not fit each other.
        """
        tree = self.tree(key.doc_id) if key.doc_id in self.documents else None
        if tree is None or key.section_id not in tree.index:
            raise StateDamaged(
                f"the search returned section {key.section_id} of {key.doc_id}, which is not in force", fix=REBUILD
            )
        return tree

    def _load(self, doc_id: str) -> Tree:
        placed = self.view.sections(doc_id)
        position = {node.version.section_id: i for i, node in enumerate(placed)}
        # Sections without a parent stand under the preamble, where the document has one.
        top = 0 if placed and not placed[0].version.level else None
        parents = [position.get(node.version.parent_id or "", top if i else None) for i, node in enumerate(placed)]
        return Tree(doc_id, tuple(placed), tuple(parents))

    @cached_property
    def links(self) -> LinkGraph:
        """Links with both ends in force, resolved as they are asked for."""
        return LinkGraph(self)

    def linked_with(self, key: SectionKey) -> list[Version]:
        """A section and all others that link to it, in the order of their rows; some that do not may be among them."""
        return [near.version for near in self.view.linked_with(self.placed(key))]

    def resolve(self, target: str, doc_id: str) -> list[Version]:
        """All sections in force that `target`, written in `doc_id`, can mean: one is the answer."""
        return [found.version for found in self.view.resolve(target, doc_id)]

    def same_text(self, version: Version) -> list[SectionKey]:
        """Other sections in force with the same text of their own, by id."""
        if version.text_digest not in self._same_text:
            found = self.view.sections_with_text(version.text_digest)
            self._same_text[version.text_digest] = sorted(key_of(node.version) for node in found)
        return [key for key in self._same_text[version.text_digest] if key != key_of(version)]
