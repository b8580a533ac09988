"""The training loop: listwise loss, warm-up, bf16, early stopping on sections it never saw, checkpoints and resume."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from eval.training.lists import List
from eval.training.network import CrossEncoder, HeadKind, Precision, tensors
from retrieve.reranking.pairs import Pairs

SIZE: Final = 8
"""Texts of a list in one step: the right one, and seven that are wrong."""
LISTS: Final = 8
"""Lists in one step."""
TOGETHER: Final = 4
"""Pairs that are computed at once, of near lengths: a long text does not pad the short ones of its list."""
WINDOW: Final = 16
"""Steps whose lists are sorted by length together, so that little padding is computed."""
STATE: Final = "training.pt"
SHARPNESS: Final = 0.15
"""Of a teacher's scores, which lie between 0 and 1."""
Log = Callable[[str], None]
Scorer = Callable[[str, Sequence[str]], NDArray[np.float64]]
"""(query, texts) -> a teacher's scores, 0 to 1."""


class Drawn(NamedTuple):
    """One list as a step reads it."""

    query: str
    texts: list[str]
    """The right one first."""
    swapped: bool
    """Whether one of the wrong ones is the right one with another qualifier."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a run is made of."""

    head: HeadKind = "interaction"
    scenarios: bool = True
    swaps: bool = True
    given: float = 1.0
    """Share of the lists of ../shared/train that an epoch draws beside all of the questions."""
    teacher: str = ""
    """The run that teaches, if any."""
    taught: float = 0.0
    """Weight of the teacher's scores in the loss, 0 to 1."""
    pairs: int = 150_000
    rate: float = 4e-5
    warm_up: float = 0.08
    """Share of the steps with a rising rate; it falls in a line afterwards."""
    frozen: int = 0
    """Layers, from the lowest on, that stay as they are: three make a step half as long again."""
    precision: Precision = "fp32"
    every: int = 8_000
    """Pairs between two validations."""
    patience: int = 3
    """Validations without a better one before the run stops."""
    threads: int = 2
    seed: int = 8841


@dataclass(frozen=True, slots=True)
class Score:
    """How a model orders lists it never saw."""

    mrr: float
    right: float
    """Share with a right text on top."""
    by_kind: dict[str, float] = field(default_factory=dict)
    """MRR by kind of list."""


class Trainer:
    """One run in one folder; the same recipe goes on where it was stopped."""

    def __init__(
        self,
        recipe: Recipe,
        model: CrossEncoder,
        pairs: Pairs,
        folder: Path,
        log: Log = print,
        teacher: Scorer | None = None,
    ):
        self._recipe, self._model, self._pairs, self._folder, self._log = recipe, model, pairs, folder, log
        self._teacher = teacher
        # The word vectors stay: half of the weights, and a few thousand lists name few of them.
        for parameter in _kept(model, recipe.frozen):
            parameter.requires_grad = False
        plain, decayed = _groups(model)
        self._optimizer = torch.optim.AdamW(
            [{"params": decayed, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}], lr=recipe.rate
        )
        self._steps = max(1, recipe.pairs // (LISTS * SIZE))
        self._schedule = torch.optim.lr_scheduler.LambdaLR(self._optimizer, self._rate)
        self._done, self._best, self._since, self._seconds = 0, -1.0, 0, 0.0

    def _rate(self, step: int) -> float:
        warm = max(1, round(self._recipe.warm_up * self._steps))
        return (step + 1) / warm if step < warm else max(0.0, (self._steps - step) / max(1, self._steps - warm))

    def run(self, learn: Sequence[List], validate: Sequence[List]) -> Score:
        """Train; the best model by validation MRR is in `model.pt` of the folder.

        The order of lists and the negatives drawn depend on the seed and the step alone, so that a run that was
        stopped and resumed is the run that was not.
        """
        torch.set_num_threads(self._recipe.threads)
        self._folder.mkdir(parents=True, exist_ok=True)
        self._resume()
        learn = [one for one in learn if self._wanted(one)]
        every = max(1, self._recipe.every // (LISTS * SIZE))
        if self._done == 0:
            self._validated(validate)
        for step, lists in _batches(learn, self._steps, self._recipe, self._length):
            if step < self._done:
                continue
            start = time.perf_counter()
            loss = self._step(step, lists)
            self._seconds += time.perf_counter() - start
            self._done = step + 1
            if self._done % 20 == 0:
                speed = self._done * LISTS * SIZE / max(self._seconds, 1e-9)
                self._log(f"pairs {self._done * LISTS * SIZE:,} loss {loss:.4f} ({speed:.0f} pairs/s over all)")
            if self._done % every == 0 or self._done == self._steps:
                self._validated(validate)
                self._save()
                if self._since >= self._recipe.patience:
                    self._log(f"no better model in {self._since} validations: stopped")
                    break
        return self.best()

    def best(self) -> Score:
        """The validation score of the model that is kept."""
        return Score(**json.loads((self._folder / "best.json").read_text(encoding="utf-8")))

    def _wanted(self, one: List) -> bool:
        if one.kind == "list":
            return self._recipe.given > 0
        return self._recipe.scenarios or one.kind == "short"

    def _length(self, one: List) -> int:
        return max(self._pairs.length(one.query, text) for text in (*one.positives, *one.negatives[: SIZE - 1]))

    def _step(self, step: int, lists: Sequence[List]) -> float:
        rng = np.random.default_rng((self._recipe.seed, step))
        self._model.train()
        loss = self._loss([_drawn(one, rng, self._recipe.swaps) for one in lists])
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self._model.parameters(), 1.0)
        self._optimizer.step()
        self._schedule.step()
        self._optimizer.zero_grad(set_to_none=True)
        return float(loss.detach())

    def _loss(self, drawn: Sequence[Drawn]) -> Tensor:
        """Cross-entropy of the right text, which is the first, against all of its list (listwise softmax)."""
        logits = self._logits([(one.query, text) for one in drawn for text in one.texts])
        parts = torch.split(logits, [len(one.texts) for one in drawn])
        return torch.stack([self._list_loss(one, part) for one, part in zip(drawn, parts, strict=True)]).mean()

    def _list_loss(self, drawn: Drawn, logits: Tensor) -> Tensor:
        told = functional.log_softmax(logits, 0)
        # What a teacher knows of twins that differ in one qualifier, it has from this label.
        if not self._teacher or drawn.swapped:
            return -told[0]
        # Teachers rank, they do not measure: their scores are sharpened, and the right text keeps its share.
        scores = torch.from_numpy(self._teacher(drawn.query, drawn.texts)).float()
        wanted = functional.softmax(scores / SHARPNESS, 0)
        return -(1 - self._recipe.taught) * told[0] - self._recipe.taught * (wanted * told).sum()

    def _logits(self, pairs: Sequence[tuple[str, str]]) -> Tensor:
        order, parts = self._pairs.shortest_first(pairs), []
        for start in range(0, len(order), TOGETHER):
            batch = self._pairs.batch([pairs[place] for place in order[start : start + TOGETHER]])
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self._recipe.precision == "bf16"):
                parts.append(self._model(*tensors(batch)).float())
        return torch.cat(parts)[torch.tensor(order).argsort()]

    # Validation and files

    def _validated(self, lists: Sequence[List]) -> None:
        score = self.score(lists)
        kinds = ", ".join(f"{kind} {value:.3f}" for kind, value in sorted(score.by_kind.items()))
        self._log(f"validation MRR {score.mrr:.4f}, right on top {score.right:.3f} (n={len(lists)}; {kinds})")
        if score.mrr > self._best:
            self._best, self._since = score.mrr, 0
            torch.save(self._model.state_dict(), self._folder / "model.pt")
            (self._folder / "best.json").write_text(json.dumps(asdict(score)) + "\n", encoding="utf-8")
        else:
            self._since += 1

    def score(self, lists: Sequence[List]) -> Score:
        """Rank every list's texts: all of its wrong ones and the first right one; the mean over kinds counts."""
        self._model.eval()
        ranks: dict[str, list[int]] = {}
        with torch.no_grad():
            for one in lists:
                texts = [one.positives[0], *one.negatives]
                logits = self._logits([(one.query, text) for text in texts])
                ranks.setdefault(one.kind, []).append(1 + int((logits[1:] >= logits[0]).sum()))
        by_kind = {kind: float(np.mean([1 / rank for rank in found])) for kind, found in ranks.items()}
        every = [rank for found in ranks.values() for rank in found]
        return Score(float(np.mean(list(by_kind.values()))), float(np.mean([rank == 1 for rank in every])), by_kind)

    def _save(self) -> None:
        state = {
            "recipe": json.dumps(asdict(self._recipe)),
            "model": self._model.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "schedule": self._schedule.state_dict(),
            "numbers": [self._done, self._best, self._since, self._seconds],
        }
        fresh = self._folder / f"{STATE}.new"
        torch.save(state, fresh)
        fresh.replace(self._folder / STATE)

    def _resume(self) -> None:
        path = self._folder / STATE
        if not path.exists():
            return
        state: dict[str, Any] = torch.load(path, weights_only=True)
        if json.loads(state["recipe"]) != json.loads(json.dumps(asdict(self._recipe))):
            raise ValueError(f"{path} is of another recipe: {state['recipe']}")
        self._model.load_state_dict(state["model"])
        self._optimizer.load_state_dict(state["optimizer"])
        self._schedule.load_state_dict(state["schedule"])
        done, self._best, since, self._seconds = state["numbers"]
        self._done, self._since = int(done), int(since)
        self._log(f"goes on after {self._done * LISTS * SIZE:,} pairs")


def _kept(model: CrossEncoder, layers: int) -> Iterator[nn.Parameter]:
    """What is not learned."""
    yield from model.body.word.parameters()
    yield from model.body.position.parameters()
    if layers:
        yield from model.body.kind.parameters()
        yield from model.body.norm.parameters()
    for layer in list(model.body.layers)[:layers]:
        yield from layer.parameters()


def _groups(model: nn.Module) -> tuple[list[nn.Parameter], list[nn.Parameter]]:
    """(without, with) weight decay."""
    learned = [one for one in model.parameters() if one.requires_grad]
    return [one for one in learned if one.ndim < 2], [one for one in learned if one.ndim >= 2]


def _drawn(one: List, rng: np.random.Generator, swaps: bool) -> Drawn:
    """A query, a right text and wrong ones: a swap in every second list that has one, then from the hardest on."""
    right = one.positives[int(rng.integers(len(one.positives)))]
    wrong = [one.negatives[place] for place in _hard_first(len(one.negatives), rng)[: SIZE - 1]]
    swapped = bool(swaps and one.swaps and rng.random() < 0.5)
    if swapped:
        wrong = [one.swaps[int(rng.integers(len(one.swaps)))], *wrong][: SIZE - 1]
    return Drawn(one.query, [right, *wrong], swapped)


def _hard_first(count: int, rng: np.random.Generator) -> list[int]:
    """Places in a random order in which the first are likely to be early."""
    weights = 1 / (2 + np.arange(count))
    return list(rng.choice(count, size=count, replace=False, p=weights / weights.sum()).tolist()) if count else []


def _batches(
    lists: Sequence[List], steps: int, recipe: Recipe, length: Callable[[List], int]
) -> Iterator[tuple[int, list[List]]]:
    """(step, lists) for each step; epochs in random order, near lengths together."""
    step = 0
    rng = np.random.default_rng(recipe.seed)
    lengths = [length(one) for one in lists]
    while step < steps:
        order = _epoch(lists, recipe.given, rng)
        for start in range(0, len(order), WINDOW * LISTS):
            window = sorted(order[start : start + WINDOW * LISTS], key=lambda place: (lengths[place], place))
            batches = [window[at : at + LISTS] for at in range(0, len(window), LISTS)]
            for number in rng.permutation(len(batches)).tolist():
                if step < steps:
                    yield step, [lists[place] for place in batches[number]]
                step += 1


def _epoch(lists: Sequence[List], share: float, rng: np.random.Generator) -> list[int]:
    """Places of the lists of one epoch, in the order they are read."""
    order: list[int] = rng.permutation(len(lists)).tolist()
    given = [place for place in order if lists[place].kind == "list"]
    left_out = set(given[round(share * len(given)) :])
    return [place for place in order if place not in left_out]
