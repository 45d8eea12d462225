"""The short way of a message behind all others says what the long way says."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lineage_tt.timeline import Step, signed_changes
from lineage_tt.write.subjects.tasks import appended_changes


@given(st.lists(st.integers(0, 31), max_size=8), st.integers(0, 31))
def test_a_step_behind_all_others_changes_the_same_either_way(masks: list[int], last: int) -> None:
    """Changes and their order are those of the comparison of the two whole timelines."""
    steps = [Step(10 * at, mask, at + 1) for at, mask in enumerate(masks)]
    step = Step(10 * len(steps) + 5, last, len(steps) + 1)

    assert appended_changes(steps, step) == signed_changes(steps, [*steps, step])
