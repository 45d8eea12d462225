"""Expression texts stay short, however the value came to be."""

from __future__ import annotations

from ingest.sql.render import LONGEST_TEXT


def test_a_union_of_many_long_expressions_has_a_short_text(lineage):
    """A real UNION ALL of 1,500 sums gave each of 4,614 edges 270 kB of text, more than a log file could take."""
    long = " + ".join(["sum(a)"] * 50)
    query = " UNION ALL ".join(f"SELECT {long} + max({'abc'[i % 3]}{' + b' * i}) AS z FROM t" for i in range(40))
    lengths = [len(edge.expression) for edge in lineage(query).found.edges]

    assert 0 < max(lengths) <= LONGEST_TEXT
