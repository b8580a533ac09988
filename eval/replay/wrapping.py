"""`session.wrap(...)`: a boundary as decorator, and as context manager, sync and async."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from types import TracebackType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

from eval.replay.crossing import About, Crossing
from eval.replay.forms import crossing_form
from ingest.errors import QueryError

if TYPE_CHECKING:
    from eval.replay.session import CutPointSession

P = ParamSpec("P")
R = TypeVar("R")


class Wrap:
    """A boundary of a session.

    @session.wrap("query_rewrite", model_version="rewriter-3")
    def rewrite(message): ...

    with session.wrap("warehouse_mcp_sql") as call:
        rows = call(run_sql, sql)

    async with session.wrap("warehouse_mcp_sql", inputs={"sql": sql}) as call:
        if not call.frozen:
            call.output = await connection.fetch(sql)
        rows = call.output
    """

    def __init__(self, session: CutPointSession, about: About, inputs: Mapping[str, Any] | None):
        self._session = session
        self._about = about
        self._inputs = inputs
        self._call: Call | None = None

    def __call__(self, function: Callable[P, R]) -> Callable[P, R]:
        """The function with each of its calls crossing the boundary.

        Raises:
            QueryError: it cannot be called.
        """
        wrapped = crossing_form(function, self._begin, self._about.values.ignore)
        return cast("Callable[P, R]", wrapped)

    def __enter__(self) -> Call:
        if self._call is not None:
            raise QueryError(
                f'the wrap of "{self._about.boundary}" is entered already', fix="call session.wrap(...) for each `with`"
            )
        self._call = Call(self, None if self._inputs is None else self._begin(self._inputs))
        return self._call

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._call is not None
        call, self._call = self._call, None
        call._end(error)

    async def __aenter__(self) -> Call:
        return self.__enter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.__exit__(kind, error, trace)

    def _begin(self, inputs: Mapping[str, Any]) -> Crossing:
        return self._session._begin(self._about, inputs)


class Call:
    """What a `with session.wrap(...)` block works with."""

    def __init__(self, wrap: Wrap, crossing: Crossing | None):
        self._wrap = wrap
        self._crossing = crossing
        self._output: Any = None
        self._given = False
        self._running: AbstractContextManager[None] | None = None
        if crossing is not None and crossing.record is None:
            self._running = crossing.running()
            self._running.__enter__()

    def __call__(self, function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call a function, plain or async, over the boundary; each call is one of its own."""
        if self._crossing is not None:
            raise QueryError("a wrap with inputs is one call itself", fix="set call.output, or leave `inputs` out")
        return self._wrap(function)(*args, **kwargs)

    @property
    def frozen(self) -> bool:
        """Whether the recorded output is served, so that nothing is to be run."""
        return self._begun().record is not None

    @property
    def output(self) -> Any:
        """The frozen output, or what the block has set; a frozen failure is raised."""
        crossing = self._begun()
        if crossing.record is not None:
            return crossing.serve()
        if not self._given:
            raise QueryError("no output was set yet", fix="if not call.frozen: call.output = ...")
        return self._output

    @output.setter
    def output(self, value: Any) -> None:
        if self.frozen:
            raise QueryError("the output is frozen", fix="if not call.frozen: call.output = ...")
        self._output, self._given = value, True

    def _begun(self) -> Crossing:
        if self._crossing is None:
            fix = 'session.wrap("...", inputs={...}), or call(function, ...)'
            raise QueryError("a wrap without inputs has no output of its own", fix=fix)
        return self._crossing

    def _end(self, error: BaseException | None) -> None:
        if self._running is None or self._crossing is None:
            return
        if error is None and not self._given:
            error = QueryError(
                f'the block of "{self._crossing.about.boundary}" set no output',
                fix="if not call.frozen: call.output = ...",
            )
            self._running.__exit__(type(error), error, None)
            raise error
        self._running.__exit__(type(error) if error else None, error, error.__traceback__ if error else None)
        if error is None:
            self._crossing.finish(self._output)
