"""search, show, history and diff: asking what the handbook says, or said."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from eval import options

if TYPE_CHECKING:
    from eval.surroundings import Surroundings
    from retrieve.retriever import Retriever


def search(
    query: Annotated[str, typer.Argument(metavar="QUERY", help='The question; "-" reads it from standard input.')],
    as_of: options.AsOf = None,
    known_at: options.KnownAt = None,
    k: Annotated[int | None, typer.Option("-k", help="Passages returned; default: retrieve.k.")] = None,
    document: Annotated[
        list[str] | None, typer.Option("--document", metavar="DOC", help="Only in this document; may be repeated.")
    ] = None,
    explain: Annotated[
        str | None, typer.Option("--explain", metavar="SECTION", help="Say why this section was returned, or not.")
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Whole sections, not only the matching parts.")] = False,
    as_json: options.Json = False,
    state: options.State = None,
) -> None:
    """Find sections that were in force on a day.

    A terminal shows the matching parts of each section, `--full` all of it.
    """
    from eval import render
    from eval.paint import Paint

    question = sys.stdin.read() if query == "-" else query
    asked: dict[str, Any] = {
        "as_of": as_of,
        "known_at": options.known_at(known_at),
        "k": k,
        "documents": tuple(document) if document else None,
    }
    with _opened(state) as retriever:
        if explain is not None:
            why = retriever.explain(explain, question, **asked)
            options.print_either(why.to_dict(), as_json, lambda: render.explanation(why, Paint.stdout()))
            return
        result = retriever.retrieve(question, **asked)
    options.print_either(result.to_dict(), as_json, lambda: render.answer(result, render.Look(Paint.stdout(), full)))


def show(
    section: options.Section,
    as_of: options.AsOf = None,
    known_at: options.KnownAt = None,
    as_json: options.Json = False,
    state: options.State = None,
) -> None:
    """Show one section whole, as it stood on a day."""
    from eval import render
    from eval.paint import Paint

    with _opened(state) as retriever:
        passage = retriever.section(section, as_of=as_of, known_at=options.known_at(known_at))
    options.print_either(passage.to_dict(), as_json, lambda: render.section(passage, Paint.stdout()))


def history(section: options.Section, as_json: options.Json = False, state: options.State = None) -> None:
    """Show all versions of a section, word by word."""
    from eval import render_changes
    from eval.paint import Paint

    with _opened(state) as retriever:
        eras, others = retriever.history(section), retriever.namesakes(section)
    values = [era.to_dict() for era in eras]
    options.print_either(values, as_json, lambda: render_changes.history(eras, Paint.stdout(), others))


def diff(
    before: Annotated[str, typer.Argument(metavar="DAY", help="The earlier day.")],
    after: Annotated[str, typer.Argument(metavar="DAY", help="The later day.")],
    document: Annotated[str | None, typer.Option("--document", metavar="DOC", help="Only in this document.")] = None,
    known_at: options.KnownAt = None,
    as_json: options.Json = False,
    state: options.State = None,
) -> None:
    """Show what changed between two days."""
    from eval import render_changes
    from eval.difference import difference
    from eval.paint import Paint
    from eval.surroundings import surroundings

    changes = difference(surroundings(state), before, after, options.known_at(known_at), document)
    options.print_either(changes.to_dict(), as_json, lambda: render_changes.difference(changes, Paint.stdout()))


def _opened(state: options.State) -> Retriever:
    from eval.surroundings import surroundings

    return open_retriever(surroundings(state))


def open_retriever(around: Surroundings) -> Retriever:
    """A Retriever on the state folder, with the settings and the clock in force."""
    from retrieve.retriever import Retriever

    return Retriever.open(around.state, around.config.retrieve, encoder=around.wanted_encoder, clock=lambda: around.now)
