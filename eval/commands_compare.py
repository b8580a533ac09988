"""compare: retrieval beside the whole handbook in the context, in cost, recall, latency and traceability."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from eval import options

if TYPE_CHECKING:
    from eval.comparison.arms import Case
    from eval.comparison.asking import ArmResults
    from eval.comparison.comparing import Compared
    from eval.progress import Told
    from eval.surroundings import Surroundings


def compare(
    suite: Annotated[
        Path | None,
        typer.Argument(metavar="SUITE", help="Tickets, or a table of subject experts; default: eval.suite."),
    ] = None,
    handbook: Annotated[
        Path | None, typer.Option("--handbook", metavar="DIR", help="The handbook's folder; default: as indexed.")
    ] = None,
    split: Annotated[
        str | None,
        typer.Option("--split", metavar="SIDE", help="tune (the default where there are sides), or holdout: logged."),
    ] = None,
    k: Annotated[
        int | None, typer.Option("--k", min=1, max=100, help="Passages asked for; default: retrieve.k.")
    ] = None,
    prices: Annotated[
        Path | None, typer.Option("--prices", metavar="FILE", help="Your own prices.toml; default: an illustration.")
    ] = None,
    price: Annotated[
        str | None, typer.Option("--price", metavar="NAME", help="The model's row in it; default: the first.")
    ] = None,
    hosting: Annotated[
        str | None, typer.Option("--hosting", metavar="NAME", help="The row of hosting; default: the first.")
    ] = None,
    tickets: Annotated[
        int | None,
        typer.Option(
            "--tickets", min=1, max=10_000_000, metavar="N", help="Tickets a month; default: as the prices say."
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option("--model", metavar="NAME", help="Ask this model, too: OPENAI_API_KEY, OPENAI_BASE_URL."),
    ] = None,
    arms: Annotated[
        list[str] | None, typer.Option("--arm", metavar="ARM", help="Ask it through this arm alone; repeatable.")
    ] = None,
    questions: Annotated[
        int, typer.Option("--questions", min=1, help="Ask it of so many tickets, evenly spread over the suite.")
    ] = 20,
    cap: Annotated[
        float, typer.Option("--cap-usd", min=0, help="Stop before more than this is spent, earlier runs included.")
    ] = 5.0,
    at_once: Annotated[int, typer.Option("--at-once", min=1, max=64, help="Calls at a time.")] = 4,
    per_minute: Annotated[
        float, typer.Option("--per-minute", min=0, help="Calls a minute at most; 0: as fast as they come.")
    ] = 0.0,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FOLDER", help="For compare.html and the calls; default: reports.")
    ] = None,
    as_json: options.Json = False,
    state: options.State = None,
) -> None:
    """Reckon what pasting the whole handbook in would cost, beside retrieval, whichever way it falls.

    Needs an index of the handbook (`caveat index`). Without --model, what a model makes of either is not measured.
    Answers of a model are kept in compare.calls.jsonl: a run that was stopped goes on without paying again.
    """
    from eval import render_compare
    from eval.comparison.comparing import Order, compare
    from eval.comparison.page import page
    from eval.comparison.values import values
    from eval.comparison.wording import asked_for
    from eval.paint import Paint
    from eval.progress import progress
    from eval.surroundings import surroundings
    from index.state import write_atomically

    around = surroundings(state)
    wanted = around.suite(suite)
    folder = options.out_folder(out or around.path(around.config.eval.reports))
    order = Order(wanted, handbook, split, k, prices, price, hosting, tickets)
    asking = _Asking(model, tuple(arms or ()), questions, cap, at_once, per_minute)
    asking.check()
    with progress("compare") as told:
        found = compare(around, order, told)
        results = asking.results(around, found, folder / "compare.calls.jsonl", told)
    command = asked_for(str(wanted))
    write_atomically(folder / "compare.html", page(found.comparison, results, command))
    options.print_either(
        values(found.comparison, results, command),
        as_json,
        lambda: render_compare.compared(found.comparison, results, command, Paint.stdout()),
    )
    typer.echo(f"wrote {folder / 'compare.html'}", err=True)


class _Asking:
    """Which model is asked, what, and for how much."""

    def __init__(
        self, model: str | None, arms: tuple[str, ...], questions: int, cap: float, at_once: int, per_minute: float
    ):
        self.model, self.arms, self.questions = model, arms, questions
        self.cap, self.at_once, self.per_minute = cap, at_once, per_minute

    def check(self) -> None:
        """Refuse an arm that is none, before anything is searched.

        Raises:
            QueryError: no such arm.
            ConfigError: no key and no address for the model.
        """
        from eval.comparison.arms import ARMS
        from ingest.errors import QueryError

        for arm in self.arms:
            if arm not in ARMS:
                raise QueryError(f'no arm "{arm}"', where="--arm", allowed=", ".join(ARMS))
        if self.model:
            from eval.comparison.model import endpoint

            endpoint(self.model)

    def results(self, around: Surroundings, found: Compared, file: Path, told: Told | None) -> ArmResults | None:
        """What the model made of it; None where none was named.

        Raises:
            ConfigError: the model cannot be asked at all.
            StateError, SourceError: the file of calls cannot be used.
        """
        if not self.model:
            return None
        from eval.comparison.arms import ARMS
        from eval.comparison.asking import run_arms
        from eval.comparison.calls import Limits, calling
        from eval.comparison.model import endpoint
        from eval.redaction import Redactor

        limits = Limits(cap_usd=self.cap, at_once=self.at_once, requests_per_minute=self.per_minute)
        arms = [arm for arm in ARMS if not self.arms or arm in self.arms]
        cases = _spread(found.cases, self.questions)
        redactor = Redactor(around.config.redact)
        with calling(endpoint(self.model), file, found.comparison.price, limits, redactor) as caller:
            return run_arms(cases, arms, caller, found.policy, progress=told)


def _spread(items: tuple[Case, ...], most: int) -> tuple[Case, ...]:
    """At most so many, evenly spread, in their order."""
    count = min(most, len(items))
    return tuple(items[at * len(items) // count] for at in range(count))
