"""A log with all that a writer reads back from one."""

from __future__ import annotations

import pytest
from planned import define, retract, star
from stars import star_resolver

from lineage_tt import Store
from lineage_tt.log.log import Log
from lineage_tt.model.messages import Message, NodeChange, RejectedMessage
from lineage_tt.testing import ManualClock, task_change
from lineage_tt.write.catalog.catalog import Catalog
from lineage_tt.write.past.history import Past

EDGE = [("n:a#x", "n:b#y")]
FACT = NodeChange("f", "fact", "n:a", "set", 10, fact_key="owner", facts=[("n:a", "owner", "ann")])


@pytest.fixture(scope="module")
def past_log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    """Tasks, a dataset, facts, a dead letter, a star that is resolved again, one that loses and one withdrawn."""
    store = Store.create(tmp_path_factory.mktemp("store"), clock=ManualClock(90))
    batches: tuple[list[Message], ...] = (
        [define("d1", 0, "x")],  # 1
        [star("t", 10), RejectedMessage(b"{", "syntax", "cut")],  # 2, 3
        [
            task_change("u", "online", 10, EDGE, source_version=7),
            task_change("u", "update", 10, source_version=3),
        ],  # 4, 5
        [FACT],  # 6
        [define("d2", 20, "x", "z")],  # 7, and 8 of it
        [task_change("w", "online", 10, EDGE, event_id="w")],  # 9
        [retract(task_change("w", "online", 10, event_id="w"))],  # 10
    )
    for messages in batches:
        store.append(messages, resolver=star_resolver)
    assert store.version == 10
    return store.opened_log


def said_by(past: Past) -> tuple[object, ...]:
    """What a past says, in a form that can be compared."""
    catalog = Catalog()
    for dataset, entry in past.declared:
        catalog.declare(dataset, entry)
    columns = {(d, at): catalog.columns(d, at) for d in ("n:a", "n:out_t") for at in (0, 10, 20)}
    return past.tasks, past.rejected, columns, set(past.stars)
