from collections.abc import Callable

import pytest

from ingest.document import Document
from ingest.elements import Kind
from ingest.markdown.cells import Table, table_of

PIPES = """
# Fees

Table 1 - Fees by plan

| Plan | **Fee** |
|---|---:|
| Team | 5 \\| 6 USD |
| Pro | |
"""
TAGS = """
# Fees

<table><caption>Fees by plan</caption>
<thead><tr><th>Plan</th><th>Fee</th></tr></thead>
<tr><td>Team</td><td>5 <b>USD</b></td></tr>
</table>
"""


Read = Callable[[str], Table]


@pytest.fixture
def only_table(document: Callable[[str], Document]) -> Read:
    def read(markdown: str) -> Table:
        [section] = document(markdown).sections
        [element] = [element for element in section.elements if element.kind is Kind.TABLE]
        return table_of(section.text, element)

    return read


@pytest.mark.parametrize(
    ("markdown", "table"),
    [
        (PIPES, Table("Table 1 - Fees by plan", (("Plan", "Fee"),), (("Team", "5 | 6 USD"), ("Pro", "")))),
        (TAGS, Table("Fees by plan", (("Plan", "Fee"),), (("Team", "5 USD"),))),
        ("| a | b |\n|---|---|\n\nText.\n", Table("", (("a", "b"),), ())),
        ("a | b\n---|---\n1 | 2 \\|\n", Table("", (("a", "b"),), (("1", "2 |"),))),
    ],
    ids=["pipes", "tags", "header alone", "no outer pipes"],
)
def test_a_table_has_the_cells_that_a_person_sees(only_table: Read, markdown: str, table: Table) -> None:
    assert only_table(markdown) == table


def test_a_caption_below_is_the_caption(only_table: Read) -> None:
    table = only_table("| a | b |\n|---|---|\n| 1 | 2 |\n\nTable 3 - Letters and digits\n")
    assert table.caption == "Table 3 - Letters and digits"


def test_a_table_without_a_caption_is_called_after_its_first_row(only_table: Read) -> None:
    table = only_table("| | b |\n|---|---|\n| 1 | 2 |\n")
    assert (table.name, table.columns) == ("b", 2)
