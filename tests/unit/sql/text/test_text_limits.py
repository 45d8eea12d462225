"""How many guesses texts of a size may have."""

from __future__ import annotations

import pytest

from ingest.sql.text.limits import Limits


@pytest.mark.parametrize(
    ("size", "guesses", "allowed"),
    [(800_000, 0, True), (800_001, 0, False), (3_125, 8, True), (3_126, 8, False), (1, 9, False)],
)
def test_each_guess_halves_what_a_text_may_hold(size: int, guesses: int, allowed: bool) -> None:
    """800,000 words are allowed without guesses, and 3,125 with eight; a ninth is never allowed."""
    assert Limits().allow(size, guesses) is allowed


def test_work_doubles_with_each_further_guess_that_is_allowed() -> None:
    """Fewer guesses than usual do not lower it."""
    assert [Limits(guesses=guesses, work=100).max_work for guesses in (4, 8, 9, 10)] == [100, 100, 200, 400]
