"""The pins of a night: queries frozen from incidents, with what must come back of each, for ever."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from eval.nightly.record import Night, Pinned
from eval.pins.plain.form import BadPin, Filed, check_ids, files_in, read_file
from eval.pins.running import detail, run_all
from eval.pins.searching import PinSearch
from eval.surroundings import Surroundings
from ingest.dates import show_instant


def pins_of(folder: Path, around: Surroundings, before: Sequence[Night] = ()) -> list[Pinned]:
    """How each pin of a folder went that is not retired; a file that is no pin and a pin that is gone have failed.

    An open pin is reported and fails nothing, until it passes: then its file is closed, and from that night on it has
    to come back, also where the closed file was lost.

    Raises:
        CaveatError: nothing can be searched.
    """
    filed, bad = _read(folder)
    bad += _gone(before, {one.pin.id for one in filed} | {one.id for one in bad})
    if not any(one.pin.status != "retired" for one in filed):
        return bad
    settings, encoder = around.config.retrieve, around.wanted_encoder
    with PinSearch(around.state, settings, encoder=encoder, clock=lambda: around.now) as search:
        ran = list(run_all(filed, search, show_instant(around.now) or "", passed_before(before)))
    return [
        *bad,
        *(Pinned(id=one.pin.id, title=one.pin.title, status=one.status, detail=detail(one)) for one in ran),
    ]


def passed_before(nights: Iterable[Night]) -> frozenset[str]:
    """Ids of the pins that passed in some night."""
    return frozenset(pin.id for night in nights for pin in night.pins if pin.status == "passed")


def _gone(before: Sequence[Night], there: Collection[str]) -> Iterator[Pinned]:
    """Pins of the last night that passed once and have no file any more; they are told until they have one again."""
    passed = passed_before(before)
    for pin in before[-1].pins if before else ():
        if pin.id in passed and pin.id not in there:
            detail = "its file is gone: restore it; caveat pin retire ends a pin"
            yield Pinned(id=pin.id, title=pin.title, status="failed", detail=detail)


def _read(folder: Path) -> tuple[list[Filed], list[Pinned]]:
    """The pins of a folder, and its files that are none."""
    filed: list[Filed] = []
    bad: list[Pinned] = []
    for file in files_in(folder):
        try:
            one = read_file(file)
            check_ids([*filed, one])
            filed.append(one)
        except BadPin as error:
            bad.append(Pinned(id=file.stem, title="", status="failed", detail=f"no pin: {error.found}"))
    return filed, bad
