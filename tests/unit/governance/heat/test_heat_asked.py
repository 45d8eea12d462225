"""How heat is asked: what cannot be answered is refused before a graph is looked at."""

from __future__ import annotations

import pytest

from lineage_tt.governance.heat.asked import MAX_ROWS, TOP, Asked
from lineage_tt.model.errors import InvalidRequestError


@pytest.mark.parametrize(
    ("asked", "message"),
    [(Asked(level="task"), "no level 'task'"), (Asked(sort="size"), "no order 'size'"),  # type: ignore[arg-type]
     (Asked(limit=0), "rows 0 to 0"), (Asked(limit=MAX_ROWS + 1), "rows 0 to"), (Asked(offset=-1), "rows -1 to 19"),
     (Asked(sort="personal"), "seen from some nodes")],
)  # fmt: skip
def test_what_cannot_be_answered_is_refused(asked: Asked, message: str) -> None:
    """The error names it."""
    with pytest.raises(InvalidRequestError, match=message):
        asked.check()


def test_the_first_rows_by_rank_are_asked_for_unless_others_are() -> None:
    """As from some nodes, where the order says so."""
    TOP.check()
    Asked(sort="personal", seeds=("n:a",)).check()

    assert (TOP.sort, TOP.level, TOP.offset) == ("rank", "table", 0)
