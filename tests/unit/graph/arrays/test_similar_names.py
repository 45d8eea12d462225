"""Names that look like one that is not known."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa
import pytest

from lineage_tt.graph.arrays import similar_names
from lineage_tt.graph.arrays.dictionary import Dictionary
from lineage_tt.model import names as model_names


def known(names: Iterable[str]) -> Dictionary:
    """A dictionary of these nodes and their datasets."""
    found = Dictionary()
    found.nodes.intern(pa.array(list(names), pa.large_string()))
    found.note_datasets()
    return found


def test_a_misspelt_column_is_looked_for_in_its_own_dataset() -> None:
    """The same column of another dataset is not what was meant."""
    names = known(["n:a#amount", "n:a#amounts", "n:b#amuont"])

    assert set(similar_names.nearest("n:a#amuont", names)) == {"n:a#amount", "n:a#amounts"}


def test_an_unknown_dataset_is_compared_with_all() -> None:
    """At most three names, the nearest first; nothing alike gives none."""
    names = known([f"n:orders{n}" for n in range(5)])

    assert len(similar_names.nearest("n:order", names)) == 3
    assert similar_names.nearest("q:xyzzy", names) == ()
    assert similar_names.nearest("n:a", known([])) == ()


def test_in_a_large_store_names_that_begin_alike_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Comparing millions would take longer than the question."""
    monkeypatch.setattr(model_names, "MAX_COMPARED", 1)
    others = [*(f"m:other{n}" for n in range(9)), "n:order_items_of_all_years"]
    nodes = [*others, "n:ordres"]

    assert similar_names.nearest("n:orders", known(nodes)) == ("n:ordres",)
    assert similar_names.nearest("n:orders", known(others)) == model_names.near_names("n:orders", others, 0.5, 3)
