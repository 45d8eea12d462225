"""The numbers that stand in arrays for texts never change their meaning."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from lineage_tt.graph.arrays.dictionary import Dictionary
from lineage_tt.model.edges import DIRECT, INDIRECT, REJECTED


def kinds(names: Dictionary, *pairs: tuple[str, str]) -> np.ndarray:
    """The numbers of pairs of type and subtype."""
    return names.kinds(pa.array([kind for kind, _ in pairs]), pa.array([subtype for _, subtype in pairs]))


def ints(*values: int) -> np.ndarray:
    """Numbers as an array."""
    return np.array(values, np.int32)


def test_kinds_are_numbered_as_they_come() -> None:
    """The same pair has the same number, in whatever batch; one type with two subtypes has two."""
    names = Dictionary()
    first = kinds(names, (DIRECT, "IDENTITY"), (INDIRECT, "FILTER"), (DIRECT, "IDENTITY"))
    second = kinds(names, (DIRECT, "AGGREGATION"), (INDIRECT, "FILTER"))

    assert (first.tolist(), second.tolist()) == ([0, 1, 0], [2, 1])
    assert names.kind_words == ((DIRECT, "IDENTITY"), (INDIRECT, "FILTER"), (DIRECT, "AGGREGATION"))
    assert names.has_kind(INDIRECT, "FILTER")
    assert not names.has_kind(INDIRECT, "IDENTITY")


def test_a_rejection_is_remembered() -> None:
    """Walks of a graph without one need not look for any."""
    names = Dictionary()
    kinds(names, (DIRECT, "IDENTITY"))
    assert not names.rejects
    kinds(names, (DIRECT, REJECTED))
    assert names.rejects


@pytest.mark.long
def test_a_payload_is_interned_and_says_whether_it_is_indirect() -> None:
    """Twice its number, and one more where the type is INDIRECT; the table grows with thousands of them."""
    names = Dictionary()
    number = kinds(names, (DIRECT, "IDENTITY"), (INDIRECT, "FILTER"))
    found = names.payloads_of(ints(5, 5, 5), number[[0, 1, 0]], ints(0, 0, 0))
    assert found.tolist() == [0, 3, 0]

    many = np.arange(5_000, dtype=np.int32)
    more = names.payloads_of(many, np.zeros(5_000, np.int32), many)
    assert len(set(more.tolist())) == 5_000
    assert names.payloads_of(many, np.zeros(5_000, np.int32), many).tolist() == more.tolist()
    assert names.payloads[more >> 1][:, 0].tolist() == many.tolist()
    assert names.payloads_of(ints(), ints(), ints()).tolist() == []


def test_each_nodes_dataset_is_a_node() -> None:
    """One that was met through its columns alone, too; a dataset is its own."""
    names = Dictionary()
    names.nodes.intern(pa.array(["n:a#x", "n:b", "n:a#y"], pa.large_string()))
    names.note_datasets()

    assert names.names_of(names.datasets_from(0)) == ["n:a", "n:b", "n:a", "n:a"]


def test_a_copy_grows_by_itself() -> None:
    """What is tried on a copy is not in the graph."""
    names = Dictionary()
    kinds(names, (DIRECT, "IDENTITY"))
    names.payloads_of(ints(1), ints(0), ints(0))
    other = names.copy()
    kinds(other, (DIRECT, REJECTED))
    other.payloads_of(ints(2), ints(1), ints(0))

    assert (len(names.payloads), len(other.payloads)) == (1, 2)
    assert (names.rejects, other.rejects) == (False, True)
