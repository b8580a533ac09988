from __future__ import annotations

from collections.abc import Callable

import pytest

from retrieve.tree import Extent, Tree, fitted, grown, own

MakeTree = Callable[..., Tree]


@pytest.fixture
def seats(make_tree: MakeTree) -> Tree:
    """Positions: 0 chapter, 1 4.1, 2 4.2, 3 4.2.1, 4 4.2.2, 5 4.3."""
    return make_tree(
        "seats.md",
        (1, "4 Seats", "Seats are sold by the year.\n\nExcept for Enterprise plans:"),
        (2, "4.1 Adding", "Seats can be added at any time."),
        (2, "4.2 Downgrades", "Downgrades follow these rules:"),
        (3, "4.2.1 Formula", "credit_usd = seats * price"),
        (3, "4.2.2 Notice", "Written notice of 30 calendar days."),
        (2, "4.3 Transfers", "Seats can be handed on."),
    )


def sections(tree: Tree, extent: Extent) -> list[str]:
    return [tree.version(node).path[-1] for node in range(extent.root, extent.end)]


def test_a_formula_grows_to_the_section_that_holds_its_notice(seats: Tree) -> None:
    assert sections(seats, grown(seats, 3, limit=100)) == ["4.2 Downgrades", "4.2.1 Formula", "4.2.2 Notice"]


def test_a_section_of_a_document_that_fits_is_not_the_whole_document(seats: Tree) -> None:
    assert seats.tokens(0, 6) < 1000

    assert sections(seats, grown(seats, 1, limit=1000)) == ["4.1 Adding"]
    assert grown(seats, 0, limit=1000) == Extent(0, 1, omitted=(1, 2, 5))


def test_a_bare_title_brings_what_stands_under_it(make_tree: MakeTree) -> None:
    tree = make_tree(
        "refunds.md", (1, "Refunds", ""), (2, "1 When", "Within 14 days."), (2, "2 How", "As it was paid.")
    )

    assert grown(tree, 0, limit=1000) == Extent(0, 3)
    assert grown(tree, 0, limit=tree.tokens(0, 2)) == Extent(0, 2, omitted=(2,))


def test_growth_stops_at_the_limit(seats: Tree) -> None:
    around = seats.tokens(2, 5)

    assert grown(seats, 3, limit=around).root == 2
    assert grown(seats, 3, limit=around - 1) == Extent(3, 4)


def test_a_section_too_large_keeps_its_own_text_and_the_subsections_that_fit(seats: Tree) -> None:
    assert grown(seats, 2, limit=seats.tokens(2, 4)) == Extent(2, 4, omitted=(4,))
    assert grown(seats, 2, limit=1) == Extent(2, 3, omitted=(3, 4))


def test_subsections_are_kept_whole_and_in_order_or_not_at_all(seats: Tree) -> None:
    extent = fitted(seats, 0, seats.tokens(0, 2) + 1)

    assert extent == Extent(0, 2, omitted=(2, 5))


def test_a_section_asked_for_by_name_comes_whole_even_if_it_is_the_document(seats: Tree) -> None:
    assert fitted(seats, 0) == Extent(0, 6)
    assert fitted(seats, 0, limit=1000) == Extent(0, 6)


def test_own_is_the_hit_alone(seats: Tree) -> None:
    assert own(seats, 2) == Extent(2, 3, omitted=(3, 4))


def test_lead_ins_are_inherited_from_every_ancestor(seats: Tree) -> None:
    assert seats.inherits(3) == ("Except for Enterprise plans:", "Downgrades follow these rules:")
    assert seats.inherits(2) == ("Except for Enterprise plans:",)
    assert seats.inherits(0) == ()


def test_a_list_is_inherited_with_the_paragraph_that_leads_into_it(make_tree: MakeTree) -> None:
    tree = make_tree("a.md", (1, "1 A", "Old.\n\nOnly where:\n\n- it is annual\n\n- it is paid"), (2, "1.1 B", "Text."))

    assert tree.inherits(1) == ("Only where:\n\n- it is annual\n\n- it is paid",)


def test_a_table_before_the_first_child_is_not_a_lead_in(make_tree: MakeTree) -> None:
    tree = make_tree("a.md", (1, "1 A", "Prices:\n\n|a|b|"), (2, "1.1 B", "Text."))

    assert tree.inherits(1) == ()


def test_the_preamble_is_inherited_but_never_a_passage_around_a_section(make_tree: MakeTree) -> None:
    tree = make_tree("a.md", (0, "", "This policy binds resellers only."), (1, "A", "One."), (1, "B", "Two."))

    assert tree.inherits(1) == ("This policy binds resellers only.",)
    assert grown(tree, 1, limit=1000) == Extent(1, 2)
    assert grown(tree, 0, limit=1000) == Extent(0, 1)


def test_a_document_without_headings_is_its_own_text(make_tree: MakeTree) -> None:
    tree = make_tree("a.md", (0, "", "All of it."))

    assert grown(tree, 0, limit=1) == Extent(0, 1)


def test_extents_meet_where_they_share_a_section() -> None:
    assert Extent(2, 5).meets(Extent(4, 6))
    assert not Extent(2, 5).meets(Extent(5, 6))
    assert Extent(2, 5).covers(Extent(3, 5))
    assert not Extent(2, 5).covers(Extent(3, 6))
