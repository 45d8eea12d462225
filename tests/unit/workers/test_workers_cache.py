"""Results kept by text, as long as what they asked for has the same answers."""

from __future__ import annotations

import pytest

from ingest.sql import Extraction
from ingest.sql.jobs import ExtractionJob, Lookups, Masking
from ingest.workers.cache import ExtractionCache, pack, unpack
from ingest.workers.pool import ExtractionPool
from lineage_tt.model.edges import Edge


def job(sql: str, **columns: tuple[str, ...]) -> ExtractionJob:
    """A job with the columns given."""
    return ExtractionJob(sql, "hive", "h", "dw", columns=columns)


def answer(word: str, lookups: Lookups = ()) -> Extraction:
    """An extraction that one can tell from another, with what it asked for."""
    return Extraction((Edge("h:a", f"h:{word}"),), "complete", (), (word,), (), (), lookups, ())


def kept(cache: ExtractionCache, asked: ExtractionJob, made: Extraction) -> None:
    """Keep the answer of a job."""
    cache.put(cache.key(asked), made.lookups, pack(made))


def found(cache: ExtractionCache, asked: ExtractionJob) -> str | None:
    """Return the word of the answer that is kept for a job, None for none."""
    made = cache.get(cache.key(asked), asked)
    return made.reads[0] if made is not None else None


def test_a_packed_answer_is_the_same_and_smaller() -> None:
    """The objects of a wide statement repeat themselves."""
    wide = Extraction(
        tuple(Edge(f"h:dw.s#c{n}", f"h:dw.t#c{n}") for n in range(500)), "complete", (), (), (), (), (), ()
    )

    assert unpack(pack(wide)) == wide
    assert len(pack(wide)) < len(repr(wide)) / 5


def test_an_answer_is_taken_where_its_lookups_have_the_same_answers() -> None:
    """A table that was unknown, or whose columns are in another order, is another; a list is as good as a tuple."""
    cache = ExtractionCache()
    kept(cache, job("q", s=("a", "b")), answer("first", (("s", ("a", "b")), ("t", None))))

    assert found(cache, job("q", s=("a", "b"))) == "first"
    assert found(cache, ExtractionJob("q", "hive", "h", "dw", columns={"s": ["a", "b"]})) == "first"  # type: ignore[dict-item]
    assert found(cache, job("q", s=("a", "b"), other=("x",))) == "first"
    assert found(cache, job("q", s=("b", "a"))) is None
    assert found(cache, job("q", s=("a", "b"), t=("x",))) is None
    assert found(cache, job("q")) is None
    assert (cache.hits, cache.misses) == (3, 3)


def test_four_sets_of_columns_are_kept_of_a_text() -> None:
    """The one that came first is forgotten."""
    cache = ExtractionCache()
    for n in range(5):
        kept(cache, job("q", s=(f"c{n}",)), answer(f"w{n}", (("s", (f"c{n}",)),)))

    assert [found(cache, job("q", s=(f"c{n}",))) for n in range(5)] == [None, "w1", "w2", "w3", "w4"]


def test_the_text_not_asked_for_longest_is_dropped() -> None:
    """As soon as the size is exceeded; what was asked for counts as new, and one text is always kept."""
    one = len(pack(answer("a"))) + 400
    cache = ExtractionCache(max_bytes=2 * one + 50)
    kept(cache, job("a"), answer("a"))
    kept(cache, job("b"), answer("b"))
    assert found(cache, job("a")) == "a"
    kept(cache, job("c"), answer("c"))
    assert [found(cache, job(text)) for text in "abc"] == ["a", None, "c"]

    tiny = ExtractionCache(max_bytes=1)
    kept(tiny, job("a"), answer("a"))
    assert found(tiny, job("a")) == "a"


def test_what_is_dropped_frees_its_memory() -> None:
    """Of a text with many sets of columns, and of texts that were dropped, nothing is counted any more."""
    one = len(pack(answer("a"))) + 400
    cache = ExtractionCache(max_bytes=6 * one)
    for n in range(100):
        kept(cache, job("many", s=(f"c{n}",)), answer("m"))
    kept(cache, job("b"), answer("b"))

    assert [found(cache, job("many")), found(cache, job("b"))] == ["m", "b"]


def test_texts_that_are_no_unicode_have_keys_of_their_own() -> None:
    """A lone surrogate may come in a message."""
    cache = ExtractionCache()

    assert cache.key(job("\ud800")) != cache.key(job("\ud801"))


def test_functions_and_masking_are_parts_of_the_key() -> None:
    """So is the order of parameters not."""
    cache = ExtractionCache()
    plain = ExtractionJob("q", "hive", "h")
    others = [
        ExtractionJob("q", "hive", "h", functions="[[function]]"),
        ExtractionJob("q", "hive", "h", masking=Masking(b"1", ())),
        ExtractionJob("q", "hive", "h", masking=Masking(b"2", ())),
    ]
    turned = [
        ExtractionJob("q", "hive", "h", params=dict(pairs))
        for pairs in ([("a", "1"), ("b", "2")], [("b", "2"), ("a", "1")])
    ]

    assert len({cache.key(each) for each in [plain, *others]}) == 4
    assert cache.key(turned[0]) == cache.key(turned[1])


def test_a_repeated_text_comes_from_the_cache_while_its_lookups_answer_alike() -> None:
    """The same text is answered from the cache unless a column list that it asked for differs; others do not count."""
    with ExtractionPool(0, function="hostile_functions:lookup") as pool:

        def ask(**columns: tuple[str, ...]) -> str:
            return pool.map([job("s t", **columns)])[0].writes[0]

        first = ask(s=("a",))
        assert ask(s=("a",)) == first
        assert ask(s=("a",), elsewhere=("z",)) == first
        second = ask(s=("a", "b"))
        assert second != first
        assert ask(s=("a",), t=("c",)) not in (first, second)
        assert ask(s=("a",)) == first
        assert ask(s=("a", "b")) == second
        assert (pool.cache.hits, pool.cache.misses) == (4, 3)


@pytest.mark.parametrize(
    "other",
    [
        ExtractionJob("s ", "hive", "h", "dw"),
        ExtractionJob("s", "spark", "h", "dw"),
        ExtractionJob("s", "hive", "g", "dw"),
        ExtractionJob("s", "hive", "h", "dx"),
        ExtractionJob("s", "hive", "h", "dw", "h:dw.t"),
        ExtractionJob("s", "hive", "h", "dw", None, {"p": "1"}),
    ],
)
def test_whatever_else_differs_is_another_entry(other: ExtractionJob) -> None:
    """Text, dialect, namespace, database, target and parameters are all part of the key."""
    with ExtractionPool(0, function="hostile_functions:lookup") as pool:
        pool.map([job("s"), other])
        assert pool.cache.hits == 0


def test_the_cache_forgets_what_was_not_asked_for_longest() -> None:
    """Beyond its size the cache drops the least recently used texts."""
    cache = ExtractionCache(max_bytes=2_000)
    with ExtractionPool(0, function="hostile_functions:lookup", cache=cache) as pool:
        for i in range(20):
            pool.map([job("a"), job(f"b{i}")])
        assert cache.hits == 19
        pool.map([job("b0")])
        assert cache.hits == 19
