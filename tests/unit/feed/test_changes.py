"""What a version changed: columns that came and went, rows without effect, and the version before."""

from __future__ import annotations

import random
import secrets
from typing import Any

from lineage_tt.feed.changes import columns_changed, entry_of, net_facts
from lineage_tt.model.format import ChangeTuple

Edge = tuple[str, str, str, str, str]


def edge(source: str, target: str) -> Edge:
    """A plain edge."""
    return (source, target, "DIRECT", "IDENTITY", "")


def change(sign: int, one: Edge) -> ChangeTuple:
    """It begins, or ends, to be in force for ever."""
    return (sign, *one, 5, None)


def test_a_column_comes_with_its_first_edge_and_goes_with_its_last() -> None:
    """As sets of edges before and after say it, for random changes of a task."""
    seed = secrets.randbits(32)
    print("seed", seed)
    draw = random.Random(seed)
    edges = [edge(f"n:a#{s}", f"n:b#{t}") for s in "wxyz" for t in "wxyz"]
    for _ in range(300):
        before, after = (frozenset(draw.sample(edges, draw.randrange(6))) for _ in range(2))
        changes = [change(-1, each) for each in before - after] + [change(1, each) for each in after - before]
        added, removed = columns_changed("update", sorted(after), changes)

        had, has = ({each[1] for each in side} for side in (before, after))
        assert (added, removed) == (tuple(sorted(has - had)), tuple(sorted(had - has)))


def test_an_edge_of_a_whole_table_brings_no_column() -> None:
    """Filters end at the dataset."""
    assert columns_changed("update", [], [change(1, edge("n:a#x", "n:b"))]) == ((), ())


def row(**columns: Any) -> dict[str, Any]:
    """A row of the log."""
    given: dict[str, Any] = dict.fromkeys(
        ("actor", "reason", "cause", "task_id", "op", "effective_at", "edges", "changes")
    )
    return given | {"version": 7, "system_time": 1, "event_id": "e"} | columns


def test_a_row_that_changes_nothing_is_in_no_feed() -> None:
    """Neither one without changes nor one whose minus and plus are the same."""
    one = edge("n:a#x", "n:b#x")

    assert entry_of(row(), 3) is None
    assert entry_of(row(changes=[change(-1, one), change(1, one)]), 3) is None


def test_an_entry_names_the_version_before_it() -> None:
    """A follower that holds another one has missed something."""
    entry = entry_of(row(task_id="t", op="update", changes=[change(1, edge("n:a#x", "n:b#x"))], edges=[]), 3)

    assert entry is not None
    assert (entry.version, entry.previous_version, entry.subject, entry.kind) == (7, 3, "t", "task")
    assert entry.columns_added == ("n:b#x",)


def test_facts_alone_make_an_entry() -> None:
    """Its subject is the node; what is put back is netted."""
    facts = [(-1, "n:b", "owner", "ann", 0, None), (1, "n:b", "owner", "ann", 0, 5)]
    entry = entry_of(row(kind="fact", subject="n:b", op="set", fact_changes=facts), 0)

    assert entry is not None
    assert (entry.subject, entry.facts) == ("n:b", ((-1, "n:b", "owner", "ann", 5, None),))
    assert net_facts(facts) == entry.facts
