"""The pipeline over passages in memory, with and without their days."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from eval.policy import Policy, read_policy
from eval.retrievers import losses
from eval.retrievers.memory import Memory, Prepared
from eval.suites.beir import read_corpus
from eval.suites.held import held_of_corpus, held_of_policy
from eval.suites.question import Gold, Question
from index.encoding.embeddings import EmbeddingCache
from index.encoding.hashing import HashEncoder
from ingest.settings import IngestSettings
from retrieve.settings import RetrieveSettings
from tests.eval import desk
from tests.eval.suites.beir_folder import CORPUS, dated, write_beir

Write = Callable[[Mapping[str, str]], Path]
FIRST = RetrieveSettings(reranker="none")
NOTICE = "04-seats.md#Seats > Notice"
EARLY = Question(
    "d", "calendar days of notice", (Gold(NOTICE, quotes=("at least 15 calendar days",)),), "f", "2025-06-01"
)


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[EmbeddingCache]:
    with EmbeddingCache(tmp_path / "vectors.sqlite") as opened:
        yield opened


@pytest.fixture
def policy(write_files: Write) -> Policy:
    return read_policy(write_files(desk.FILES), IngestSettings(), desk.NOW)


@pytest.fixture
def handbook(policy: Policy, cache: EmbeddingCache) -> Prepared:
    return Prepared(held_of_policy(policy), HashEncoder(), cache)


def corpus(folder: Path, cache: EmbeddingCache, passages: Sequence[dict[str, object]] = CORPUS) -> Prepared:
    held = held_of_corpus(read_corpus(write_beir(folder / "faq", list(passages))))
    return Prepared(held, HashEncoder(), cache)


def ids(memory: Memory, question: Question, k: int = 5) -> list[str | None]:
    return [one.id for one in memory.answer(question, k).passages]


@pytest.mark.parametrize(
    "settings",
    [
        FIRST,
        FIRST.model_copy(update={"dense_weight": 0.0}),
        FIRST.model_copy(update={"bm25_weight": 0.0}),
        FIRST.model_copy(update={"fusion": "minmax"}),
        RetrieveSettings(),
    ],
    ids=["both lists", "bm25", "dense", "minmax", "late interaction"],
)
def test_every_rung_finds_a_passage_by_its_words(
    tmp_path: Path, cache: EmbeddingCache, settings: RetrieveSettings
) -> None:
    question = Question("q", "notice before the renewal date", (Gold("p2"),), "q")
    memory = Memory("rung", corpus(tmp_path, cache), settings)
    answer = memory.answer(question, 1)
    [best] = answer.passages
    assert (best.id, best.covers, best.texts) == ("p2", {"p2"}, (CORPUS[1]["text"],))
    assert best.tokens > 5
    assert answer.milliseconds["total"] > 0
    assert (answer.confidence is None) == (settings.dense_weight == 0)
    assert answer.lost == {}


def test_a_question_is_answered_from_what_was_in_force_on_its_day(handbook: Prepared) -> None:
    [best, *others] = Memory("dated", handbook, FIRST).answer(EARLY, 9).passages
    assert "15 calendar days" in best.texts[0]
    assert best.covers == {NOTICE}
    assert NOTICE not in [one.id for one in others]


def test_without_the_date_filter_all_versions_come(handbook: Prepared) -> None:
    found = Memory("undated", handbook, FIRST, dated=False).answer(EARLY, 9).passages
    versions = [one for one in found if one.id == NOTICE]
    # The edition of 2026-01-01 was corrected before its text of 30 days was ever seen from today.
    assert {days for one in versions for days in ("15", "20", "30") if f"least {days} cal" in one.texts[0]} == {
        "15",
        "20",
    }
    assert [one.covers for one in versions].count(frozenset({NOTICE})) == 1


def test_identical_texts_of_a_handbook_come_once(handbook: Prepared) -> None:
    question = Question("c", "copies of an invoice", (), "f", "2026-06-01")
    found = Memory("dated", handbook, FIRST).answer(question, 3).passages
    assert len({one.texts for one in found}) == len(found)


def test_a_corpus_has_days_too(tmp_path: Path, cache: EmbeddingCache) -> None:
    old = dated(CORPUS[1], effective_to="2026-01-01")
    new = dated(CORPUS[1] | {"_id": "p4"}, effective_from="2026-01-01")
    prepared = corpus(tmp_path, cache, [CORPUS[0], old, CORPUS[2], new])
    question = Question("q", "notice before renewal", (Gold("p4"),), "q", "2026-03-15")
    assert "p2" not in ids(Memory("dated", prepared, FIRST), question)
    assert {"p2", "p4"} <= set(ids(Memory("undated", prepared, FIRST, dated=False), question))
    [best] = Memory("dated", prepared, FIRST).answer(question, 1).passages
    assert (best.effective_from, best.superseded_at) == ("2026-01-01", None)


@pytest.mark.parametrize(
    ("gold", "k", "stage"),
    [
        ("p9", 3, losses.NOT_INDEXED),
        ("p1", 1, losses.BEYOND_K),
        ("p3", 1, losses.NOT_IN_FORCE),
    ],
)
def test_what_is_lost_names_the_stage(tmp_path: Path, cache: EmbeddingCache, gold: str, k: int, stage: str) -> None:
    prepared = corpus(tmp_path, cache, [*CORPUS[:2], dated(CORPUS[2], effective_to="2026-01-01")])
    question = Question("q", "notice before the renewal date", (Gold(gold),), "q", "2026-03-15")
    assert Memory("dated", prepared, FIRST).answer(question, k).lost == {gold: stage}


def test_token_vectors_are_computed_once(tmp_path: Path, cache: EmbeddingCache) -> None:
    held = held_of_corpus(read_corpus(write_beir(tmp_path / "faq")))
    question = Question("q", "notice before the renewal date", (), "q")
    for folder in (None, tmp_path / "tokens"):
        prepared = Prepared(held, HashEncoder(), cache, tokens=folder)
        Memory("late", prepared, RetrieveSettings()).answer(question, 3)
        assert prepared.tokens.of([child.text for child in prepared.stage.children]).computed == 0
    assert list((tmp_path / "tokens").glob("*.bin"))


def test_the_key_follows_settings_texts_and_days(tmp_path: Path, cache: EmbeddingCache, handbook: Prepared) -> None:
    contenders = [
        Memory("a", handbook, FIRST),
        Memory("a", handbook, RetrieveSettings()),
        Memory("a", handbook, FIRST, dated=False),
        Memory("a", corpus(tmp_path, cache), FIRST),
    ]
    assert len({one.key for one in contenders}) == 4
    assert Memory("another name", handbook, FIRST).key == contenders[0].key


class ByLength:
    """The longest text is the best."""

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        return [float(len(text)) for text in texts]

    def unread(self, query: str, texts: Sequence[str]) -> int:
        return 0


def test_another_reranker_takes_the_place_of_the_cross_encoder(tmp_path: Path, cache: EmbeddingCache) -> None:
    settings = RetrieveSettings(reranker="none", first_weight=0, cross_weight=1)
    memory = Memory("longest", corpus(tmp_path, cache), settings, reranker=ByLength(), mark="length")
    assert ids(memory, Question("q", "seat notice invoice", (), "q"))[0] == "p2"


def test_what_is_searched_is_what_an_index_would_search(policy: Policy, handbook: Prepared) -> None:
    addresses = {version.address for version in held_of_policy(policy).versions}
    assert "04-seats.md#Seats" not in addresses, "a bare heading over subsections is no answer"
    by_number = Memory("bm25", handbook, FIRST.model_copy(update={"dense_weight": 0.0}))
    assert ids(by_number, Question("n", "4.2", (), "f", "2026-03-15"))[0] == NOTICE
