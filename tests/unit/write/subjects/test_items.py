"""Items of a timeline, and the digest of what a version says beside its edges."""

from __future__ import annotations

from typing import Any

from lineage_tt.write.subjects.items import PastMessage, beside_digest


def test_what_is_said_beside_edges_has_one_digest() -> None:
    """Lists and tuples are the same: one side comes from DuckDB, the other from a lineage."""
    said: tuple[Any, ...] = ("partial", [["code", "words", "", 1, 2]], [["n:b", ["y"]]], [])
    other: tuple[Any, ...] = ("partial", [("code", "words", "", 1, 2)], [("n:b", ("y",))], [])

    assert beside_digest(said) == beside_digest(other)
    assert beside_digest(said) != beside_digest(("complete", *said[1:]))
    assert beside_digest(None) == beside_digest(None) != beside_digest(())


def test_a_past_message_says_no_more_than_its_row() -> None:
    """Facts, stars and what was derived are absent unless they are given."""
    past = PastMessage(1, "t", "e", "update", 5, None, None, b"", [])

    assert (past.facts, past.derived_from, past.stars, past.beside) == ((), None, (), None)
