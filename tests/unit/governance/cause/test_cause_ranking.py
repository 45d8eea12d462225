"""The order of suspects: each factor of a score, and their product."""

from __future__ import annotations

import pytest

from lineage_tt.governance.cause.flow import Part
from lineage_tt.governance.cause.ranking import score

WHOLE = Part(1.0, 0)


@pytest.mark.parametrize(("age", "recency"), [(0, 1.0), (100, 0.5**0.5), (200, 0.5), (400, 0.25), (-50, 1.0)])
def test_a_change_as_old_as_two_windows_counts_half(age: int, recency: float) -> None:
    """Within a window age says little; what is to come is as recent as what is now."""
    assert score(age, 100, "values", WHOLE, 1.0).recency == pytest.approx(recency)


def test_a_window_without_length_divides_by_nothing() -> None:
    """What is older than it counts next to nothing."""
    assert score(0, 0, "values", WHOLE, 1.0).recency == 1.0
    assert 0 <= score(10_000, 0, "values", WHOLE, 1.0).recency < 1e-9


def test_a_smaller_share_and_more_steps_count_less() -> None:
    """The fourth root of the share, and 85 of 100 for each step."""
    found = score(0, 100, "rows", Part(0.0625, 2), 2.0)

    assert tuple(found) == pytest.approx((1.0, 0.8, 0.5, 0.7225, 2.0))
    assert found.total == pytest.approx(0.8 * 0.5 * 0.7225 * 2.0)


def test_what_touches_nothing_that_feeds_the_node_is_last() -> None:
    """As far away as ten steps, with a tenth of the share's weight."""
    found = score(0, 100, "values", None, 1.0)

    assert [found.share, found.distance] == pytest.approx([0.1, 0.85**10])
    assert found.total < score(0, 100, "values", Part(1e-6, 10), 1.0).total * 4


def test_a_score_is_shown_with_its_factors() -> None:
    """Rounded, the class under its own name, the total first."""
    assert list(score(1, 3, "text", Part(0.3, 1), 0.3).to_json().items()) == [
        ("total", 0.067253), ("recency", 0.8909), ("share", 0.7401), ("distance", 0.85), ("checks", 0.3),
        ("class", 0.4),
    ]  # fmt: skip
