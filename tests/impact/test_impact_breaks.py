"""Breaks are breaks: changes to warehouses that are really run, beside what the classifier says of them.

The whole set is gone through by ``scripts/verify-impact breaks``; here a part of it, drawn so that every kind is there.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from judging import chosen_of, in_duckdb, in_spark, warehouses_of
from rounds import rounds

SEED = 8
MAX_FALSE = 0.02


def test_the_set_is_large_and_of_many_kinds() -> None:
    """There are at least 300 changes of at least 25 kinds."""
    everything = [mutation for warehouse in warehouses_of("duckdb") for mutation in chosen_of(warehouse, None, SEED)]

    assert len(everything) >= 300
    assert len({mutation.kind for mutation in everything}) >= 25


@pytest.mark.parametrize("place", [0, 1], ids=["tables", "views"])
def test_no_break_is_missed_in_duckdb(tmp_path: Path, place: int) -> None:
    """What fails or changes its result is never called additive or none; what is called breaking does break."""
    tally = in_duckdb(warehouses_of("duckdb")[place], tmp_path / "store", sample=rounds(130, 52), seed=SEED + place)

    print(f"seed {SEED + place}", *tally.lines(), sep="\n")
    assert tally.total == rounds(130, 52)
    assert len(tally.kinds) >= 25
    assert {happened for happened, _ in tally.matrix} == {"fails", "changes", "same"}
    assert tally.missed == []
    assert tally.false_share <= MAX_FALSE, tally.false_breaking


@pytest.mark.parametrize("withheld", ["columns", "tables"])
def test_no_break_is_called_safe_where_half_of_the_declared_columns_is_withheld(tmp_path: Path, withheld: str) -> None:
    """What the store was never told makes an answer unknown, never additive or none; nor is it called breaking."""
    tally = in_duckdb(
        warehouses_of("duckdb")[0], tmp_path / "store", sample=rounds(90, 45), seed=SEED, withheld=withheld
    )

    print(f"seed {SEED}", *tally.lines(), sep="\n")
    assert tally.missed == []
    assert tally.false_share <= MAX_FALSE, tally.false_breaking
    assert {happened for happened, _ in tally.matrix} == {"fails", "changes", "same"}


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_no_break_is_missed_in_spark(tmp_path: Path) -> None:
    """The same in Spark, for changes of two dozen kinds."""
    tally = in_spark(warehouses_of("spark")[0], tmp_path / "store", sample=24, seed=SEED)

    print(f"seed {SEED}", *tally.lines(), sep="\n")
    assert len(tally.kinds) == 24
    assert tally.missed == []
    assert tally.false_share <= MAX_FALSE, tally.false_breaking
