from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from index.history.records import Version
from index.targets import Targets
from ingest.document import Link, Relation
from retrieve.links import HUB_LINKS, LinkGraph, key_of, one_hop
from retrieve.trace import SectionKey

MakeVersion = Callable[..., Version]


def link(relation: Relation, target: str, limiter: str = "target") -> Link:
    return Link(relation, target, 0, 5, "self" if limiter == "self" else "target")


class Everything(Targets):
    """All versions, each of which might be linked with each."""

    def __init__(self, versions: Sequence[Version]):
        super().__init__(versions)
        self._versions = versions

    def linked_with(self, key: SectionKey) -> Sequence[Version]:
        return self._versions


def graph_of(versions: Sequence[Version]) -> LinkGraph:
    return LinkGraph(Everything(versions))


def hop(versions: Sequence[Version], *passages: Version, fused: dict[SectionKey, int] | None = None) -> list[str]:
    found = one_hop(graph_of(versions), [[key_of(version)] for version in passages], fused or {})
    return [far.section_id for _, far in found]


@pytest.fixture
def rule(make_version: MakeVersion) -> Version:
    return make_version("a.md", 1, "4.2 Credits", links=(link(Relation.LIMITS, "9.1(b)"),))


def test_a_link_is_followed_from_either_end(make_version: MakeVersion, rule: Version) -> None:
    order = make_version("b.md", 1, "9.1 Order")

    assert hop([rule, order], rule) == ["b.md/9.1 Order"]
    assert hop([rule, order], order) == ["a.md/4.2 Credits"]


def test_notwithstanding_stands_in_the_limiting_section(make_version: MakeVersion) -> None:
    plain = make_version("a.md", 1, "4.2 Credits")
    over = make_version("b.md", 1, "9.1 Order", links=(link(Relation.LIMITS, "4.2", "self"),))

    assert hop([plain, over], plain) == ["b.md/9.1 Order"]


def test_a_link_into_the_passages_themselves_adds_nothing(make_version: MakeVersion, rule: Version) -> None:
    order = make_version("b.md", 1, "9.1 Order")

    assert hop([rule, order], rule, order) == []


def test_a_target_that_is_missing_or_ambiguous_makes_no_edge(make_version: MakeVersion, rule: Version) -> None:
    twice = [make_version(doc_id, 1, "9.1 Order") for doc_id in ("b.md", "c.md")]

    assert hop([rule], rule) == []
    assert hop([rule, *twice], rule) == []


def test_limits_come_before_references_and_better_passages_first(make_version: MakeVersion) -> None:
    first = make_version("a.md", 1, "1 A", links=(link(Relation.REFERENCE, "3"), link(Relation.DEFINITION, "4")))
    second = make_version("a.md", 1, "2 B", links=(link(Relation.LIMITS, "5"), link(Relation.REFERENCE, "6")))
    others = [make_version("a.md", 1, f"{number} X") for number in (3, 4, 5, 6)]

    assert hop([first, second, *others], first, second) == ["a.md/5 X", "a.md/4 X", "a.md/3 X", "a.md/6 X"]


def test_what_the_search_ranked_higher_comes_first_among_equals(make_version: MakeVersion) -> None:
    rule = make_version("a.md", 1, "1 A", links=(link(Relation.LIMITS, "3"), link(Relation.LIMITS, "4")))
    others = [make_version("a.md", 1, f"{number} X") for number in (3, 4)]

    assert hop([rule, *others], rule, fused={key_of(others[1]): 7}) == ["a.md/4 X", "a.md/3 X"]


def test_a_glossary_is_not_expanded_but_what_it_limits_is(make_version: MakeVersion) -> None:
    glossary = make_version("a.md", 1, "1 Definitions", links=(link(Relation.LIMITS, "3", "self"),))
    user = make_version("a.md", 1, "2 B", links=(link(Relation.DEFINITION, "1"),))
    limited = make_version("a.md", 1, "3 C")
    versions = [glossary, user, limited]

    assert hop(versions, user) == []
    assert hop(versions, glossary) == ["a.md/3 C"]


def test_a_section_that_many_refer_to_is_a_hub(make_version: MakeVersion) -> None:
    hub = make_version("a.md", 1, "1 Fees")
    users = [make_version("b.md", 1, f"2.{n} X", links=(link(Relation.REFERENCE, "1"),)) for n in range(HUB_LINKS)]

    assert hop([hub, *users[1:]], users[1]) == ["a.md/1 Fees"]
    assert hop([hub, *users], users[1]) == []
    assert hop([hub, *users], hub) == []
