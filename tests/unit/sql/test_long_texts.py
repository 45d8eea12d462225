"""Expression texts stay short, however the value came to be, and so does the memory to make them."""

from __future__ import annotations

import tracemalloc

import pytest

from ingest.sql.render import LONGEST_TEXT

BRANCHES = 2_400  # the guard lets 2,500 SELECTs through
THROUGH = "SELECT upper(c) AS x, d * 2 AS y, c || c || d AS z FROM ({}) q"


def test_a_union_of_many_long_expressions_has_a_short_text(lineage):
    """A real UNION ALL of 1,500 sums gave each of 4,614 edges 270 kB of text, more than a log file could take."""
    long = " + ".join(["sum(a)"] * 50)
    query = " UNION ALL ".join(f"SELECT {long} + max({'abc'[i % 3]}{' + b' * i}) AS z FROM t" for i in range(40))
    lengths = [len(edge.expression) for edge in lineage(query).found.edges]

    assert 0 < max(lengths) <= LONGEST_TEXT


@pytest.mark.long
@pytest.mark.parametrize(
    ("around", "count"),
    [("{}", 600), (THROUGH, BRANCHES), pytest.param("{}", BRANCHES, marks=pytest.mark.slow)],
    ids=["as it is", "through a query", "as it is, of thousands"],
)
def test_a_union_of_thousands_of_branches_has_short_texts(lineage, around, count):
    """Each branch its own table and expression, read as it is or through a further query."""
    branches = (f"SELECT concat(a, lower(z{i})) AS c, b + {i} AS d FROM s{i}" for i in range(count))
    edges = lineage(around.format(" UNION ALL ".join(branches))).found.edges

    assert len(edges) >= 2 * count
    assert 0 < max(len(edge.expression) for edge in edges) <= LONGEST_TEXT


@pytest.mark.long
def test_a_column_of_many_derivations_used_many_times_takes_little_memory(lineage):
    """An expression that names one column 3,000 times is not written out with all of that column's derivations."""
    sums = ("+".join(f"column_{i}_{j}" for j in range(30)) for i in range(31))
    union = " UNION ALL ".join(f"SELECT {text} AS c FROM s{i}" for i, text in enumerate(sums))
    query = f"SELECT concat({', '.join(['c'] * 3_000)}) AS x FROM ({union}) q"
    tracemalloc.start()
    try:
        edges = lineage(query).found.edges
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert max(len(edge.expression) for edge in edges) <= LONGEST_TEXT
    assert peak < 60 << 20
