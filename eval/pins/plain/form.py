"""A pin as it stands in its file: one JSON object with sorted keys."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import date
from pathlib import Path
from typing import Any, Final

SCHEMA: Final = 1
STATUSES: Final = ("pinned", "open", "retired")
_ID: Final = re.compile(r"[a-z0-9][a-z0-9-]*")
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
_RESTORE: Final = "restore the file from version control, or write it anew: caveat pin add"


class BadPin(ValueError):
    """A file that is no pin, or a pin that another contradicts."""

    def __init__(self, found: str, where: str, fix: str = _RESTORE, allowed: str | None = None):
        self.found, self.where, self.fix, self.allowed = found, where, fix, allowed
        super().__init__(f"{where}: {found}; fix: {fix}")


@dataclass(frozen=True, slots=True)
class Anchor:
    """A quote that must come back."""

    quote: str
    """Verbatim, white space normalised."""
    sections: tuple[str, ...]
    """Addresses of the sections whose own text holds it; one of them is enough."""
    wordings: tuple[str, ...]
    """The quote with as many words around it as make it stand nowhere else; for retrievers that know no sections."""


@dataclass(frozen=True, slots=True)
class Pin:
    """One frozen query."""

    id: str
    title: str
    query: str
    """Redacted."""
    as_of: str
    """ISO day."""
    anchors: tuple[Anchor, ...]
    status: str
    """pinned; open: not mended yet, and pinned as soon as it passes; retired: kept, and not run."""
    incident: str = ""
    """What it comes from: the trace's name."""
    section: str = ""
    """As typed: where the quotes were to stand."""
    source: Mapping[str, Any] | None = None
    """File, boundary and call of the trace."""
    born: Mapping[str, Any] | None = None
    """What came back when it was pinned: an outcome as values, with "at" and "generation"."""
    closed: str | None = None
    """The instant at which an open pin passed first."""
    retired: Mapping[str, str] | None = None
    """When, and why."""

    def to_text(self) -> str:
        """The file's content."""
        values = {"pin": SCHEMA} | {name: value for name, value in asdict(self).items() if value not in (None, "")}
        return json.dumps(values, ensure_ascii=False, indent=2, sort_keys=True) + "\n"

    def changed(self, **values: Any) -> Pin:
        """The same with other values."""
        return replace(self, **values)


@dataclass(frozen=True, slots=True)
class Filed:
    """A pin and its file."""

    pin: Pin
    file: Path


def read_folder(folder: Path) -> list[Filed]:
    """Every pin in a folder, by file name; none where there is no folder.

    Raises:
        BadPin: a file is none, or two pins have one id.
    """
    filed = [read_file(file) for file in files_in(folder)]
    check_ids(filed)
    return filed


def files_in(folder: Path) -> list[Path]:
    """The files that have to be pins, those of folders within too; hidden ones are none."""
    found = (file.relative_to(folder) for file in folder.rglob("*.json"))
    return sorted(folder / inner for inner in found if not any(part.startswith(".") for part in inner.parts))


def check_ids(filed: Iterable[Filed]) -> None:
    """Raises BadPin where two pins have one id."""
    first: dict[str, Path] = {}
    for one in filed:
        if one.pin.id in first:
            found = f'id "{one.pin.id}" is also that of {first[one.pin.id].name}'
            raise BadPin(found, str(one.file), "give one of them another id, and name its file after it")
        first[one.pin.id] = one.file


def check_alone(filed: Filed, folder: Path) -> None:
    """Raises BadPin where another pin of a folder has its id; files that are no pins are not looked at."""
    for file in files_in(folder):
        try:
            other = read_file(file)
        except BadPin:
            continue
        if other.pin.id == filed.pin.id and not file.samefile(filed.file):
            check_ids([other, filed])


def read_file(file: Path) -> Filed:
    """The pin in a file.

    Raises:
        BadPin: it cannot be read, is not JSON, or has been edited into something that is no pin.
    """
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise BadPin(f"cannot be read: {error.strerror}", str(file), "make it readable") from None
    except UnicodeDecodeError as error:
        raise BadPin(f"not UTF-8 at byte {error.start}", str(file)) from None
    return Filed(read_text(text, str(file)), file)


def read_text(text: str, where: str) -> Pin:
    """The pin in a text.

    Raises:
        BadPin: it is none.
    """
    try:
        values = json.loads(text, object_pairs_hook=_once)
    except RecursionError:
        raise BadPin("nested too deeply", where) from None
    except json.JSONDecodeError as error:
        raise BadPin(f"not JSON ({error.msg})", f"{where}:{error.lineno}") from None
    except ValueError as error:
        raise BadPin(str(error), where) from None
    fault = next(_faults(values), None)
    if fault:
        raise BadPin(fault, where)
    told = {name: value for name, value in values.items() if name not in ("pin", "anchors")}
    pin = Pin(anchors=tuple(_anchor(one) for one in values["anchors"]), **told)
    try:
        pin.to_text().encode()
    except RecursionError:
        raise BadPin("nested too deeply", where) from None
    except UnicodeEncodeError:
        raise BadPin("half a character (a surrogate without its other half)", where) from None
    return pin


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f'"{next(name for name in names if names.count(name) > 1)}" stands twice')
    return values


def _anchor(values: Mapping[str, Any]) -> Anchor:
    return Anchor(values["quote"], tuple(values["sections"]), tuple(values["wordings"]))


def _faults(values: Any) -> Iterator[str]:
    """What is wrong, the first first."""
    if not isinstance(values, dict):
        yield f"{type(values).__name__} instead of a pin"
        return
    if values.get("pin") != SCHEMA:
        yield f'"pin" is {json.dumps(values.get("pin"))}; this Caveat reads {SCHEMA}'
    yield from (f'unknown field "{name}"' for name in sorted(set(values) - _NAMES))
    for name in ("id", "title", "query", "as_of", "status"):
        if not isinstance(values.get(name), str) or not values[name].strip():
            yield f"{name} is missing or no text"
    for name in ("incident", "section", "closed"):
        if not isinstance(values.get(name, ""), str):
            yield f"{name} is no text"
    for name in ("source", "born", "retired"):
        if not isinstance(values.get(name, {}), dict):
            yield f"{name} is no object"
    yield from _unfit(values)
    yield from _born_faults(values.get("born", {}))
    yield from _anchor_faults(values.get("anchors"))


def _unfit(values: Mapping[str, Any]) -> Iterator[str]:
    if not _ID.fullmatch(values["id"]):
        yield f'id "{values["id"]}" is not of lower-case letters, digits and hyphens'
    if not _is_day(values["as_of"]):
        yield f'as_of "{values["as_of"]}" is no day such as 2026-03-15'
    if values["status"] not in STATUSES:
        yield f'status "{values["status"]}" is not one of {", ".join(STATUSES)}'
    if (values["status"] == "retired") != bool(values.get("retired")):
        yield "status and retired contradict each other"
    why = values.get("retired", {}).get("why", " ")
    if values.get("retired") and (not isinstance(why, str) or not why.strip()):
        yield "retired without a why"
    if not isinstance(values.get("retired", {}).get("at", ""), str):
        yield "retired at is no text"


def _born_faults(born: Mapping[str, Any]) -> Iterator[str]:
    """What of it is shown again has to be of its form."""
    came, anchors = born.get("came", []), born.get("anchors", [])
    if not isinstance(came, list) or not all(isinstance(one, str) for one in came):
        yield "born came is no list of texts"
    if not isinstance(anchors, list) or not all(_is_told(one) for one in anchors):
        yield "born anchors is no list of quotes with their ranks"


def _is_told(anchor: Any) -> bool:
    return (
        isinstance(anchor, dict)
        and isinstance(anchor.get("quote"), str)
        and isinstance(anchor.get("ranks") or {}, dict)
    )


def _anchor_faults(anchors: Any) -> Iterator[str]:
    if not isinstance(anchors, list) or not anchors:
        yield "anchors is no list of quotes: a pin that expects nothing would always pass"
        return
    for number, one in enumerate(anchors, 1):
        if not isinstance(one, dict) or set(one) != {"quote", "sections", "wordings"}:
            yield f"anchor {number} is not of quote, sections and wordings"
        elif not isinstance(one["quote"], str) or not one["quote"].strip():
            yield f"anchor {number} has an empty quote"
        elif not all(_texts(one[name]) for name in ("sections", "wordings")):
            yield f"anchor {number}: sections and wordings are lists of texts, none of them empty"


def _texts(values: Any) -> bool:
    return isinstance(values, list) and bool(values) and all(isinstance(one, str) and one.strip() for one in values)


def _is_day(text: str) -> bool:
    try:
        return bool(_DAY.fullmatch(text) and date.fromisoformat(text))
    except ValueError:
        return False


_NAMES: Final = frozenset({"pin", *(field.name for field in fields(Pin))})
