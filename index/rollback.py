"""Going back to what was believed after an earlier run, as a new run."""

from __future__ import annotations

from index.believing import Believer, as_timeline, belief_of
from index.catalog import Catalog
from index.change import Change
from index.plan import check_clock
from index.retelling import retold
from ingest.dates import Instant


def rollback(catalog: Catalog, seq: int, now: Instant) -> Change:
    """The change that makes the catalog believe what it did after run `seq`; nothing is removed from history.

    What the editions said then is taken back with it, so that the next run finds the same differences as then.

    Raises:
        StateError: there is no such run, or the clock stands before the last one.
    """
    catalog.instant(seq)
    check_clock(catalog, now)
    target = as_timeline(belief_of(catalog.believed_at(seq)))
    step = Believer(belief_of(catalog.believed()), catalog.next_row_id).step(target, now)
    told = retold(catalog.tellings(), catalog.tellings(seq).values())
    return Change("rollback", catalog.sequence, (step,), told, summary={"to": seq})
