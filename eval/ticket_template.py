"""`caveat tickets init`: a folder with one worked ticket, its rewrites, and what each field means."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Final

from pydantic import BaseModel

from eval.ticket_files import REWRITES, TICKETS, write_entries
from eval.tickets import Anchor, Kind, Rewrite, Rewrites, Role, Style, Ticket, field_comments
from ingest.errors import SourceError

FIELDS: Final = "FIELDS.md"

EXAMPLE: Final = Ticket(
    id="seats-001",
    message="hi, we let 40 people go halfway through our big yearly deal, your own sheet works out what we get back, "
    "but your colleague says we get nothing?? who is right",
    as_of=datetime.date(2026, 3, 15),
    kind=Kind.EXCEPTION,
    family="enterprise-seat-credit",
    gold=(
        Anchor(
            quote="a downgrade during a subscription term gives the customer a credit for the unused part of the seats",
            document="04-seats.md",
            section="4.2.1",
            role=Role.RULE,
        ),
        Anchor(
            quote="Mid-term or late seat reductions are non-refundable and apply only to the following renewal term.",
            document="04-seats.md",
            section="Seats > Downgrades > Notice",
            role=Role.EXCEPTION,
        ),
    ),
    answer="Nothing is credited: on Enterprise Annual a reduction during the term counts from the next renewal only.",
    split=None,
    notes="The formula of Table 4.2 looks like the whole answer.",
)
EXAMPLE_REWRITES: Final = Rewrites(
    ticket=EXAMPLE.id,
    rewrites=(
        Rewrite(
            style=Style.DROPPED_QUALIFIER,
            text="credit for giving up seats during the term",
            lost="the Enterprise Annual plan",
            ambiguous=True,
        ),
        Rewrite(
            style=Style.KEYWORDS,
            text="seat downgrade credit calculation table",
            lost="the plan, and that the term has begun",
            ambiguous=False,
        ),
        Rewrite(
            style=Style.OVER_GENERAL,
            text="What happens when a customer changes its subscription?",
            lost="that seats are given up and money is asked back",
            ambiguous=True,
        ),
        Rewrite(
            style=Style.WRONG_SYNONYM,
            text="refund for cancelled licences in the middle of an enterprise yearly contract",
            lost="it is a credit, not a refund, and seats are reduced, not cancelled",
            ambiguous=False,
        ),
    ),
)
_ABOUT: Final = f"""\
# The fields of these files

`{TICKETS}` holds one ticket a line, `{REWRITES}` four rewrites of each ticket's message a line, both as JSON Lines. The
worked example is of Caveat's demo handbook: replace it with your own.

`caveat tickets draft HANDBOOK` proposes sections that limit each other, `caveat tickets split` deals the sides once all
tickets are written, and `caveat tickets check FOLDER HANDBOOK` says what does not fit; `--partial` while you write.
"""


def write_template(folder: Path) -> tuple[Path, ...]:
    """Write the three files into `folder`; nothing is overwritten.

    Raises:
        SourceError: one of them is there already.
    """
    files = tuple(folder / name for name in (TICKETS, REWRITES, FIELDS))
    for file in files:
        if file.exists():
            raise SourceError("exists already", where=str(file), fix="name another folder, or move it away first")
    folder.mkdir(parents=True, exist_ok=True)
    write_entries(files[0], [EXAMPLE])
    write_entries(files[1], [EXAMPLE_REWRITES])
    files[2].write_text(fields_page(), encoding="utf-8")
    return files


def fields_page() -> str:
    """What each field means, as Markdown."""
    sections = (
        (f"A ticket, a line of {TICKETS}", Ticket),
        ("An anchor, an element of gold", Anchor),
        (f"A line of {REWRITES}", Rewrites),
        ("A rewrite, an element of rewrites", Rewrite),
    )
    return "\n".join([_ABOUT, *(_table(title, model) for title, model in sections)])


def _table(title: str, model: type[BaseModel]) -> str:
    rows = "".join(f"| `{name}` | {meaning} |\n" for name, meaning in field_comments(model))
    return f"## {title}\n\n| Field | Meaning |\n|---|---|\n{rows}"
