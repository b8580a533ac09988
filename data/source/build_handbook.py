"""Render the edition folders of the demo handbook.

    python data/source/build_handbook.py data/handbook

Writes OUT/<edition>/*.md and edition.toml: the chapters from chapters/*.md, the appendices from schedules/. A
correction folder holds only the files that differ from its base. Markdown that an earlier build left in an edition
folder and this one does not write is removed. The same sources give the same bytes. Standard library only.
"""

from __future__ import annotations

import argparse
import itertools
import re
import sys
from pathlib import Path

from handbook_source import Edition, Renderer, SourceFault, Values, read_editions
from schedules import schedules

HERE = Path(__file__).resolve().parent
NUMBERED = re.compile(r"^#{1,3} ((?:\d+|[A-HJ])(?:\.\d+)*|Appendix [A-HJ])\s+\S")
ANY_HEADING = re.compile(r"^#{1,6}\s")

Files = dict[str, str]
"""File name -> text."""


def render_edition(renderer: Renderer, edition: Edition) -> Files:
    """All files of one edition.

    Raises:
        SourceFault: a mark of the source format is wrong, or a heading has no number of its own.
    """
    chapters = {
        path.name: renderer.render(path.read_text(encoding="utf-8"), path.name, edition.name)
        for path in sorted((HERE / "chapters").glob("*.md"))
    }
    files = chapters | schedules(renderer.values, edition.name)
    for name, text in files.items():
        _check_headings(f"{edition.name}/{name}", text)
    return files


def _check_headings(name: str, text: str) -> None:
    headings = [line for line in text.splitlines() if ANY_HEADING.match(line)]
    numbers = sorted(match[1] for line in headings if (match := NUMBERED.match(line)))
    if bad := next((line for line in headings if not NUMBERED.match(line)), None):
        raise SourceFault(f"{name}: heading {bad!r} has no number; allowed: '## 4.2 Downgrades'")
    if twice := next((one for one, other in itertools.pairwise(numbers) if one == other), None):
        raise SourceFault(f"{name}: section {twice} stands twice; fix its number or its range")


def write_edition(folder: Path, edition: Edition, files: Files) -> None:
    """Write one edition folder and its edition.toml; stale Markdown files go."""
    folder.mkdir(parents=True, exist_ok=True)
    for stale in folder.glob("*.md"):
        if stale.name not in files:
            stale.unlink()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    base = f'base = "{edition.base}"\n' if edition.base else ""
    head = "# The day on which this edition was adopted and became known.\n"
    text = f"{head}recorded_at = {edition.recorded_at}\n{base}"
    (folder / "edition.toml").write_text(text, encoding="utf-8", newline="\n")


def build(out: Path) -> list[str]:
    """Render all editions, then write them, a line for each; nothing is written when one of them has a fault."""
    editions = read_editions(HERE / "editions.toml")
    renderer = Renderer(editions, Values.read(HERE / "values.toml"))
    rendered = {edition.name: render_edition(renderer, edition) for edition in editions}
    lines = []
    for edition in editions:
        base = rendered[edition.base] if edition.base else {}
        files = {name: text for name, text in rendered[edition.name].items() if base.get(name) != text}
        write_edition(out / edition.name, edition, files)
        lines.append(f"{out / edition.name}: {len(files)} files")
    return lines


def main() -> int:
    """Run from the command line: 0 good, 2 a fault in the source."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="the handbook folder to write, such as data/handbook")
    try:
        print("\n".join(build(parser.parse_args().out)))
    except SourceFault as fault:
        print(fault, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
