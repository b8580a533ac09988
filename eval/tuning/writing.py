"""Writing a choice into caveat.toml: its keys alone; comments, order and all else of the file stay as they are.

The evidence stands as a comment at the head of `[retrieve]`, in lines that begin with MARK; the next choice takes its
place. It does not write what it could not read back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import tomlkit
from tomlkit.items import Comment, Item, Table

from eval.config import read_config
from ingest.errors import ConfigError

MARK: Final = "# caveat tune"
_SECTION: Final = "retrieve"


def write_choice(file: Path, changes: Mapping[str, Any], evidence: Sequence[str]) -> None:
    """Set keys of `[retrieve]` in `file`, which is made where it is missing; at once or not at all.

    Args:
        file: caveat.toml.
        changes: New values by key.
        evidence: Lines of text that say why, one sentence each.

    Raises:
        ConfigError: the file cannot be read as it stands, or would not read back as meant.
        OSError: it cannot be written.
    """
    before = read_config(file).model_dump() if file.exists() else None
    text = file.read_bytes().decode("utf-8") if file.exists() else ""
    fresh = file.with_name(f"{file.name}.new")
    try:
        fresh.write_bytes(with_choice(text, changes, evidence).encode("utf-8"))
        _must_read_back(fresh, file, before, changes)
        fresh.replace(file.resolve())
    finally:
        fresh.unlink(missing_ok=True)


def with_choice(text: str, changes: Mapping[str, Any], evidence: Sequence[str]) -> str:
    """The text of caveat.toml with new values and their evidence; its line ends stay as they are."""
    document = tomlkit.parse(text if not text or text.endswith("\n") else f"{text}\n")
    lines = [f"{MARK}: {line}" for line in evidence]
    section = document.get(_SECTION)
    if section is None or _is_plain(section):
        found = _section(section, changes, lines)
        if section is None:
            if text.strip():
                document.add(tomlkit.nl())
            document.add(_SECTION, found)
        else:
            items = len(found.value.body)
            document[_SECTION] = found
            # The library parts a table that it puts in from the next one by an empty line.
            del found.value.body[items:]
        made = document.as_string()
    else:
        # Dotted keys or an inline table: no place of its own for a comment, so it stands at the head of the file.
        for key, value in changes.items():
            section[key] = value
        made = "\n".join([*lines, _without_head(document.as_string())])
    return made.replace("\r\n", "\n").replace("\n", "\r\n") if "\r\n" in text else made


def _is_plain(section: object) -> bool:
    """Whether it stands below a header of its own."""
    return isinstance(section, Table) and not section.is_super_table()


def _section(old: Table | None, changes: Mapping[str, Any], lines: Sequence[str]) -> Table:
    """The section anew: evidence, keys that it did not have, then what it held, in its order."""
    new = tomlkit.table()
    for line in lines:
        new.add(tomlkit.comment(line.removeprefix("# ")))
    for key, value in changes.items():
        if old is None or key not in old:
            new.add(key, value)
    if old is None:
        return new
    new.trivia.comment_ws, new.trivia.comment = old.trivia.comment_ws, old.trivia.comment
    for name, item in old.value.body:
        if name is not None and name.key in changes:
            new.append(name, _with_value(item, changes[name.key]))
        elif not _is_evidence(item):
            new.append(name, item)
    return new


def _with_value(item: Item, value: Any) -> Item:
    """A value in the place of another, with the comment behind it."""
    fresh: Item = tomlkit.item(value)
    fresh.trivia.indent, fresh.trivia.comment_ws = item.trivia.indent, item.trivia.comment_ws
    fresh.trivia.comment, fresh.trivia.trail = item.trivia.comment, item.trivia.trail
    return fresh


def _is_evidence(item: Item) -> bool:
    return isinstance(item, Comment) and item.trivia.comment.startswith(MARK)


def _without_head(text: str) -> str:
    lines = text.splitlines(keepends=True)
    start = next((at for at, line in enumerate(lines) if not line.startswith(MARK)), len(lines))
    return "".join(lines[start:])


def _must_read_back(fresh: Path, file: Path, before: Mapping[str, Any] | None, changes: Mapping[str, Any]) -> None:
    """Raises ConfigError where the new text does not say the old settings with the changes."""
    after = read_config(fresh).model_dump()
    wanted = {**(before or {}), _SECTION: {**(before or {}).get(_SECTION, {}), **changes}}
    held = after if before else {_SECTION: {key: after[_SECTION][key] for key in changes}}
    if held != wanted:
        raise ConfigError(
            "[retrieve] is written in a form that cannot be changed by itself",
            where=str(file),
            allowed="a section [retrieve] with one key a line",
            fix="write it so, and try again",
        )
