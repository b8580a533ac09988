"""From files read to what each edition says, given what it said at the last run.

A refused file changes nothing: what its edition last said of the document stands. A folder without dated
editions has no past of its own, so that each run that finds a difference adds a snapshot to those before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from index.history.parsed import LoadedDocument, LoadedEdition
from index.history.tellings import LIVE, Said, Telling
from index.history.timeline import UNDECLARED, EditionKey
from ingest.dates import UNKNOWN_DAY, Day, Instant
from ingest.errors import SourceError

Prior = Mapping[EditionKey, Telling]
"""What each edition said at the last run."""


@dataclass(frozen=True, slots=True)
class Moment:
    """When a run takes place."""

    now: Instant
    today: Day
    """The day of `now` in the handbook's time zone."""


def assemble(
    loaded: Sequence[LoadedEdition], prior: Prior, moment: Moment, override: Day | None = None
) -> tuple[Telling, ...]:
    """What every edition says, in order.

    Raises:
        SourceError: a delta removes a document that no edition has.
    """
    live = [edition for edition in loaded if edition.edition.name == LIVE]
    if live:
        return tuple(_snapshots(live[0], prior, moment, override))
    tellings = [_dated(edition, loaded, prior) for edition in loaded]
    _require_known_removals(tellings)
    return tuple(sorted(tellings, key=lambda telling: telling.key))


def _dated(loaded: LoadedEdition, everything: Sequence[LoadedEdition], prior: Prior) -> Telling:
    edition = loaded.edition
    recorded = UNDECLARED if edition.recorded_at is None else edition.recorded_at
    key = EditionKey(edition.effective or UNKNOWN_DAY, recorded, edition.name)
    said = {document.doc_id: _as_stated(document) for document in loaded.documents}
    before = next((telling for telling in prior.values() if telling.key.name == edition.name), None)
    standing, silent = _refused(loaded, before, _doc_ids_by_file(everything, prior))
    said.update({doc_id: one for doc_id, one in standing.items() if doc_id not in said})
    silent = tuple(sorted(set(silent) - set(said)))
    gone = tuple(sorted(edition.removed))
    return Telling(key, edition.base is None, dict(sorted(said.items())), gone, silent, key.effective)


def _as_stated(document: LoadedDocument) -> Said:
    declared = None if document.effective == UNKNOWN_DAY else document.effective
    return Said(document.doc_id, document.relative, document.effective, declared, document.skeleton.digest)


def _refused(
    loaded: LoadedEdition, before: Telling | None, by_file: Mapping[str, set[str]]
) -> tuple[dict[str, Said], tuple[str, ...]]:
    """What stands of refused files, by doc_id, and the doc_ids of which nothing is known."""
    last = {said.relative: said for said in before.said.values()} if before else {}
    standing: dict[str, Said] = {}
    silent: set[str] = set()
    for refusal in loaded.refusals:
        if refusal.relative in last:
            good = last[refusal.relative]
            standing[good.doc_id] = good
        else:
            silent |= {refusal.doc_id or refusal.relative} | by_file.get(refusal.relative, set())
    return standing, tuple(silent)


def _doc_ids_by_file(everything: Iterable[LoadedEdition], prior: Prior) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for edition in everything:
        for document in edition.documents:
            found.setdefault(document.relative, set()).add(document.doc_id)
    for telling in prior.values():
        for said in telling.said.values():
            found.setdefault(said.relative, set()).add(said.doc_id)
    return found


def _require_known_removals(tellings: Sequence[Telling]) -> None:
    known = sorted({doc_id for telling in tellings for doc_id in (*telling.said, *telling.silent)})
    for telling in tellings:
        where = f"{telling.key.name}/edition.toml"
        for doc_id in telling.gone:
            if doc_id in telling.said:
                raise SourceError(f'removes "{doc_id}", which it also has', where=where, fix="remove one of both")
            if doc_id not in known:
                near = get_close_matches(doc_id, known, 1)
                fix = f'did you mean "{near[0]}"?' if near else None
                raise SourceError(f'removes "{doc_id}", which no edition has', where=where, fix=fix)


def _snapshots(loaded: LoadedEdition, prior: Prior, moment: Moment, override: Day | None) -> list[Telling]:
    before = [telling for telling in prior.values() if telling.is_live]
    standing = _standing(before)
    refused, _ = _refused(loaded, Telling(EditionKey(UNKNOWN_DAY, UNDECLARED, LIVE), False, standing), {})
    here = {document.doc_id: document for document in loaded.documents}
    said = {
        doc_id: _since(_as_stated(document), standing.get(doc_id), moment.today if before else UNKNOWN_DAY, override)
        for doc_id, document in here.items()
        if doc_id not in standing or standing[doc_id].skeleton != document.skeleton.digest
    }
    gone = tuple(sorted(set(standing) - set(here) - set(refused)))
    before = _redate(before, {doc_id: d for doc_id, d in here.items() if doc_id in standing and doc_id not in said})
    if not said and not gone:
        return before
    key = EditionKey(UNKNOWN_DAY, moment.now, LIVE)
    return [*before, Telling(key, False, said, gone, gone_from=override or moment.today)]


def _standing(snapshots: Iterable[Telling]) -> dict[str, Said]:
    """What a folder last said of each document that it still had."""
    standing: dict[str, Said] = {}
    for telling in snapshots:
        standing = {doc_id: said for doc_id, said in standing.items() if doc_id not in telling.gone}
        standing.update(telling.said)
    return standing


def _since(stated: Said, last: Said | None, today: Day, override: Day | None) -> Said:
    """An edit takes effect on a day given for it, on a newly declared day, or else on the day it is indexed."""
    if override is not None:
        return replace(stated, valid_from=override)
    newly_declared = stated.declared is not None and (last is None or last.declared != stated.declared)
    return stated if newly_declared else replace(stated, valid_from=max(today, stated.declared or UNKNOWN_DAY))


def _redate(snapshots: Sequence[Telling], unchanged: Mapping[str, LoadedDocument]) -> list[Telling]:
    """The same text under another declared day: the day it had was wrong."""
    redated = list(snapshots)
    for doc_id, document in unchanged.items():
        stated = _as_stated(document)
        place = max(place for place, telling in enumerate(redated) if doc_id in telling.said)
        last = redated[place].said[doc_id]
        if stated.declared is not None and stated.declared != last.declared:
            redated[place] = replace(redated[place], said={**redated[place].said, doc_id: stated})
    return redated
