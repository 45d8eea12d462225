"""Points and edges in one word."""

from __future__ import annotations

import pytest

from lineage_tt.model.answers import Basis
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.read.points import read_edge, read_point, split_point


@pytest.mark.parametrize(
    ("text", "point"),
    [("2026-03-05", ("2026-03-05", None, None)), ("2026-03-05@2026-03-06", ("2026-03-05", "2026-03-06", None)),
     ("2026-03-05@v12", ("2026-03-05", None, 12)), ("@v12", (None, None, 12)), ("", (None, None, None)),
     (" a @ b ", ("a", "b", None)), ("a@b@c", ("a", "b@c", None)), ("a@v", ("a", "v", None)),
     ("a@v1234567890123456789", ("a", "v1234567890123456789", None))],
)  # fmt: skip
def test_a_point_is_split_at_its_first_at(text: str, point: tuple[str | None, str | None, int | None]) -> None:
    """What looks like no version is a system time, which is judged where times are read."""
    assert split_point(text) == point


@pytest.mark.parametrize("text", ["2026-03-05@", "@", "@  "])
def test_nothing_after_the_at_is_the_callers_mistake(text: str) -> None:
    """It must not mean now by accident."""
    with pytest.raises(InvalidRequestError, match="nothing follows the @"):
        split_point(text)


def test_a_point_becomes_the_basis_of_its_store() -> None:
    """The store turns the three parts into a basis."""

    class Pinning:
        def basis(self, valid_at: str | None, system_at: str | None, version: int | None) -> Basis:
            return Basis(int(valid_at or 0), version or 0, int(system_at or 0))

    assert read_point(Pinning(), "5@v7") == Basis(5, 7, 0)
    assert read_point(Pinning(), "5@8") == Basis(5, 0, 8)


def test_an_edge_has_two_ends_or_is_a_node() -> None:
    """An arrow needs blanks, for ``->`` may be in a name; half an edge is a mistake."""
    assert read_edge("n:a#x -> n:b#y") == ("n:a#x", "n:b#y")
    assert read_edge("n:a->b") is None
    for half in (" -> n:b", "n:a -> "):
        with pytest.raises(InvalidRequestError, match="half an edge"):
            read_edge(half)
