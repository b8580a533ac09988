"""Random edits of edition folders, indexed one after the other, against what a naive reader would believe.

The reader below keeps every state of the folders that was ever seen, with when it was seen, and looks
through the editions from the latest to the earliest for each question. It shares nothing with the index.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from index.history.assembly import Moment
from index.history.catalog import Catalog
from index.history.parsed import ParseCache, load
from index.history.plan import make_plan
from index.history.records import SECTION, Row
from index.history.rollback import rollback
from index.settings import IndexSettings
from ingest.dates import FOREVER, show_instant
from ingest.handbook.editions import scan

EXAMPLES = int(os.environ.get("CAVEAT_EXAMPLES", "50"))
FIRST = date(2026, 1, 1).toordinal()
DAYS = range(FIRST - 1, FIRST + 34)
SECOND = 1_000_000
TITLES = ["Notice", "Credits", "Downgrades", "Renewal", "Scope"]
BODIES = [
    "Seat reductions must be submitted in writing at least thirty days before the renewal date.",
    "Credits are paid within sixty days after the invoice to which they belong was settled in full.",
    "Late requests apply only to the following term and are never refunded for any reason whatsoever.",
    "Managers approve every exception in writing and keep the approval for seven years after it ends.",
    "Nothing in this chapter limits the rights of a customer under the law of the place of residence.",
    "Reserved.",
]
DOCS = ["a.md", "b.md", "sub/c.md"]


# What is on disk


@dataclass(frozen=True)
class Part:
    number: str
    title: str
    body: str


@dataclass(frozen=True)
class File:
    parts: tuple[Part, ...]
    own_day: int | None = None
    broken: bool = False

    def text(self) -> str:
        front = f"---\neffective_from: {iso(self.own_day)}\n---\n" if self.own_day else ""
        text = "".join(f"## {part.number} {part.title}\n\n{part.body}\n\n" for part in self.parts)
        return front + text + ("\0" if self.broken else "")


@dataclass(frozen=True)
class Folder:
    day: int
    files: dict[str, File]
    at: int | None = None
    """Day in the folder's name after "@"."""
    base: str | None = None
    declared: int | None = None
    """recorded_at in edition.toml, a day."""
    removed: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        return iso(self.day) + (f"@{iso(self.at)}" if self.at else "")

    @property
    def delta(self) -> bool:
        return self.at is not None or self.base is not None

    @property
    def recorded(self) -> int | None:
        day = self.at or self.declared
        return start_of(day) if day else None

    def toml(self) -> str:
        lines = [f'base = "{self.base}"'] if self.base else []
        lines += [f"recorded_at = {iso(self.declared)}"] if self.declared else []
        lines += [f"removed = {sorted(self.removed)}"] if self.removed else []
        return "\n".join(lines)


Disk = dict[str, Folder]


def iso(day: int) -> str:
    return date.fromordinal(day).isoformat()


def start_of(day: int) -> int:
    return int(datetime.combine(date.fromordinal(day), datetime.min.time(), UTC).timestamp()) * SECOND


def noon(day: int) -> int:
    return start_of(day) + 12 * 3600 * SECOND


def write(disk: Disk, root: Path) -> None:
    for name in {path.name for path in root.iterdir()} - disk.keys():
        shutil.rmtree(root / name)
    for folder in disk.values():
        wanted = {file: content.text() for file, content in folder.files.items()}
        wanted |= {"edition.toml": folder.toml()} if folder.toml() else {}
        here = root / folder.name
        for path in [path for path in here.rglob("*") if path.is_file()]:
            if path.relative_to(here).as_posix() not in wanted:
                path.unlink()
        for file, text in wanted.items():
            (here / file).parent.mkdir(parents=True, exist_ok=True)
            (here / file).write_text(text, encoding="utf-8")


# The naive reader


@dataclass
class Reader:
    """Remembers all that was ever believed, whole."""

    log: list[tuple[int, Disk]] = field(default_factory=list)

    def see(self, disk: Disk, now: int) -> None:
        last, before = self.log[-1] if self.log else (None, {})
        after = {name: understood(folder, before.get(name)) for name, folder in disk.items()}
        if after == before:
            return
        late = {
            name: folder
            for name, folder in after.items()
            if folder.recorded is not None
            and (last is None or folder.recorded > last)
            and folder.recorded < now
            and not same_words(folder, before.get(name))
        }
        for instant in sorted({folder.recorded for folder in late.values() if folder.recorded is not None}):
            told = {
                name: folder
                for name, folder in late.items()
                if folder.recorded is not None and folder.recorded <= instant
            }
            self.log.append((instant, {**before, **told}))
        self.log.append((now, after))

    def roll_back(self, instant: int, now: int) -> None:
        self.log.append((now, self.believed(instant)))

    def believed(self, known_at: int) -> Disk:
        return next((disk for instant, disk in reversed(self.log) if instant <= known_at), {})

    def in_force(self, day: int, known_at: int) -> list[tuple[str, str, str]]:
        disk = self.believed(known_at)
        latest_first = sorted(disk.values(), key=lambda f: (f.day, f.recorded or -1, f.name), reverse=True)
        found = []
        for doc in DOCS:
            for folder in latest_first:
                file = folder.files.get(doc)
                if file and file.broken:
                    continue
                if file and (file.own_day or folder.day) <= day:
                    found += [(doc, f"{part.number} {part.title}", part.body) for part in file.parts]
                    break
                absent = doc in folder.removed or not (folder.delta or file)
                if absent and folder.day <= day:
                    break
        return sorted(found)


def understood(folder: Folder, before: Folder | None) -> Folder:
    """A broken file reads as it last read in its edition; if it never did, nothing is known of it."""
    unknown = File((), broken=True)
    last = before.files if before else {}
    read = {name: last.get(name, unknown) if file.broken else file for name, file in folder.files.items()}
    return replace(folder, files=read)


def same_words(folder: Folder, before: Folder | None) -> bool:
    return before is not None and (folder.files, folder.removed) == (before.files, before.removed)


# Edits


class Editor:
    """Draws one edit after the other; an edit that does not apply changes nothing."""

    def __init__(self, data: st.DataObject):
        self.data, self.disk, self.today = data, Disk(), FIRST + 12
        files = {"a.md": self.new_file(), "b.md": self.new_file()}
        for day in (FIRST + 5, FIRST + 10, FIRST + 15):
            self.put(Folder(day, files))

    def edit(self) -> None:
        edit, before = self.one_of(EDITS), dict(self.disk)
        note(edit.__name__)
        edit(self)
        known = {name for folder in self.disk.values() for name in folder.files}
        if not all(folder.removed <= known for folder in self.disk.values()):
            self.disk = before

    def one_of(self, choices: Iterable[Any]) -> Any:
        return self.data.draw(st.sampled_from(list(choices)))

    def put(self, folder: Folder) -> None:
        if folder.files or folder.removed:
            self.disk[folder.name] = folder

    def folder(self) -> Folder:
        return self.disk[self.one_of(sorted(self.disk))]

    def recent_day(self) -> int:
        return self.today - int(self.one_of([0, 1, 2, 3, 10]))

    def new_part(self) -> Part:
        return Part(str(self.one_of(range(1, 6))), self.one_of(TITLES), self.one_of(BODIES))

    def new_file(self) -> File:
        return File(tuple(self.new_part() for _ in range(self.one_of([1, 2, 3]))))

    def change_file(self, change: Callable[[File], File]) -> None:
        folder = self.folder()
        if folder.files:
            name = self.one_of(sorted(folder.files))
            self.put(replace(folder, files={**folder.files, name: change(folder.files[name])}))

    def change_part(self, change: Callable[[Part], Part]) -> None:
        def changed(file: File) -> File:
            at = self.one_of(range(len(file.parts)))
            return replace(file, parts=(*file.parts[:at], change(file.parts[at]), *file.parts[at + 1 :]))

        self.change_file(changed)

    # of sections

    def amend(self) -> None:
        self.change_part(lambda part: replace(part, body=self.one_of(BODIES)))

    def retitle(self) -> None:
        self.change_part(lambda part: replace(part, title=self.one_of(TITLES)))

    def renumber(self) -> None:
        self.change_part(lambda part: replace(part, number=str(self.one_of(range(1, 6)))))

    def abolish(self) -> None:
        self.change_file(lambda file: replace(file, parts=file.parts[1:] or file.parts))

    def insert(self) -> None:
        self.change_file(lambda file: replace(file, parts=(self.new_part(), *file.parts)))

    def reinstate(self) -> None:
        parts = [part for folder in self.disk.values() for file in folder.files.values() for part in file.parts]
        self.change_file(lambda file: replace(file, parts=(*file.parts, self.one_of(parts))))

    def move_part(self) -> None:
        folder = self.folder()
        if len(folder.files) > 1:
            source, target = self.one_of([(x, y) for x in folder.files for y in folder.files if x != y])
            first, *rest = folder.files[source].parts
            if rest:
                moved = {
                    source: replace(folder.files[source], parts=tuple(rest)),
                    target: replace(folder.files[target], parts=(*folder.files[target].parts, first)),
                }
                self.put(replace(folder, files={**folder.files, **moved}))

    # of files

    def move_file(self) -> None:
        folder = self.folder()
        free = [doc for doc in DOCS if doc not in folder.files and doc not in folder.removed]
        if folder.files and free:
            source = self.one_of(sorted(folder.files))
            files = {self.one_of(free) if name == source else name: file for name, file in folder.files.items()}
            self.put(replace(folder, files=files))

    def drop_file(self) -> None:
        folder = self.folder()
        if len(folder.files) > 1:
            gone = self.one_of(sorted(folder.files))
            self.put(replace(folder, files={name: file for name, file in folder.files.items() if name != gone}))

    def own_date(self) -> None:
        self.change_file(lambda file: replace(file, own_day=self.one_of([None, *range(FIRST, FIRST + 30)])))

    def break_or_mend(self) -> None:
        self.change_file(lambda file: replace(file, broken=not file.broken))

    # of editions

    def new_edition(self) -> None:
        day = self.one_of(range(FIRST, FIRST + 30))
        if iso(day) not in self.disk:
            self.put(Folder(day, dict(self.folder().files)))

    def correction(self) -> None:
        whole = [folder for folder in self.disk.values() if not folder.delta]
        based, at = self.one_of(whole), self.recent_day()
        self.put(self.changed(Folder(based.day, {}, at=at), based))

    def difference(self) -> None:
        based, day = self.folder(), self.one_of(range(FIRST, FIRST + 30))
        if based.day <= day and iso(day) not in self.disk:
            self.put(self.changed(Folder(day, {}, base=based.name), based))

    def changed(self, delta: Folder, based: Folder) -> Folder:
        if based.files and self.one_of([True, False]):
            return replace(delta, removed=frozenset([self.one_of(sorted(based.files))]))
        return replace(delta, files={self.one_of(DOCS): self.new_file()})

    def declare(self) -> None:
        folder = self.folder()
        if folder.at is None:
            self.put(replace(folder, declared=self.one_of([None, self.recent_day()])))

    def drop_edition(self) -> None:
        folder = self.folder()
        needed = {f.base for f in self.disk.values()} | {iso(f.day) for f in self.disk.values() if f.at}
        whole = [f for f in self.disk.values() if not f.delta]
        if folder.name not in needed and (folder.delta or len(whole) > 1):
            del self.disk[folder.name]


EDITS = [
    Editor.amend, Editor.retitle, Editor.renumber, Editor.abolish, Editor.insert, Editor.reinstate, Editor.move_part,
    Editor.move_file, Editor.drop_file, Editor.own_date, Editor.break_or_mend, Editor.new_edition, Editor.correction,
    Editor.difference, Editor.declare, Editor.drop_edition,
]  # fmt: skip


# The index


class Index:
    """A catalog in memory that indexes a real folder."""

    def __init__(self, root: Path):
        self.root = root
        self.catalog, self.cache = Catalog.open(Path(":memory:")), ParseCache(Path(":memory:"))

    def run(self, now: int) -> None:
        handbook = scan(self.root, timezone="UTC", now=now, max_file_bytes=10**6)
        moment = Moment(now, FIRST + (now - start_of(FIRST)) // (86_400 * SECOND))
        plan = make_plan(self.catalog, load(handbook, self.cache), moment, IndexSettings())
        if not plan.is_empty:
            self.catalog.apply(plan.change)

    def believed(self) -> set[tuple[object, ...]]:
        return {(r.kind, r.doc_id, r.id, r.digest, r.valid_from, r.valid_to) for r in self.catalog.believed()}


class Answers:
    """All rows of a catalog, read once."""

    def __init__(self, catalog: Catalog):
        self.rows = catalog.rows()
        self.versions = catalog.versions([row.digest for row in self.rows if row.kind == SECTION])

    def in_force(self, day: int, known_at: int) -> list[tuple[str, str, str]]:
        sections, documents = [], set()
        for row in self.rows:
            if row.valid_from <= day < row.valid_to and row.rec_from <= known_at < row.rec_to:
                sections.append(row) if row.kind == SECTION else documents.add(row.doc_id)
        assert len({(row.doc_id, row.id) for row in sections}) == len(sections), (
            "two sections of a document share an id"
        )
        assert {row.doc_id for row in sections} == documents
        return sorted(found for row in sections for found in self.words(row))

    def words(self, row: Row) -> Iterator[tuple[str, str, str]]:
        version = self.versions[row.digest]
        assert (version.doc_id, version.section_id) == (row.doc_id, row.id)
        if version.titles:
            yield row.doc_id, version.path[-1], version.text.split("\n", 1)[1].strip()


def check_all(answers: Answers, reader: Reader) -> None:
    instants = sorted({instant + by for instant, _ in reader.log for by in (-1, 0)})
    for known_at in instants:
        for day in DAYS:
            expected, found = reader.in_force(day, known_at), answers.in_force(day, known_at)
            assert found == expected, f"on day {day - FIRST} known at {show_instant(known_at)}"


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_belief_is_what_a_naive_reader_believes(data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        root, editor, reader = Path(folder), Editor(data), Reader()
        index = Index(root)
        for _ in range(data.draw(st.integers(1, 6), label="runs")):
            for _ in range(data.draw(st.integers(1, 5), label="edits")):
                editor.edit()
            write(editor.disk, root)
            before = index.catalog.rows()
            index.run(noon(editor.today))
            reader.see(editor.disk, noon(editor.today))
            assert_only_appended(before, index.catalog.rows())
            editor.today += data.draw(st.integers(1, 4), label="days")
        check_all(Answers(index.catalog), reader)
        if not any(file.broken for folder in editor.disk.values() for file in folder.files.values()):
            rebuilt = Index(root)
            rebuilt.run(noon(editor.today))
            assert rebuilt.believed() == index.believed()


def assert_only_appended(before: list[Row], after: list[Row]) -> None:
    for row, now in zip(before, after, strict=False):
        if row.seq_to is None:
            now = replace(now, rec_to=FOREVER, seq_to=None)
        assert now == row


@settings(max_examples=EXAMPLES // 3, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_rolling_back_restores_an_earlier_belief_and_the_next_run_goes_on_from_there(data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        root, editor, reader = Path(folder), Editor(data), Reader()
        index = Index(root)
        for _ in range(data.draw(st.integers(2, 6), label="runs")):
            now = noon(editor.today)
            if reader.log and data.draw(st.booleans(), label="roll back"):
                seq = data.draw(st.integers(1, index.catalog.sequence), label="to")
                index.catalog.apply(rollback(index.catalog, seq, now)[0])
                reader.roll_back(index.catalog.instant(seq), now)
            else:
                editor.edit()
                write(editor.disk, root)
                index.run(now)
                reader.see(editor.disk, now)
            editor.today += data.draw(st.integers(1, 4), label="days")
        check_all(Answers(index.catalog), reader)
