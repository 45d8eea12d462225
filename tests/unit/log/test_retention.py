"""The horizon: carried from commit to commit, the later of two counts, and a question from before it is refused."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from lineage_tt.log.retention import Horizon, beyond, carried, clock_in_meta, horizon_of, in_meta, refuse
from lineage_tt.model.answers import Basis
from lineage_tt.model.errors import BeyondHorizonError

EARLY, LATE = Horizon(5, 1_700_000_000_000_000), Horizon(9, 1_700_000_060_000_000)


class At(NamedTuple):
    """A log or a snapshot with a horizon."""

    horizon: Horizon | None


def test_a_commit_passes_on_what_outlives_it() -> None:
    """The horizon, the last change before it, an accepted clock and the policy; nothing of the commit itself."""
    meta = {
        "horizon": [5, 7],
        "horizon_changing": 4,
        "clock_accepted": 9,
        "texts": {"spans": []},
        "files": ["a"],
        "format": 1,
    }

    assert carried(meta) == {key: meta[key] for key in ("horizon", "horizon_changing", "clock_accepted", "texts")}
    assert carried({"files": []}) == {}
    assert (in_meta(meta), clock_in_meta(meta)) == (Horizon(5, 7), 9)
    assert (in_meta({}), clock_in_meta({})) == (None, None)


@pytest.mark.parametrize(
    ("log", "snapshot", "expected"),
    [(None, None, None), (EARLY, None, EARLY), (None, EARLY, EARLY), (EARLY, LATE, LATE), (LATE, EARLY, LATE)],
)
def test_the_later_of_log_and_snapshot_counts(
    log: Horizon | None, snapshot: Horizon | None, expected: Horizon | None
) -> None:
    """No crash between the two lets a thin answer through; a store may have no snapshot."""
    assert horizon_of(At(log), At(snapshot)) == expected
    assert horizon_of(At(log), None) == log


def test_a_question_from_before_it_says_from_where_to_ask() -> None:
    """Both ways of asking are named; at the horizon itself all is known."""
    assert refuse(Basis(0, 5, 0), EARLY).version == 5
    assert refuse(Basis(0, 1, 0), None).version == 1
    with pytest.raises(BeyondHorizonError, match=r"2023-11-14T22:13:20Z or later \(--system-at\), or at version 5"):
        refuse(Basis(0, 4, 0), EARLY)
    assert beyond(LATE).exit_status == 3
