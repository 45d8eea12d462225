"""The store on disk and the reference model, side by side."""

from __future__ import annotations

import pytest
from delivery import SEEN
from domain import DEEP, sizes
from hypothesis import seed, settings
from hypothesis.stateful import run_state_machine_as_test
from machine import StoreMachine
from rounds import rounds

#: Without these a run would prove little.
MUST_OCCUR = [
    "late arrival", "tie", "future-dated", "retract", "retract of a retract", "duplicate", "rejected",
    "conflict and rebase", "crash inside a commit", "crash around a commit", "history import", "clock far behind",
]  # fmt: skip


@pytest.mark.long
def test_store_and_model_agree() -> None:
    """Whatever is sent, in whatever order, through crashes, conflicts and clocks: every answer is the model's."""
    SEEN.clear()
    for number in range(48 // rounds(8, 4)):  # hypothesis may leave a rule out of all of a few examples: others then
        print("seed", number)
        run_state_machine_as_test(
            seed(number)(StoreMachine), settings=settings(sizes(8, 2_000), stateful_step_count=60 if DEEP else 30)
        )
        if all(SEEN[what] for what in MUST_OCCUR):
            break
    print("occurred", dict(SEEN))

    assert [what for what in MUST_OCCUR if not SEEN[what]] == []
