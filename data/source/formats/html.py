"""A chapter as a web page."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import groupby

from formats.blocks import Block, Code, Heading, Note, Paragraph, Runs, Table


def html(title: str, blocks: list[Block]) -> bytes:
    """One page; footnotes at its end."""
    body = "\n".join(_parts(blocks))
    head = f'<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n</head>'
    return f'<!DOCTYPE html>\n<html lang="en">\n{head}\n<body>\n{body}\n</body>\n</html>\n'.encode()


def _parts(blocks: list[Block]) -> Iterator[str]:
    for kind, group in groupby(blocks, key=_kind):
        parts = [_part(block) for block in group]
        yield f"<{kind}>\n" + "\n".join(parts) + f"\n</{kind}>" if kind else "\n".join(parts)


def _kind(block: Block) -> str:
    listed = isinstance(block, Note) or (isinstance(block, Paragraph) and block.ordinal is not None)
    return "ol" if listed else ""


def _part(block: Block) -> str:
    if isinstance(block, Heading):
        return f"<h{block.level}>{escape(block.text)}</h{block.level}>"
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Code):
        return f"<pre><code>{escape(chr(10).join(block.lines), quote=False)}</code></pre>"
    if isinstance(block, Note):
        return f'<li id="note-{block.number}">{_inline(block.runs)}</li>'
    tag = "p" if block.ordinal is None else "li"
    return f"<{tag}>{_inline(block.runs)}</{tag}>"


def _table(table: Table) -> str:
    rows = [
        "<tr>" + "".join(f"<{tag}>{_inline(cell)}</{tag}>" for cell in row) + "</tr>"
        for tag, row in zip(["th"] + ["td"] * len(table.rows), table.rows, strict=False)
    ]
    return "<table>\n" + "\n".join(rows) + "\n</table>"


def _inline(runs: Runs) -> str:
    return "".join(
        f'<sup><a href="#note-{run.note}">{run.note}</a></sup>'
        if run.note
        else f"<strong>{escape(run.text)}</strong>"
        if run.bold
        else escape(run.text, quote=False)
        for run in runs
    )
