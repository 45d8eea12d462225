"""Which subscriptions a version concerns, and which of its changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from lineage_tt import Store
from lineage_tt.graph import Graph
from lineage_tt.model.answers import FeedEntry
from lineage_tt.model.messages import NodeChange
from lineage_tt.subscriptions.knowledge import Knowledge
from lineage_tt.subscriptions.model import Subscription
from lineage_tt.subscriptions.watching import Watchers, labels_matching
from lineage_tt.testing import ManualClock, task_change

AB, BC, CD = ("n:a#x", "n:b#x"), ("n:b#x", "n:c#x"), ("n:c#x", "m:d#x")


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> tuple[Store, list[FeedEntry]]:
    """A chain that is made edge by edge, a label, and an edge that goes."""
    store = Store.create(tmp_path_factory.mktemp("store"), clock=ManualClock(1_000_000))
    store.append([task_change("one", "online", 10, [AB])])  # 1
    store.append([task_change("two", "online", 10, [BC])])  # 2
    store.append([task_change("three", "online", 10, [CD])])  # 3
    store.append([NodeChange("f", "fact", "n:a", "set", 10, fact_key="label", facts=[("n:a", "label", "pii")])])  # 4
    store.append([task_change("two", "offline", 20)])  # 5
    return store, list(store.changes())


def concerned(story: tuple[Store, list[FeedEntry]], **wanted: object) -> list[int]:
    """The versions that concern such a subscription."""
    store, entries = story
    knowledge = Knowledge(store, 0)
    watchers = Watchers(Graph.load(store), [Subscription("s", **wanted)], knowledge)  # type: ignore[arg-type]
    found = []
    for entry in entries:
        knowledge.take_in(entry)
        found += [entry.version for _ in watchers.matches(entry)]
    return found


@pytest.mark.parametrize(
    ("wanted", "versions"),
    [({}, [1, 2, 3, 4, 5]), ({"datasets": ("n:a",)}, [1, 4]), ({"datasets": ("n:*",)}, [1, 2, 3, 4, 5]),
     ({"columns": ("n:c#*",)}, [2, 3, 5]), ({"namespaces": ("m",)}, [3]), ({"tasks": ("t*",)}, [2, 3, 5]),
     ({"labels": ("pii",)}, [4]), ({"owners": ("ann",)}, []), ({"datasets": ("n:a",), "tasks": ("two",)}, []),
     ({"upstream_of": ("n:c#x",)}, [2, 4, 5]), ({"upstream_of": ("n:c#x",), "hops": 1}, [2, 5]),
     ({"downstream_of": ("n:b#x",)}, [2, 3, 5]), ({"downstream_of": ("n:b",), "hops": 1}, [2, 5]),
     ({"upstream_of": ("m:d#x",), "datasets": ("n:a",)}, [4])],
    ids=str,
)  # fmt: skip
def test_all_kinds_of_filter_must_hold_and_any_value_of_one(
    story: tuple[Store, list[FeedEntry]], wanted: dict[str, object], versions: list[int]
) -> None:
    """A closure is that of the version: an edge that is in it only since is not, one that left it is."""
    assert concerned(story, **wanted) == versions


def test_a_match_holds_the_changes_that_concern_it(story: tuple[Store, list[FeedEntry]], tmp_path: Path) -> None:
    """And no others; subscriptions come by name."""
    store = Store.create(tmp_path, clock=ManualClock(1_000_000))
    store.append([task_change("one", "online", 10, [AB, BC])])
    wanted = [Subscription("z"), Subscription("b", columns=("n:c#x",))]
    (entry,) = store.changes()
    found = Watchers(Graph.load(store), wanted, Knowledge(store, 1)).matches(entry)

    assert [match.subscription.name for match in found] == ["b", "z"]
    assert [len(match.entry.changes) for match in found] == [1, 2]


@pytest.mark.parametrize(
    ("wanted", "kept"),
    [({}, 2), ({"datasets": ("n:a",)}, 1), ({"columns": ("n:a#x",)}, 1), ({"labels": ("pii",)}, 2),
     ({"labels": ("z",)}, 0),
     ({"owners": ("ann",)}, 1), ({"namespaces": ("m",)}, 0), ({"tasks": ("other",)}, 0)],
    ids=str,
)  # fmt: skip
def test_events_of_labels_are_filtered_alike(wanted: dict[str, object], kept: int) -> None:
    """Each of their changes; an event without any is none."""
    changes = [
        {"node": "n:a#x", "owners": ["ann"], "gained": ["pii"], "lost": []},
        {"node": "n:b#x", "owners": [], "gained": [], "lost": ["pii"]},
    ]
    event = {"data": {"task_id": "t", "changes": changes}}
    found = labels_matching(Subscription("s", **wanted), event)  # type: ignore[arg-type]

    assert (len(found["data"]["changes"]) if found else 0) == kept
