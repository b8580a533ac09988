"""Calls to a model that are paid for once, at a bearable rate, tried again with patience, and never beyond a cap.

Before a call its worst case is set aside: every token at full price and an answer of full length. A call that would
take what was spent and set aside beyond the cap is not begun, so the cap holds however many calls run at once, unless
a provider counts half as many tokens again as o200k does. What the ledger holds is not asked again, and counts.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from eval.comparison.faults import Rejected, Transient
from eval.comparison.ledger import About, Call, Ledger, Redacting, call_key
from eval.comparison.model import Endpoint, Model, Request, Usage
from eval.comparison.prices import ModelPrice
from index.history.o200k import count_tokens
from ingest.errors import ConfigError

MARGIN: Final = 1.5
"""A provider's tokens to one of o200k, at most; what is set aside for a call counts on it."""
IN_A_ROW: Final = 5
"""Calls that fail for good, one after another, before the rest is given up."""
SEED: Final = 8841
Sleep = Callable[[float], object]


@dataclass(frozen=True, slots=True)
class Limits:
    """How a model is asked, and how much may be spent."""

    cap_usd: float = 5.0
    """Over the whole ledger, earlier runs included."""
    at_once: int = 4
    requests_per_minute: float = 0.0
    """0: as fast as they come."""
    tokens_per_minute: float = 0.0
    """o200k, input alone; 0: as fast as they come."""
    attempts: int = 6
    """Of one call."""
    first_wait: float = 1.0
    """Seconds before the second attempt, at most; doubled each time (Brooker 2015, full jitter)."""
    longest_wait: float = 60.0
    """Seconds; also where a server asks for more."""

    def __post_init__(self) -> None:
        """Check the bounds.

        Raises:
            ConfigError: a limit that stops everything, or nothing.
        """
        for name, least in (("cap_usd", 0), ("at_once", 1), ("requests_per_minute", 0), ("attempts", 1)):
            told = getattr(self, name)
            if not told >= least:
                raise ConfigError(f"{name} is {told}", where="caveat compare", allowed=f"{least} or more")


class Stopped(Exception):
    """No more calls are begun; the text says why. What was paid for is kept."""


class Failed(Exception):
    """One call came to nothing; others go on."""


class Caller:
    """Asks a model for answers, each once; safe for threads."""

    def __init__(
        self,
        model: Model,
        ledger: Ledger,
        price: ModelPrice,
        limits: Limits | None = None,
        *,
        seed: int = SEED,
        clock: Callable[[], float] = time.monotonic,
        sleep: Sleep | None = None,
    ):
        """`seed` is of the jitter; `clock` and `sleep` are in seconds; without a `sleep`, one that `stop` ends."""
        self.model, self.ledger, self.price, self.limits = model, ledger, price, limits or Limits()
        self.stopped: str | None = None
        """Why no more calls are begun; None while they are."""
        self._bought_keys: set[str] = set()
        self._reused_keys: set[str] = set()
        self._purse = _Purse(ledger.spent, self.limits.cap_usd)
        self._pace = _Pace(self.limits, clock)
        self._halt = threading.Event()
        self._sleep = sleep or self._halt.wait
        self._rng = np.random.default_rng(seed)
        self._lock = threading.Lock()
        self._alone: dict[str, threading.Lock] = {}
        self._warm: set[str] = set()
        self._in_a_row = 0

    @property
    def spent(self) -> float:
        """USD, earlier runs on the same ledger included."""
        return self._purse.spent

    @property
    def bought(self) -> int:
        """Answers that were paid for just now."""
        return len(self._bought_keys)

    @property
    def reused(self) -> int:
        """Answers that earlier runs have paid for."""
        return len(self._reused_keys)

    def ask(self, request: Request, about: About, ask: int = 1) -> Call:
        """The answer to a prompt, from the ledger or else from the model.

        Args:
            request: The prompt.
            about: What it is for; noted in the ledger.
            ask: The how manieth time that this prompt is asked, from 1.

        Raises:
            Stopped: it is not in the ledger, and no more calls are begun.
            Failed: the model would not answer, or no attempt brought a whole answer.
            ConfigError: the model cannot be asked at all.
            StateError: the ledger cannot be written any more.
        """
        key = call_key(request, self.model.at.identity, ask)
        with self._one_at_a_time(key):
            found = self.ledger.find(key)
            if found is None:
                return self._bought(key, request, about)
            if key not in self._bought_keys:
                self._reused_keys.add(key)
            return found

    def stop(self, why: str) -> None:
        """Begin no more calls; the first reason is kept."""
        self.stopped = self.stopped or why
        self._halt.set()

    def _bought(self, key: str, request: Request, about: About) -> Call:
        last: Transient | None = None
        with self._first_of_its_prefix(request):
            for attempt in range(self.limits.attempts):
                if last is not None:
                    self._back_off(attempt, last)
                self._wait_for_turn(request)
                try:
                    return self._tried(key, request, about)
                except Rejected as fault:
                    raise self._failed(f"refused: {fault}") from fault
                except Stopped as reason:
                    self.stop(str(reason))
                    raise
                except Transient as fault:
                    last = fault
        raise self._failed(f"{self.limits.attempts} attempts failed, the last: {last}", counts=True)

    def _tried(self, key: str, request: Request, about: About) -> Call:
        with self._purse.aside(self._worst(request)) as pay:
            try:
                reply = self.model.ask(request)
            except Transient as fault:
                # It may be charged all the same: its input is taken for paid.
                if fault.sent:
                    usd = Usage(request.tokens).usd(self.price)
                    pay(usd)
                    self.ledger.lose(key, request, about, fault, usd)
                raise
            usage = reply.usage or Usage(request.tokens, output=count_tokens(reply.text))
            usd = usage.usd(self.price)
            pay(usd)
            self._in_a_row = 0
            self._bought_keys.add(key)
            return self.ledger.keep(key, request, about, reply, usage, usd)

    def _failed(self, why: str, *, counts: bool = False) -> Failed:
        with self._lock:
            self._in_a_row = self._in_a_row + 1 if counts else 0
            if self._in_a_row >= IN_A_ROW:
                self.stop(f"{IN_A_ROW} calls in a row came to nothing; {why}")
        return Failed(why)

    def _worst(self, request: Request) -> float:
        tokens = round(request.tokens * MARGIN)
        output = self.model.at.max_tokens
        return max(Usage(tokens, written=written, output=output).usd(self.price) for written in (0, tokens))

    def _wait_for_turn(self, request: Request) -> None:
        if self.stopped:
            raise Stopped(self.stopped)
        self._sleep(self._pace.turn(request.tokens))
        # Another thread may have found a reason meanwhile.
        if self.stopped:
            raise Stopped(self.stopped)

    def _back_off(self, attempt: int, fault: Transient) -> None:
        with self._lock:
            drawn = float(self._rng.random())
        wait = drawn * min(self.limits.longest_wait, self.limits.first_wait * 2 ** (attempt - 1))
        if fault.wait is not None:
            asked = min(fault.wait, self.limits.longest_wait)
            # It was too much for the server: the other threads wait as well.
            self._pace.hold(asked)
            wait += asked
        self._sleep(wait)

    @contextmanager
    def _one_at_a_time(self, key: str) -> Iterator[None]:
        """Two arms may have the same prompt: the second waits, and finds the first one's answer."""
        with self._lock:
            lock = self._alone.setdefault(key, threading.Lock())
        with lock:
            yield

    @contextmanager
    def _first_of_its_prefix(self, request: Request) -> Iterator[None]:
        """The first call of a long prefix goes alone, so that the others find it in the provider's cache."""
        name = call_key(Request(request.system, request.prefix, "", 0), {}, 0)
        if name in self._warm or request.tokens < self.price.cache_from_tokens:
            yield
            return
        with self._one_at_a_time(name):
            if name not in self._warm:
                yield
                self._warm.add(name)
                return
        yield


class _Purse:
    """What is spent, and what is set aside for calls that run."""

    def __init__(self, spent: float, cap: float):
        self.spent, self._cap = spent, cap
        self._aside: list[float] = []
        self._changed = threading.Condition()

    @contextmanager
    def aside(self, worst: float) -> Iterator[Callable[[float], None]]:
        """Set `worst` USD aside while a call runs, and pay what it cost.

        Raises:
            Stopped: the cap would not hold, even when all calls that run now have cost less than they may.
        """
        with self._changed:
            while self.spent + sum(self._aside) + worst > self._cap:
                if not self._aside:
                    told = f"{self.spent:.4f} USD are spent, and the next call may cost {worst:.4f}"
                    raise Stopped(f"the cap of {self._cap:.2f} USD: {told}")
                self._changed.wait()
            self._aside.append(worst)
        try:
            yield self._pay
        finally:
            with self._changed:
                self._aside.remove(worst)
                self._changed.notify_all()

    def _pay(self, usd: float) -> None:
        with self._changed:
            self.spent += usd


class _Pace:
    """Whose turn is when."""

    def __init__(self, limits: Limits, clock: Callable[[], float]):
        self._limits, self._clock = limits, clock
        self._next = clock()
        self._lock = threading.Lock()

    def turn(self, tokens: int) -> float:
        """Seconds to wait for the next call of so many tokens."""
        per_request, per_token = self._limits.requests_per_minute, self._limits.tokens_per_minute
        takes = max(60 / per_request if per_request else 0.0, 60 * tokens / per_token if per_token else 0.0)
        with self._lock:
            now = self._clock()
            start = max(now, self._next)
            self._next = start + takes
            return start - now

    def hold(self, seconds: float) -> None:
        """Nobody's turn comes for so long."""
        with self._lock:
            self._next = max(self._next, self._clock() + seconds)


@contextmanager
def calling(
    at: Endpoint, ledger: Path, price: ModelPrice, limits: Limits | None = None, redactor: Redacting | None = None
) -> Iterator[Caller]:
    """A model and its ledger, opened and closed; with a cap of 0, what the ledger holds is read and nothing is asked.

    Raises:
        StateError, SourceError: see `Ledger`.
    """
    from eval.redaction import Redactor

    model = Model(at)
    try:
        with Ledger(ledger, redactor or Redactor()) as opened:
            yield Caller(model, opened, price, limits)
    finally:
        model.close()
