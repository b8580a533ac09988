"""From ranked sections to passages: growth, merging, collapsing of identical texts, and the verbatim text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ingest.dates import show_day
from retrieve.result import Match, Part, Passage, Scores, Via
from retrieve.settings import RetrieveSettings
from retrieve.tokens import fits
from retrieve.trace import SectionKey
from retrieve.tree import Extent, Tree, fitted, grown, own

if TYPE_CHECKING:
    from index.snapshot import Placed


@dataclass(frozen=True, slots=True)
class Candidate:
    """A section that the search found, with its scores and its best children as spans of its text."""

    key: SectionKey
    scores: Scores
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """A passage before its text: the sections it holds and the candidates that brought it, best first."""

    tree: Tree
    extent: Extent
    found: tuple[Candidate, ...]
    also_in: tuple[str, ...] = ()
    via: Via | None = None

    @property
    def nodes(self) -> Sequence[Placed]:
        """The sections inside, in document order."""
        return self.tree.nodes[self.extent.root : self.extent.end]

    @property
    def keys(self) -> list[SectionKey]:
        """Identities of the sections inside."""
        return [SectionKey(self.tree.doc_id, node.version.section_id) for node in self.nodes]

    @property
    def address(self) -> str:
        """Address of the outermost section."""
        return self.tree.version(self.extent.root).address

    @property
    def tokens(self) -> int:
        """o200k tokens of the text, each section counted alone, without what it inherits."""
        return self.tree.tokens(self.extent.root, self.extent.end)

    @property
    def inherits(self) -> tuple[str, ...]:
        """Lead-ins of the ancestors, outermost first."""
        return self.tree.inherits(self.extent.root)

    @property
    def says(self) -> tuple[object, ...]:
        """Equal for passages that say the same: the same texts under the same lead-ins."""
        return (self.inherits, *(node.version.text_digest for node in self.nodes))

    def meets(self, other: Draft) -> bool:
        """Whether the two share a section."""
        return self.tree.doc_id == other.tree.doc_id and self.extent.meets(other.extent)

    def covers(self, other: Draft) -> bool:
        """Whether all of the other stands in this one."""
        return self.tree.doc_id == other.tree.doc_id and self.extent.covers(other.extent)


def draft(tree: Tree, candidate: Candidate, settings: RetrieveSettings) -> Draft:
    """The passage around one found section, as the settings want it."""
    hit = tree.index[candidate.key.section_id]
    largest = settings.passage == "largest"
    return Draft(tree, grown(tree, hit, settings.passage_tokens) if largest else own(tree, hit), (candidate,))


def draft_of(tree: Tree, section_id: str, limit: int | None, via: Via | None = None) -> Draft:
    """The passage of one section as asked for by name: no wider than itself."""
    return Draft(tree, fitted(tree, tree.index[section_id], limit), (), via=via)


@dataclass(frozen=True, slots=True)
class Gathered:
    """Distinct passages, best first, and where each candidate went."""

    drafts: tuple[Draft, ...]
    fates: tuple[tuple[SectionKey, str, str], ...]


def gather(drafts: Iterable[Draft], k: int) -> Gathered:
    """The first `k` distinct passages of a ranking.

    Passages that overlap become the wider one, at the better rank, with the matches of both; the same
    text elsewhere becomes `also_in`. Once there are `k`, what follows only adds matches to what is there:
    a late candidate never widens a passage that stands.
    """
    gathering = _Gathering(k)
    fates = [(new.found[0].key, *gathering.place(new)) for new in drafts]
    return Gathered(tuple(gathering.kept), tuple(fates))


class _Gathering:
    """Distinct passages so far, in order."""

    def __init__(self, k: int):
        self.kept: list[Draft] = []
        self._said: dict[tuple[object, ...], str] = {}
        self._k = k

    def place(self, new: Draft) -> tuple[str, str]:
        """Puts `new` in, and says what became of it and at which address."""
        meeting = [at for at, old in enumerate(self.kept) if old.meets(new)]
        full = len(self.kept) >= self._k
        if meeting and (not full or self.kept[meeting[0]].covers(new)):
            return "merged", self._merge(meeting, new)
        if not meeting and new.says in self._said:
            return "also-in", self._said[new.says]
        if meeting or full:
            return "cut", new.address
        self.kept.append(new)
        self._said[new.says] = new.address
        return "returned", new.address

    def _merge(self, meeting: Sequence[int], new: Draft) -> str:
        merged = _merged([self.kept[at] for at in meeting], new)
        self.kept[meeting[0]] = merged
        self.kept = [old for at, old in enumerate(self.kept) if at not in meeting[1:]]
        return merged.address


def _merged(old: Sequence[Draft], new: Draft) -> Draft:
    """The widest of drafts that overlap; extents of one tree are nested or apart, so it covers the others."""
    widest = max([*old, new], key=lambda d: (d.extent.end - d.extent.root, -d.extent.root))
    found = tuple(candidate for d in (*old, new) for candidate in d.found)
    return replace(widest, found=found)


def within(drafts: Sequence[Draft], budget: int) -> int:
    """How many drafts from the front fit `budget` o200k tokens with what they inherit; never less than one."""
    count = len(drafts)
    while count > 1 and not _affordable(drafts[:count], budget):
        count -= 1
    return count


def _affordable(drafts: Sequence[Draft], budget: int) -> bool:
    left = budget - sum(d.tokens for d in drafts)
    return left >= 0 and fits([words for d in drafts for words in d.inherits], left)


def passage_of(draft: Draft, rank: int) -> Passage:
    """The passage with its verbatim text, its dates and the chunks that brought it."""
    text, starts = _composed(draft.nodes)
    head = draft.nodes[0].version
    return Passage(
        rank=rank,
        doc_id=head.doc_id,
        section=head.number,
        address=head.address,
        path=head.path,
        text=text,
        inherits=draft.inherits,
        omitted=tuple(draft.tree.version(node).address for node in draft.extent.omitted),
        also_in=draft.also_in,
        effective_from=show_day(max(node.valid_from for node in draft.nodes)),
        superseded_at=show_day(min(node.valid_to for node in draft.nodes)),
        page=head.page,
        matches=_matches(draft, text, starts),
        scores=draft.found[0].scores if draft.found else Scores(),
        via=draft.via,
        parts=tuple(_parts(draft.nodes, text, starts)),
    )


def _composed(nodes: Sequence[Placed]) -> tuple[str, list[int]]:
    """The sections' texts joined, and where each one starts; blank lines at the outer ends are dropped."""
    text = nodes[0].version.text
    starts = [len(text.lstrip("\n")) - len(text)]
    text = text.lstrip("\n")
    for node in nodes[1:]:
        text += "" if text.endswith("\n") or not text else "\n\n"
        starts.append(len(text))
        text += node.version.text
    return text.rstrip(), starts


def _parts(nodes: Sequence[Placed], text: str, starts: Sequence[int]) -> Iterator[Part]:
    for node, start, end in zip(nodes, starts, [*starts[1:], len(text)], strict=True):
        version = node.version
        span = max(start, 0), min(end, len(text))
        yield Part(version.address, version.number, *span, show_day(node.valid_from), show_day(node.valid_to))


def _matches(draft: Draft, text: str, starts: Sequence[int]) -> tuple[Match, ...]:
    """The found chunks inside, in text order, each once."""
    spans = set()
    for candidate in draft.found:
        by = starts[draft.tree.index[candidate.key.section_id] - draft.extent.root]
        spans |= {(max(start + by, 0), min(end + by, len(text))) for start, end in candidate.spans}
    return tuple(Match(text[start:end], start, end) for start, end in sorted(spans))
