"""What still holds texts from before a policy was tightened, removed for good."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from literals import MASK, SECRET
from policy_texts import place
from purges import tighten, two_files
from small_snapshots import compacted

from lineage_tt import Store
from lineage_tt.model.redaction.policy import TextState, Tightened
from lineage_tt.read.snapshots.snapshot import Snapshot
from lineage_tt.write.past.tighten.purge import clean, forget, old_files, purge, tighten_deliveries


def test_nothing_is_purged_where_nothing_was_tightened(literal_store: Store, tmp_path: Path) -> None:
    """No file is old then; deliveries that are not there are none."""
    assert purge(literal_store.opened_log) == 0
    assert list(old_files(literal_store.opened_log)) == []
    tighten_deliveries(tmp_path / "none.sqlite", literal_store.texts)
    forget(["no data file"])


def test_what_could_not_be_delivered_is_rewritten(tmp_path: Path) -> None:
    """Once; nothing of it is left in the file, which notes that it was done."""
    path = tmp_path / "deliveries.sqlite"
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("CREATE TABLE undelivered (subscription TEXT, version INTEGER, problem TEXT, event BLOB)")
    event = b'{"data": {"sql": "select \'' + SECRET + b"'\"}}"
    database.execute("INSERT INTO undelivered VALUES ('s', 1, ?, ?)", ("no 'select 41'", event))
    database.close()
    state = TextState(((1, MASK),), Tightened(MASK, 1, 7))
    tighten_deliveries(path, state)
    before = path.read_bytes()
    tighten_deliveries(path, state)

    assert SECRET not in before
    assert path.read_bytes() == before
    found = sqlite3.connect(path)
    assert found.execute("SELECT problem FROM undelivered").fetchall() == [("no '?'",)]
    assert found.execute("PRAGMA application_id").fetchone() == (7,)
    clean(found)
    found.close()


def test_a_snapshot_made_after_a_later_change_of_policy_stays(tmp_path: Path) -> None:
    """A process that opened the log before another one tightened it again takes only older snapshots away."""
    store = two_files(tmp_path)
    folder = Path(str(place(store)))
    tighten(store)
    opened_before = Store.open(folder).opened_log
    tighten(store, "drop-text")
    made = compacted(Store.open(folder), folder)
    purge(opened_before)

    left = Snapshot.of(Store.open(folder).opened_log)
    assert left is not None
    assert left.names == made.names
