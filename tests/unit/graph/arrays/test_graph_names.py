"""Names and their numbers."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from lineage_tt.graph.arrays import names as module
from lineage_tt.graph.arrays.names import Names


def test_a_name_keeps_the_number_that_it_got_at_first_sight() -> None:
    """Whatever comes later, and however often it comes again."""
    names = Names()

    assert names.add(["b", "a", "b", ""]).tolist() == [0, 1, 0, 2]
    assert names.add(["c", "a", ""]).tolist() == [3, 1, 2]
    assert [names[number] for number in range(len(names))] == ["b", "a", "", "c"]


def test_names_are_told_apart_byte_by_byte() -> None:
    """Prefixes, case, letters beyond ASCII and characters that Unicode calls the same are different names."""
    given = ["é", "e\u0301", "E", "e", "表#列", "表", "a\x00b", "a"]
    names = Names()

    assert names.add(given).tolist() == list(range(len(given)))
    assert names.texts(list(range(len(given)))) == given
    assert [names.find(each) for each in [*given, "a\x00", "列"]] == [*range(len(given)), -1, -1]


def test_a_set_that_grows_many_times_finds_all_its_names() -> None:
    """Text, places and table are each made larger on the way; the room asked for ahead changes nothing."""
    given = [f"hive:db.t{at % 700}#column_{at}" for at in range(5_000)]
    names, ahead = Names(), Names()
    ahead.reserve(len(given), sum(map(len, given)))
    names.add(given), ahead.add(given)

    for each in (names, ahead):
        assert len(each) == len(given)
        assert each.find_all([given[4_999], "nobody", given[0]]).tolist() == [4_999, -1, 0]
        assert each.arrow().to_pylist() == given


def test_a_name_longer_than_the_room_there_is_makes_room_for_itself() -> None:
    """However long: a node's name may have 4 KiB, an expression more."""
    names = Names()
    long = "x" * 100_000

    assert names.add(["a", long, "b"]).tolist() == [0, 1, 2]
    assert names[1] == long
    assert names.find("b") == 2


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
def test_any_form_of_arrow_strings_is_read(kind: pa.DataType) -> None:
    """Slices begin in the middle, dictionaries hold each text once, chunks and empty arrays are arrays, too."""
    names = Names()
    given = pa.array(["x", "a", "b", "a"], kind)

    assert names.intern(given[1:]).tolist() == [0, 1, 0]
    assert names.intern(given.dictionary_encode()).tolist() == [2, 0, 1, 0]
    assert names.intern(pa.chunked_array([given[:1], given[1:]])).tolist() == [2, 0, 1, 0]
    assert names.intern(pa.array([], kind)).tolist() == []


def test_python_strings_are_kept_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond it only those of the last answer are; every answer is right."""
    monkeypatch.setattr(module, "MAX_CACHED", 3)
    names = Names()
    names.add("abcdef")

    assert names.texts([0, 1, 2]) == ["a", "b", "c"]
    assert names.texts([2, 3, 4]) == ["c", "d", "e"]
    assert names.texts([5, 0, 5]) == ["f", "a", "f"]
    assert len(names._cached) <= 3


def test_the_dataset_of_a_name_ends_before_its_first_hash() -> None:
    """A dataset is its own; what follows the first hash is the column, other hashes among it."""
    names = Names()
    names.add(["d:a#x", "d:a", "d:a#y#z", "d:a#*", "d:b#*"])
    owners = np.array([1, 1, 1, 1, 4], np.int32)

    assert names.dataset_names(0).to_pylist() == ["d:a", "d:a", "d:a", "d:a", "d:b"]
    assert names.dataset_names(4).to_pylist() == ["d:b"]
    assert names.columns_of(np.array([0, 2], np.int32), owners[[0, 2]]).to_pylist() == ["x", "y#z"]
    assert names.stars_from(0, owners).tolist() == [3]
    assert names.take(np.array([3, 0])).to_pylist() == ["d:a#*", "d:a#x"]


def test_a_copy_grows_by_itself() -> None:
    """What joins one of the two is not in the other."""
    names = Names()
    names.add(["a"])
    other = names.copy()
    names.add(["b"]), other.add(["c"])

    assert (names.find("c"), other.find("b"), names.find("b"), other.find("c")) == (-1, -1, 1, 1)
    assert names.nbytes > 0
