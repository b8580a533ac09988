from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from index.history.matching import Identities, identify
from index.history.skeleton import Skeleton, Traits
from index.history.tellings import Said, Telling
from index.history.timeline import UNDECLARED, EditionKey


def part(
    number: str | None,
    title: str,
    body: str = "",
    *,
    under: tuple[str, ...] = (),
    occurrence: int = 1,
    explicit_id: str | None = None,
    moved_from: str | None = None,
) -> Traits:
    """A section; a body says enough to be recognised by unless it is empty."""
    titles = (*under, title)
    return Traits(
        f"{number}{titles}{body}", body, bool(body), number, title, titles, occurrence, None, explicit_id, moved_from
    )


@dataclass
class Handbook:
    """Editions in order, each a mapping of doc_id to sections."""

    tellings: list[Telling] = field(default_factory=list)
    skeletons: dict[str, Skeleton] = field(default_factory=dict)

    def add(
        self,
        documents: dict[str, Sequence[Traits]],
        *,
        full: bool = True,
        gone: tuple[str, ...] = (),
        silent: tuple[str, ...] = (),
        moved: dict[str, str] | None = None,
    ) -> Handbook:
        day = len(self.tellings) + 1
        said = {}
        for doc_id, sections in documents.items():
            digest = f"{day}{doc_id}"
            self.skeletons[digest] = Skeleton(digest, doc_id, doc_id, (moved or {}).get(doc_id), tuple(sections))
            said[doc_id] = Said(doc_id, doc_id, day, day, digest)
        self.tellings.append(Telling(EditionKey(day, UNDECLARED, str(day)), full, said, gone, silent, day))
        return self

    def identify(self) -> Identities:
        return identify(self.tellings, self.skeletons)

    def ids(self, edition: int, doc_id: str = "a.md") -> tuple[str, ...]:
        return self.identify().ids[self.tellings[edition].key, doc_id]


NOTICE, CREDIT = part("4.1", "Notice", "n"), part("4.2", "Credit", "c")


def test_a_section_keeps_its_id_while_its_text_changes() -> None:
    handbook = Handbook().add({"a.md": [NOTICE, CREDIT]}).add({"a.md": [NOTICE, part("4.2", "Credit", "other")]})
    assert handbook.ids(0) == handbook.ids(1)


def test_a_number_alone_never_decides() -> None:
    handbook = Handbook().add({"a.md": [CREDIT]}).add({"a.md": [part("4.2", "Refunds", "other")]})
    assert set(handbook.ids(0)).isdisjoint(handbook.ids(1))


def test_a_renumbered_section_is_found_by_its_title_path() -> None:
    handbook = Handbook().add({"a.md": [CREDIT]}).add({"a.md": [part("4.3", "Credit", "other")]})
    assert handbook.ids(0) == handbook.ids(1)


def test_a_retitled_section_is_found_by_its_text() -> None:
    handbook = Handbook().add({"a.md": [CREDIT]}).add({"a.md": [part("4.3", "Credits", "c")]})
    assert handbook.ids(0) == handbook.ids(1)


def test_a_body_that_says_too_little_recognises_nothing() -> None:
    handbook = Handbook().add({"a.md": [part("1", "Pets")]}).add({"a.md": [part("2", "Travel")]})
    assert set(handbook.ids(0)).isdisjoint(handbook.ids(1))


def test_a_text_that_stands_twice_recognises_nothing() -> None:
    twice = [part("1", "Pets", "same"), part("2", "Dogs", "same")]
    handbook = Handbook().add({"a.md": twice}).add({"a.md": [part("3", "Travel", "same")]})
    assert set(handbook.ids(0)).isdisjoint(handbook.ids(1))


def test_number_and_title_go_before_the_title_path() -> None:
    before = [part("1", "Scope", "x", under=("A",)), part("2", "Scope", "y", under=("B",))]
    after = [part("2", "Scope", "z", under=("A",)), part("1", "Scope", "w", under=("B",))]
    handbook = Handbook().add({"a.md": before}).add({"a.md": after})
    assert handbook.ids(1) == handbook.ids(0)[::-1]


def test_an_explicit_id_goes_before_everything_and_two_different_ones_are_two_sections() -> None:
    before = [part("1", "Scope", "x", explicit_id="scope"), part("2", "Credit", "c", explicit_id="credit")]
    after = [part("1", "Scope", "x", explicit_id="credit"), part("2", "Credit", "c", explicit_id="new")]
    handbook = Handbook().add({"a.md": before}).add({"a.md": after})
    assert handbook.ids(1)[0] == handbook.ids(0)[1]
    assert handbook.ids(1)[1] not in handbook.ids(0)


def test_of_repeated_paths_the_text_says_which_is_which() -> None:
    before = [part(None, "Example", "one"), part(None, "Example", "two", occurrence=2)]
    handbook = Handbook().add({"a.md": before}).add({"a.md": [part(None, "Example", "two")]})
    assert handbook.ids(1) == handbook.ids(0)[1:]


def test_a_section_that_comes_back_has_the_id_it_had() -> None:
    handbook = Handbook().add({"a.md": [NOTICE, CREDIT]}).add({"a.md": [NOTICE]}).add({"a.md": [NOTICE, CREDIT]})
    assert handbook.ids(0) == handbook.ids(2)
    assert not handbook.identify().turns[handbook.tellings[2].key].begun


def test_a_document_that_comes_back_has_the_ids_it_had() -> None:
    handbook = Handbook().add({"a.md": [CREDIT], "b.md": [NOTICE]}).add({"b.md": [NOTICE]}).add({"a.md": [CREDIT]})
    assert handbook.ids(0) == handbook.ids(2)


def test_a_file_moved_to_another_folder_keeps_the_ids_of_unchanged_sections() -> None:
    handbook = (
        Handbook().add({"old/a.md": [NOTICE, CREDIT]}).add({"new/a.md": [NOTICE, part("4.2", "Credit", "other")]})
    )
    assert handbook.ids(1, "new/a.md")[0] == handbook.ids(0, "old/a.md")[0]
    assert handbook.ids(1, "new/a.md")[1] not in handbook.ids(0, "old/a.md")


def test_moved_from_of_a_document_keeps_the_ids_of_changed_sections_too() -> None:
    handbook = Handbook().add({"old/a.md": [NOTICE, CREDIT]})
    handbook.add({"new/a.md": [NOTICE, part("4.2", "Credit", "other")]}, moved={"new/a.md": "old/a.md"})
    assert handbook.ids(1, "new/a.md") == handbook.ids(0, "old/a.md")


def test_moved_from_of_a_section_goes_before_its_title() -> None:
    late = part("4.9", "Late credit", "late", moved_from="a.md#Credit")
    handbook = Handbook().add({"a.md": [NOTICE, CREDIT]}).add({"a.md": [NOTICE, part("4.2", "Credit", "new"), late]})
    assert handbook.ids(1)[2] == handbook.ids(0)[1]
    assert handbook.ids(1)[1] not in handbook.ids(0)


def test_moved_from_that_is_done_takes_nothing_away_again() -> None:
    late = part("4.9", "Late credit", "late", moved_from="Credit")
    after = [NOTICE, part("4.2", "Credit", "new"), late]
    handbook = Handbook().add({"a.md": [NOTICE, CREDIT]}).add({"a.md": after})
    handbook.add({"a.md": [part("4.1", "Notice", "changed"), *after[1:]]})
    assert handbook.ids(1) == handbook.ids(2)


def test_a_delta_ends_nothing_that_it_does_not_name() -> None:
    handbook = Handbook().add({"a.md": [NOTICE], "b.md": [CREDIT]}).add({"c.md": [CREDIT]}, full=False)
    assert set(handbook.ids(1, "c.md")).isdisjoint(handbook.ids(0, "b.md"))


def test_a_section_moved_out_of_a_removed_document_keeps_its_id() -> None:
    handbook = Handbook().add({"a.md": [NOTICE], "b.md": [CREDIT]}).add({"c.md": [CREDIT]}, full=False, gone=("b.md",))
    assert handbook.ids(1, "c.md") == handbook.ids(0, "b.md")


def test_a_document_of_which_an_edition_is_silent_stays() -> None:
    handbook = Handbook().add({"a.md": [NOTICE], "b.md": [CREDIT]}).add({"c.md": [CREDIT]}, silent=("b.md",))
    assert set(handbook.ids(1, "c.md")).isdisjoint(handbook.ids(0, "b.md"))


def test_two_sections_that_begin_at_one_address_are_told_apart() -> None:
    renamed = part("4.2", "Refunds", "c")
    handbook = (
        Handbook().add({"a.md": [CREDIT]}).add({"a.md": [renamed]}).add({"a.md": [renamed, part("4.3", "Credit", "n")]})
    )
    assert len({*handbook.ids(0), *handbook.ids(2)}) == 2


def test_ids_do_not_depend_on_the_names_of_editions() -> None:
    one, other = (Handbook().add({"a.md": [NOTICE]}).add({"a.md": [CREDIT]}) for _ in range(2))
    other.tellings = [
        Telling(telling.key._replace(name=f"x{telling.key.name}"), True, telling.said) for telling in other.tellings
    ]
    assert one.ids(1) == other.ids(1)


def test_a_turn_counts_what_ended_and_what_began() -> None:
    handbook = Handbook().add({"a.md": [NOTICE, CREDIT]}).add({"a.md": [NOTICE, part("9", "New", "x")]})
    turn = handbook.identify().turns[handbook.tellings[1].key]
    assert (turn.before, turn.ended, turn.begun) == (2, (("a.md", CREDIT),), (("a.md", part("9", "New", "x")),))
