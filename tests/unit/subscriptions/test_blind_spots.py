"""What a new subscription cannot see, in words."""

from __future__ import annotations

import json

import pytest

from ingest.messages.native import parse_message
from ingest.resolve.resolver import SqlResolver
from lineage_tt import Store
from lineage_tt.model.messages import TaskChange
from lineage_tt.subscriptions.blind_spots import notes
from lineage_tt.subscriptions.model import Subscription
from lineage_tt.testing import task_change

START = "2026-01-01T00:00:00Z"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A store of a task with an edge, one whose text nobody understands, and an owner."""
    made = Store.create(tmp_path_factory.mktemp("watched") / "store")
    dark = TaskChange("dark-1", "load_dark", "online", 1767225600000000, sql="FROBNICATE ods.a", dialect="hive",
                      namespace="hive", target="hive:dw.dark")  # fmt: skip
    plain = task_change("load_orders", "online", START, [("hive:ods.a#id", "hive:dw.orders#id")])
    fact = {"node": "hive:dw.orders", "key": "owner", "op": "set", "values": ["ann"], "effective_at": START}
    owned = parse_message(json.dumps({"event_id": "f1", "kind": "fact"} | fact).encode())
    with SqlResolver(0) as resolver:
        made.append([plain, dark, owned], resolver=resolver)
    return made


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (Subscription("a", datasets=("hive:dw.*",), columns=("*#id",), tasks=("load_*",), owners=("ann",)), []),
        (Subscription("a", datasets=("hiv:dw.*",)), ["no dataset", "did you mean hive:dw.*?"]),
        (Subscription("a", datasets=("hive:dwh.*",)), ["no dataset that is known matches 'hive:dwh.*'"]),
        (Subscription("a", columns=("*#email",)), ["no column that is known matches '*#email'"]),
        (Subscription("a", tasks=("load_order",)), ["no task", "did you mean load_orders?"]),
        (Subscription("a", namespaces=("hiva",)), ["no namespace", "did you mean hive?"]),
        (Subscription("a", owners=("anne",)), ["no owner", "did you mean ann?"]),
        (Subscription("a", labels=("pii",)), ["no label that is known matches 'pii'"]),
        (Subscription("a", labels=("pii",), classes=("derived-label-changed",)), []),
        (Subscription("a", upstream_of=("hive:dw.orders#id",)), []),
        (Subscription("a", direct_only=True), ["direct_only has no effect without upstream_of"]),
        (Subscription("a", direct_only=True, downstream_of=("hive:ods.a#id",)), []),
        (Subscription("a", secret_env="KEY"), ["secret_env has no effect: delivery by stream is not signed"]),
        (Subscription("a", secret_env="KEY", deliver="slack+https://host.example/hook"), []),
        (Subscription("a", allow_private=True), ["allow_private has no effect"]),
        (Subscription("a", upstream_of=("hive:dw.dark",)), ["incomplete: task load_dark on the way is opaque"]),
    ],
)
def test_a_subscription_that_cannot_see_says_so(store: Store, wanted: Subscription, expected: list[str]) -> None:
    """Filters that match nothing known and closures that end in the unknown are named, with what may be meant."""
    found = notes(store, wanted.checked())

    assert len(found) == min(len(expected), 1), found
    assert all(words in found[0] for words in expected), found
