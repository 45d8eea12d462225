"""History made to obey a stricter policy: one commit that puts rebuilt files in the place of the old."""

from __future__ import annotations

from pathlib import Path

import pytest
from literals import DROP, KEEP, MASK, SECRET

from lineage_tt import Store
from lineage_tt.log.log import Log
from lineage_tt.maintenance.check import check
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.redaction.policy import TextPolicy, TextState, Tightened
from lineage_tt.testing import ManualClock
from lineage_tt.write.past.tighten.purge import purge
from lineage_tt.write.past.tighten.tightening import check as check_policy
from lineage_tt.write.past.tighten.tightening import tighten
from lineage_tt.write.writer import Writer


def bytes_of(folder: Path) -> bytes:
    """All that lies in the log."""
    return b"".join(path.read_bytes() for path in sorted((folder / "log").glob("*.parquet")))


@pytest.mark.parametrize(
    ("state", "policy", "allowed"),
    [(TextState(), MASK, True), (TextState(), KEEP, False), (TextState(((1, DROP),)), MASK, False),
     (TextState(((1, MASK),)), MASK, True), (TextState(((1, KEEP),), Tightened(DROP, 1, 1)), MASK, False)],
)  # fmt: skip
def test_history_can_only_be_made_stricter(state: TextState, policy: TextPolicy, allowed: bool) -> None:
    """What it held is gone; the policy from now on may be another."""
    if allowed:
        check_policy(state, policy)
    else:
        with pytest.raises(InvalidRequestError, match="only be made stricter"):
            check_policy(state, policy)


def appended(log: Log, message: object) -> int:
    """Append with a writer of the log."""
    return Writer(log, ManualClock(90)).append([message], own=True)[0].version  # type: ignore[list-item]


def test_one_commit_replaces_all_files_and_records_why(literal_store: Store, tmp_path: Path) -> None:
    """The second time there is nothing left to do."""
    seen: list[tuple[int, int]] = []
    path = tmp_path / "log"
    version = tighten(path, MASK, appended, None, lambda done, of: seen.append((done, of)), reason="r", actor=None,
                      now=90)  # fmt: skip
    log = Log.open(path)
    purge(log)

    assert version == 5
    assert log.texts.tightened == Tightened(MASK, 5, log.delta_version)
    assert seen[-1] == (4, 4)
    assert SECRET not in bytes_of(tmp_path)
    assert check(tmp_path) == []
    assert tighten(path, MASK, appended, None, lambda *_: None, reason="r", actor=None, now=90) is None
