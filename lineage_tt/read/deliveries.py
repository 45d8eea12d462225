"""When events of versions came to their subscribers: beside the cursors of whoever delivers, in a SQLite file.

Like runs, deliveries are no messages: they have no version, and no answer about lineage is read from them. A file that
``subscriptions run --state`` keeps elsewhere is not looked at, nor what a broker delivers.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final

from lineage_tt.model.errors import UnavailableError
from lineage_tt.storage.location import Place

#: The file beside ``log``.
NAME: Final = "deliveries.sqlite"
#: A row for each subscription and version; ``at`` in UTC microseconds.
TABLE: Final = """CREATE TABLE IF NOT EXISTS delivered
    (subscription TEXT, version INTEGER, at INTEGER, PRIMARY KEY (subscription, version)) WITHOUT ROWID"""
#: Rows older than this are dropped when a runner opens the file (microseconds).
KEPT: Final = 400 * 86_400_000_000


def delivered(store: Place) -> dict[int, tuple[int, ...]]:
    """Return when each version was delivered (UTC microseconds), once for each subscription that got it.

    Nothing where none was, or where the store is in a bucket. Raises UnavailableError where the file cannot be read.
    """
    path = store / NAME
    if not isinstance(path, Path) or not path.exists():
        return {}
    mode = "mode=ro" if path.with_name(f"{NAME}-wal").exists() else "immutable=1"
    result: dict[int, tuple[int, ...]] = {}
    try:
        database = sqlite3.connect(f"{path.resolve().as_uri()}?{mode}", uri=True, timeout=10)
        try:
            if database.execute("SELECT 1 FROM sqlite_master WHERE name = 'delivered'").fetchone():
                for version, at in database.execute("SELECT version, at FROM delivered ORDER BY version, at"):
                    result[version] = (*result.get(version, ()), at)
        finally:
            database.close()
    except sqlite3.Error as error:
        raise UnavailableError(
            f"the deliveries in {path} cannot be read: {error}", hint="run: lineage-tt check"
        ) from None
    return result
