"""What a document says about itself: YAML front matter, or a TOML file beside it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Final

import yaml

from ingest.dates import Day, parse_day
from ingest.document import Note
from ingest.errors import SourceError

KEYS: Final = ("id", "title", "effective_from", "moved_from")
WHOLE: Final = "*"
"""Key below moved_from for the document itself, beside those of single sections."""
LONGEST: Final = 65_536
"""Characters of front matter; YAML of any size could nest or repeat without end."""
LONGEST_ID: Final = 300

_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
_KEY_LINE = re.compile(r"[A-Za-z_][\w .-]*:(?:\s|$)")
_UNFIT_FOR_ID = re.compile(r"[#\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class Declared:
    """What front matter or a sidecar declares; None or empty where it says nothing."""

    doc_id: str | None = None
    title: str | None = None
    effective: Day | None = None
    moved_from: str | None = None
    """The doc_id that the document had before."""
    moved_sections: Mapping[str, str] = field(default_factory=dict)
    """Title path in this document -> the address that the section had before."""
    generated: bool = False
    """Whether a script wrote the file; reading it makes no difference."""
    notes: tuple[Note, ...] = ()


def split_front_matter(raw: str, *, where: str | None = None) -> tuple[dict[str, object], str, int]:
    """The front matter, the text after it, and the 1-based line of the file on which that text starts.

    All scalars stay strings as written (`id: 04`, `title: No`). A file that opens with a thematic break
    (`---`, then an empty line) has no front matter.

    Raises:
        SourceError: never closed, longer than 65,536 characters, no valid YAML, or not a mapping.
    """
    opening = re.match(r"---[ \t]*\n", raw)
    if not opening:
        return {}, raw, 1
    closing = _CLOSING.search(raw, opening.end())
    if closing is None:
        return _unclosed(raw, opening.end(), where)
    source = raw[opening.end() : closing.start()]
    line = f"{where}:1" if where else "line 1"
    if len(source) > LONGEST:
        raise SourceError(f"front matter of {len(source)} characters", where=line, allowed=f"up to {LONGEST}")
    if re.match(r"[ \t]*\n", source) and not _KEY_LINE.match(source.lstrip()):
        return {}, raw, 1
    body = raw[closing.end() :].removeprefix("\n")
    return _mapping(source, where), body, raw.count("\n", 0, len(raw) - len(body)) + 1


def _unclosed(raw: str, start: int, where: str | None) -> tuple[dict[str, object], str, int]:
    if _KEY_LINE.match(raw, start):
        raise SourceError(
            "front matter is never closed",
            where=f"{where}:1" if where else "line 1",
            allowed="keys between two lines of ---",
            fix="close it with a line of ---, or put an empty line after the first ---",
        )
    return {}, raw, 1


def _mapping(source: str, where: str | None) -> dict[str, object]:
    # BaseLoader makes every scalar a string: YAML's own reading of `01`, `no` and dates would change ids.
    try:
        loader = yaml.loader.BaseLoader(source)
        node = loader.get_single_node()
        value = loader.construct_document(node) if node else None
    except (yaml.YAMLError, RecursionError) as error:
        raise _not_yaml(error, where) from None
    if not value:
        return {}
    if not isinstance(value, dict) or not isinstance(node, yaml.MappingNode):
        kind = {"str": "text", "list": "a list"}.get(type(value).__name__, type(value).__name__)
        raise SourceError(
            f"front matter is {kind}, not a mapping",
            where=f"{where}:2" if where else "line 2",
            allowed="lines such as `title: Seats` between two lines of ---",
            fix="write keys and values, or put an empty line after the first --- if it is a rule",
        )
    _refuse_twice(node, where)
    return {str(key): value[key] for key in value}


def _not_yaml(error: yaml.YAMLError | RecursionError, where: str | None) -> SourceError:
    mark = getattr(error, "problem_mark", None)
    line = mark.line + 2 if mark else 1
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "it nests too deep"
    fix = 'put a value with ": " or "#" in it into quotes' if mark else None
    return SourceError(
        f"front matter is not valid YAML ({problem})", where=f"{where}:{line}" if where else f"line {line}", fix=fix
    )


def _refuse_twice(node: yaml.MappingNode, where: str | None) -> None:
    seen: dict[str, int] = {}
    for key, _ in node.value:
        line = key.start_mark.line + 2
        if key.value in KEYS and key.value in seen:
            raise SourceError(
                f'"{key.value}" stands in the front matter twice (lines {seen[key.value]} and {line})',
                where=where,
                fix="keep one of them",
            )
        seen[str(key.value)] = line


def read_sidecar(source: bytes, *, where: str) -> dict[str, object]:
    """The keys of a `.meta.toml` file.

    Raises:
        SourceError: no valid TOML, or a key that is none of id, title, effective_from.
    """
    try:
        keys = tomllib.loads(source.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise SourceError(f"not valid TOML ({error})", where=where) from None
    for key in keys:
        if key not in KEYS[:3]:
            raise unknown_key(key, KEYS[:3], where)
    return {key: value if isinstance(value, str | dict | list) else str(value) for key, value in keys.items()}


def unknown_key(key: str, known: tuple[str, ...], where: str) -> SourceError:
    """The error for a key that is not known, with the nearest known one."""
    nearest = get_close_matches(_plain(key), known, n=1)
    fix = f'did you mean "{nearest[0]}"?' if nearest else None
    return SourceError(f'unknown key "{key}"', where=where, allowed=", ".join(known), fix=fix)


def declared(keys: Mapping[str, object], *, where: str) -> Declared:
    """Read the keys that count here; others belong to other tools, but a near miss is noted.

    Raises:
        SourceError: a value of the wrong kind, or an id that no address could hold.
        DateError: effective_from cannot be read.
    """
    moved = keys.get("moved_from")
    effective = _text(keys, "effective_from", where)
    return Declared(
        _fit_for_id(_text(keys, "id", where), where),
        _text(keys, "title", where),
        parse_day(effective, where=f"{where}: effective_from") if effective else None,
        _moved_document(moved),
        _moves(moved, where),
        _flag(keys, "generated", where),
        tuple(_near_misses(keys, where)),
    )


def _text(keys: Mapping[str, object], key: str, where: str) -> str | None:
    value = keys.get(key)
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise SourceError(f'"{key}" is not text', where=where, allowed=f"one value, such as `{key}: ...`")
    return " ".join(value.split())


def _flag(keys: Mapping[str, object], key: str, where: str) -> bool:
    value = keys.get(key, "false")
    if value not in ("true", "false"):
        raise SourceError(f'"{key}" is neither true nor false', where=where, allowed=f"`{key}: true`")
    return value == "true"


def _fit_for_id(doc_id: str | None, where: str) -> str | None:
    if doc_id and (_UNFIT_FOR_ID.search(doc_id) or len(doc_id) > LONGEST_ID):
        raise SourceError(
            f'id "{doc_id[:60]}" cannot be part of an address',
            where=where,
            allowed=f"up to {LONGEST_ID} characters without # or control characters",
        )
    return doc_id


def fits_address(relative: str) -> bool:
    """Whether a path can serve as a doc_id."""
    return not _UNFIT_FOR_ID.search(relative)


def _moved_document(moved: object) -> str | None:
    old = moved.get(WHOLE) if isinstance(moved, dict) else moved
    return old if isinstance(old, str) and old else None


def _moves(moved: object, where: str) -> dict[str, str]:
    if moved is None or isinstance(moved, str):
        return {}
    if isinstance(moved, dict) and all(isinstance(old, str) and old for old in moved.values()):
        return {str(path): old for path, old in moved.items() if path != WHOLE}
    raise SourceError(
        "moved_from is neither an id nor a mapping",
        where=where,
        allowed='`moved_from: old-file.md`, or below it lines such as `"Seats > Late": "old-file.md#Seats > Late"`',
    )


def _near_misses(keys: Mapping[str, object], where: str) -> list[Note]:
    notes = []
    for key in keys:
        nearest = get_close_matches(_plain(key), KEYS, n=1, cutoff=0.8)
        if key not in KEYS and nearest:
            message = f'front matter has "{key}", which is not read; if "{nearest[0]}" is meant, rename it'
            notes.append(Note("unread-key", where, message))
    return notes


def _plain(key: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key).lower().replace("-", "_").replace(" ", "_")
