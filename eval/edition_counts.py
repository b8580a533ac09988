"""`caveat stats HANDBOOK`: the size of each edition, how much it changed, and how much of it a script wrote.

A delta is counted as the handbook that it leaves. Files that a script wrote say so in their front matter
(`generated: true`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from eval.policy import Progress, loaded_editions
from index.history.assembly import Moment, assemble
from index.history.matching import identify
from index.history.o200k import count_tokens
from index.history.parsed import LoadedDocument, LoadedEdition
from index.history.skeleton import Traits
from index.lint.findings import newest
from ingest.dates import Instant, today
from ingest.document import Document
from ingest.errors import SourceError
from ingest.formats import MARKDOWN, format_of
from ingest.handbook.editions import Edition
from ingest.handbook.frontmatter import declared, split_front_matter
from ingest.settings import IngestSettings

Left = Mapping[str, tuple[Edition, LoadedDocument]]
"""By doc_id, what the editions up to one leave in force."""


@dataclass(frozen=True, slots=True)
class EditionCounts:
    """One edition as the handbook that it leaves."""

    edition: str
    documents: int
    sections: int
    """Numbered ones."""
    tokens: int
    """o200k tokens of all documents."""
    changed: int | None
    """Numbered sections that it amends, adds or ends, moved and renumbered ones left out; None for the first."""
    compared: int | None
    """Numbered sections of this edition and the one before together, each once; None for the first."""
    generated_tokens: int
    """Tokens of the documents that a script wrote."""

    @property
    def changed_share(self) -> float | None:
        """Of the numbered sections compared, 0 to 1."""
        return None if self.changed is None else self.changed / max(self.compared or 0, 1)

    @property
    def generated_share(self) -> float:
        """Of its tokens."""
        return self.generated_tokens / max(self.tokens, 1)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return asdict(self) | {"changed_share": self.changed_share, "generated_share": self.generated_share}


def edition_counts(
    root: Path, settings: IngestSettings, now: Instant, progress: Progress | None = None
) -> tuple[EditionCounts, ...]:
    """Counts of every edition of the handbook at `root`, in their order.

    Raises:
        SourceError: the folder is missing, empty or impossible, or one of its files cannot be read.
    """
    with loaded_editions(root, settings, now, progress) as (_, loaded):
        for refusal in (refusal for edition in loaded for refusal in edition.refusals):
            raise refusal.error
        counter = _Counter(loaded, Moment(now, today(now, settings.timezone)))
        return tuple(counter.counts())


class _Counter:
    def __init__(self, loaded: Sequence[LoadedEdition], moment: Moment):
        self._loaded = loaded
        tellings = assemble(loaded, {}, moment)
        skeletons = {document.skeleton.digest: document.skeleton for one in loaded for document in one.documents}
        self._ids = {(key.name, doc_id): ids for (key, doc_id), ids in identify(tellings, skeletons).ids.items()}
        self._tokens = lru_cache(maxsize=None)(count_tokens)

    def counts(self) -> Iterator[EditionCounts]:
        before: Mapping[str, Traits] | None = None
        for number, one in enumerate(self._loaded, 1):
            left = newest(self._loaded[:number])
            sections = self._sections(left)
            sizes = {doc_id: self._size(loaded.read()) for doc_id, (_, loaded) in left.items()}
            yield EditionCounts(
                one.edition.name,
                len(left),
                len(sections),
                sum(sizes.values()),
                None if before is None else _changed(before, sections),
                None if before is None else len(before.keys() | sections.keys()),
                sum(sizes[doc_id] for doc_id, (edition, loaded) in left.items() if _is_generated(edition, loaded)),
            )
            before = sections

    def _sections(self, left: Left) -> dict[str, Traits]:
        """Numbered sections by their ids."""
        return {
            section_id: traits
            for doc_id, (edition, loaded) in left.items()
            for section_id, traits in zip(self._ids[edition.name, doc_id], loaded.skeleton.sections, strict=True)
            if traits.number
        }

    def _size(self, document: Document) -> int:
        return sum(self._tokens(section.text) for section in document.sections)


def _changed(before: Mapping[str, Traits], after: Mapping[str, Traits]) -> int:
    amended = sum(before[name].body != after[name].body for name in before.keys() & after.keys())
    return amended + len(before.keys() ^ after.keys())


def _is_generated(edition: Edition, loaded: LoadedDocument) -> bool:
    where = edition.where(loaded.relative)
    if format_of(loaded.relative) not in (MARKDOWN, None):
        return False
    [path] = [file.path for file in edition.files if file.relative == loaded.relative]
    try:
        text = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except OSError as error:
        raise SourceError(f"gone while it was read ({error.strerror})", where=where, fix="run again") from error
    keys, _, _ = split_front_matter(text, where=where)
    return declared(keys, where=where).generated
