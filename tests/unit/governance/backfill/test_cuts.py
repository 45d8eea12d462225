"""Cut points of a plan: what comes after reads repaired data of one dataset alone."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from lineage_tt.governance.backfill.cuts import cuts_of


class Step(NamedTuple):
    """A step of a plan."""

    number: int
    reads: tuple[str, ...]
    writes: tuple[str, ...]


def steps(*pairs: tuple[str, str]) -> list[Step]:
    """Steps that read and write these datasets, each a letter."""
    return [Step(number, tuple(reads), tuple(writes)) for number, (reads, writes) in enumerate(pairs, 1)]


@pytest.mark.parametrize(
    ("pairs", "given", "cuts"),
    [((("a", "b"), ("b", "c"), ("c", "d")), "a", ((1, "b"), (2, "c"))), ((("a", "b"), ("ab", "c")), "a", ()),
     ((("a", "b"), ("a", "c"), ("bc", "d")), "a", ()), ((("a", "b"), ("b", "b"), ("b", "c")), "a", ((2, "b"),)),
     ((("a", "b"), ("a", "c")), "a", ()), ((("a", "b"),), "a", ()), ((), "a", ())],
)  # fmt: skip
def test_a_cut_is_after_the_last_writer_of_the_one_dataset(
    pairs: tuple[tuple[str, str], ...], given: str, cuts: tuple[tuple[int, str], ...]
) -> None:
    """There it is whole; what was given before the first step is none."""
    assert cuts_of(steps(*pairs), set(given)) == cuts
