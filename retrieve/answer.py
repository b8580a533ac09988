"""From candidates to an answer: distinct passages within the budget, what they link to, and a last check of dates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ingest.dates import Day
from ingest.errors import StateDamaged
from retrieve.library import REBUILD, Library
from retrieve.links import Edge, one_hop
from retrieve.passages import Candidate, Draft, draft, draft_of, gather, passage_of, within
from retrieve.result import Passage, Via
from retrieve.settings import RetrieveSettings
from retrieve.trace import SectionKey, Trace
from retrieve.tree import Extent
from retrieve.when import Moment, show_asked


@dataclass(frozen=True, slots=True)
class Answer:
    """The passages of a result, checked to be in force."""

    passages: tuple[Passage, ...]
    linked: tuple[Passage, ...]
    dropped: tuple[str, ...]
    fates: tuple[tuple[SectionKey, str, str], ...]


@dataclass(frozen=True, slots=True)
class Answerer:
    """Turns candidates into an answer, in one library at one moment."""

    library: Library
    moment: Moment
    settings: RetrieveSettings
    documents: tuple[str, ...] | None = None

    def answer(self, candidates: Sequence[Candidate], trace: Trace, k: int) -> Answer:
        """At most `k` distinct passages and `max_links` linked ones, together within the budget.

        Raises:
            StateDamaged: the search found what is not in force; a wrong answer is never given instead.
        """
        gathered = gather((self._draft(candidate) for candidate in candidates), k)
        found = [self._with_twins(one) for one in gathered.drafts]
        linked = list(self._linked(found, trace))
        kept = within([*found, *linked], self.settings.budget_tokens)
        quoted = [*found, *linked]
        for one in quoted[:kept]:
            check_in_force(one, self.moment.as_of)
        return Answer(
            tuple(passage_of(one, rank) for rank, one in enumerate(found[:kept], 1)),
            tuple(passage_of(one, rank) for rank, one in enumerate(linked[: max(kept - len(found), 0)], 1)),
            tuple(one.address for one in quoted[kept:]),
            gathered.fates,
        )

    def named(self, key: SectionKey, limit: int | None) -> Passage:
        """One section as asked for by name, with as many whole subsections as fit `limit` o200k tokens (None: all)."""
        one = self._with_twins(draft_of(self.library.tree_with(key), key.section_id, limit))
        check_in_force(one, self.moment.as_of)
        return passage_of(one, 1)

    def _draft(self, candidate: Candidate) -> Draft:
        self._check_filter(candidate.key.doc_id)
        return draft(self.library.tree_with(candidate.key), candidate, self.settings)

    def _check_filter(self, doc_id: str) -> None:
        if not self._wanted(doc_id):
            raise StateDamaged(f"the search returned {doc_id}, which the document filter leaves out", fix=REBUILD)

    def _wanted(self, doc_id: str) -> bool:
        return self.documents is None or doc_id in self.documents

    def _with_twins(self, one: Draft) -> Draft:
        return replace(one, also_in=tuple(twin.address for twin in self._twins(one)))

    def _twins(self, one: Draft) -> Iterator[Draft]:
        """The same texts under the same lead-ins elsewhere."""
        size = one.extent.end - one.extent.root
        for key in self.library.same_text(one.nodes[0].version):
            tree = self.library.tree_with(key)
            root = tree.index[key.section_id]
            twin = replace(one, tree=tree, extent=Extent(root, root + size), found=())
            if self._wanted(key.doc_id) and twin.says == one.says:
                yield twin

    def _linked(self, found: Sequence[Draft], trace: Trace) -> Iterator[Draft]:
        """Sections one link away, in either direction, that do not overlap with what is there."""
        if not self.settings.max_links or not found:
            return
        ranks = {entry.key: entry.rank for entry in trace.fused}
        there = list(found)
        for edge, far in one_hop(self.library.links, [one.keys for one in found], ranks):
            if len(there) - len(found) == self.settings.max_links:
                return
            new = self._across(edge, far)
            if self._wanted(far.doc_id) and not any(new.meets(old) for old in there):
                there.append(new)
                yield new

    def _across(self, edge: Edge, far: SectionKey) -> Draft:
        source, target = (self.library.placed(key).version for key in (edge.source, edge.target))
        phrase = " ".join(source.text[edge.link.start : edge.link.end].split())
        via = Via(edge.link.relation.value, source.address, target.address, phrase)
        return draft_of(self.library.tree_with(far), far.section_id, self.settings.passage_tokens, via)


def check_in_force(one: Draft, as_of: Day) -> None:
    """Every section of the passage holds on the day that was asked about.

    Raises:
        StateDamaged: one does not.
    """
    for node in one.nodes:
        if not node.valid_from <= as_of < node.valid_to:
            raise StateDamaged(
                f"the search returned {node.version.address}, which is not in force on {show_asked(as_of)}",
                fix=REBUILD,
            )
