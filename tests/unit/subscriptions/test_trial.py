"""What a subscription would have been sent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lineage_tt import Store
from lineage_tt.events import Event
from lineage_tt.model.answers import FeedEntry
from lineage_tt.subscriptions.model import Subscription
from lineage_tt.subscriptions.trial import tried
from lineage_tt.testing import task_change

START = "2026-01-01T00:00:00Z"


def test_each_version_after_the_first_is_tried_with_what_would_be_sent(tmp_path: Path) -> None:
    """Only what the filters let through counts; nothing is asked for derived labels."""
    store = Store.create(tmp_path / "store")
    for number, table in enumerate(("a", "b", "a")):
        store.append([task_change(f"t{number}", "online", START, [("db:s#x", f"db:{table}#x")])])

    def never(entry: FeedEntry) -> Iterator[Event]:
        raise AssertionError(entry)

    found = list(tried(store, Subscription("s", datasets=("db:a",)), 1, never))

    assert [(each.version, each.subject, each.changes, each.classes) for each in found] == [
        (3, "t2", 1, ["edge-added", "column-added"])
    ]
    assert found[0].event["subscription"] == "s"
