"""Going back to what was believed after an earlier run, as a new run."""

from __future__ import annotations

from index.history.believing import Believer, as_timeline, belief_of
from index.history.catalog import Catalog
from index.history.change import Change
from index.history.changes import SectionChange, counted, describe, differing
from index.history.plan import check_clock, looks
from index.history.retelling import retold
from index.history.stating import Texts
from ingest.dates import Instant


def rollback(catalog: Catalog, seq: int, now: Instant) -> tuple[Change, tuple[SectionChange, ...]]:
    """What makes the catalog believe what it did after run `seq`, and that in words; nothing is removed from history.

    What the editions said then is taken back with it, so that the next run finds the same differences as then.

    Raises:
        StateError: there is no such run, or the clock stands before the last one.
    """
    catalog.instant(seq)
    check_clock(catalog, now)
    target = as_timeline(belief_of(catalog.believed_at(seq)))
    belief = belief_of(catalog.believed())
    spans = differing(as_timeline(belief), target)
    # Going back is asked for: no day of it corrects anything behind anybody's back.
    changes = describe(spans, looks(catalog, spans, Texts()), lambda doc_id, day: False)
    step = Believer(belief, catalog.next_row_id).step(target, now)
    told = retold(catalog.tellings(), catalog.tellings(seq).values())
    summary = {"to": seq, "changes": counted(changes)}
    return Change("rollback", catalog.sequence, (step,), told, summary=summary), changes
