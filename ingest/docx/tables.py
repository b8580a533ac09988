"""Tables: a grid of cells for those that hold data, the blocks of the cells in order for those that lay out a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from ingest.docx.cells import LONGEST_REPEATED, Cell, Row, renumber_columns, repeat_merged
from ingest.docx.colours import shade
from ingest.docx.drafts import Draft
from ingest.docx.faces import Around
from ingest.docx.headers import header_rows
from ingest.docx.names import TBLPR, TC, TCPR, TR, TRPR, Node, W, is_on, twips, val, whole
from ingest.docx.styles import LOWEST
from ingest.elements import Kind
from ingest.markdown.plain import plain

if TYPE_CHECKING:
    from ingest.docx.story import Story

MAX_COLUMNS: Final = 256
"""Word makes 63 columns; more, or more cells than these, are no table that anybody reads."""
MAX_CELLS: Final = 2_000_000
LONGEST_CAPTION: Final = 120


def table_drafts(node: Node, story: Story, around: Around) -> list[Draft]:
    """The blocks of a table: a grid with what stands above and inside of it, or the blocks of its cells."""
    style = story.file.styles.table(val(node.find(TBLPR), W + "tblStyle"))
    paper = _paper(node.find(TBLPR)) or style.paper or around.paper
    inside = Around(paper, style.face.over(around.face), around.hidden)
    rows = [_row(row, story, inside) for row in node.iterchildren(TR)]
    columns = renumber_columns(rows)
    repeat_merged(rows)
    if _lays_out(rows, columns):
        return [draft for row in rows for draft in row.drafts]
    above, rows = _titles(rows, columns)
    marks_first = style.marks_first_row and _looks_at_first_row(node)
    rows = [row for row in rows if row.tables or any(cell.text() for cell in row.cells)]
    count = header_rows(rows, marks_first=marks_first)
    # A header that holds tables would stand far from them.
    return _grid(above, rows, columns, 0 if any(row.tables for row in rows[:count]) else count)


def _row(node: Node, story: Story, around: Around) -> Row:
    properties = node.find(TRPR)
    row = Row(is_header=is_on(properties.find(W + "tblHeader")) if properties is not None else False)
    around = around._replace(hidden=around.hidden or _is_hidden(properties))
    at = max(0, whole(val(properties, W + "gridBefore")))
    for cell in node.iterchildren(TC):
        about = cell.find(TCPR)
        end = at + max(1, whole(val(about, W + "gridSpan"), 1))
        drafts = story.drafts(cell, around._replace(paper=_paper(about) or around.paper))
        row.cells.append(Cell(at, end, _continues(about), drafts))
        at = end
    return row


def _continues(properties: Node | None) -> bool:
    merge = properties.find(W + "vMerge") if properties is not None else None
    return merge is not None and merge.get(W + "val", "continue") == "continue"


def _paper(properties: Node | None) -> str | None:
    return shade(properties.find(W + "shd")) if properties is not None else None


def _is_hidden(properties: Node | None) -> bool:
    """Whether a row is not shown, or too low to be read."""
    if properties is None:
        return False
    height = properties.find(W + "trHeight")
    exact = height is not None and height.get(W + "hRule") == "exact"
    low = exact and (twips(height.get(W + "val")) or LOWEST) < LOWEST if height is not None else False
    return low or is_on(properties.find(W + "hidden"))


def _looks_at_first_row(node: Node) -> bool:
    """Whether the table takes the look that its style has for the first row (17.4.55)."""
    look = node.find(f"{TBLPR}/{W}tblLook")
    if look is None:
        return False
    named = look.get(W + "firstRow")
    if named is not None:
        return named in ("1", "true", "on")
    try:
        return bool(int(look.get(W + "val", "0"), 16) & 0x0020)
    except ValueError:
        return False


def _lays_out(rows: Sequence[Row], columns: int) -> bool:
    """Whether the table is there for the page's sake: its cells hold headings with their text, lists, tables."""
    if columns <= 1:
        return len(rows) <= 1 or any(len(row.drafts) > 1 or _is_structure(row.drafts) for row in rows)
    if columns > MAX_COLUMNS or columns * len(rows) > MAX_CELLS:
        return True
    if all(len(row.cells) <= 1 for row in rows):
        return True
    several = [cell for row in rows for cell in row.cells if len(cell.drafts) > 1]
    headed = any(one.kind is Kind.HEADING for cell in several for one in cell.drafts[:-1])
    # One row of cells with many blocks each: columns of a page.
    return headed or (len(rows) == 1 and any(len(cell.drafts) > 2 for cell in several))


def _is_structure(drafts: Sequence[Draft]) -> bool:
    return any(one.kind in (Kind.HEADING, Kind.ITEM, Kind.TABLE, Kind.CODE) for one in drafts)


def _titles(rows: list[Row], columns: int) -> tuple[list[Draft], list[Row]]:
    """Rows at the top that are one cell over the whole width: what the table is called, and what is said of it."""
    count = 0
    while columns > 1 and count < len(rows) and len(rows[count].cells) == 1 and _spans(rows[count].cells[0], columns):
        count += 1
    above = [draft for row in rows[:count] for draft in row.drafts]
    for draft in above:
        # Bold, it would head a section that ends nowhere before the next heading.
        draft.shows_bold = False
    return above, rows[count:]


def _spans(cell: Cell, columns: int) -> bool:
    return cell.start == 0 and cell.end >= columns


def _grid(above: list[Draft], rows: list[Row], columns: int, count: int) -> list[Draft]:
    """The table, cut below each row that holds tables, so that those stand where they are read."""
    found = list(_segments(rows, columns, count))
    if len(above) == 1 and found and above[0].kind is Kind.PARAGRAPH and len(above[0].words) <= LONGEST_CAPTION:
        found[0].caption = above[0].text()
        above = []
    return [*above, *found]


def _segments(rows: list[Row], columns: int, count: int) -> Iterator[Draft]:
    head = [row.texts(columns, bold=False) for row in rows[:count]]
    repeated = head if sum(len(text) for row in head for text in row) <= LONGEST_REPEATED else []
    made = [words for row in rows[:count] for words in row.made]
    body: list[Row] = []
    for row in rows[count:]:
        body.append(row)
        if row.tables:
            yield _table(head, body, columns, made)
            yield from row.tables
            head, body = repeated, []
            made = [plain(text) for row in repeated for text in row]
    if body or (rows and count == len(rows)):
        yield _table(head, body, columns, made)


def _table(head: list[tuple[str, ...]], body: list[Row], columns: int, made: list[str]) -> Draft:
    """`made`: in the head."""
    rows = (*head, *(row.texts(columns) for row in body))
    made = [*made, *(words for row in body for words in row.made)]
    return Draft(Kind.TABLE, "", rows=rows, header_rows=len(head), repeated=tuple(made))
