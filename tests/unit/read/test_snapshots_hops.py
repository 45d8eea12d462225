"""Walks hop by hop over a snapshot and its tail, or the log alone: the answer of the macro, row for row."""

from __future__ import annotations

import pytest
from small_snapshots import compacted

from lineage_tt import Store
from lineage_tt.log.verify import verified_files
from lineage_tt.read.macros import own
from lineage_tt.read.reader import Reader
from lineage_tt.read.snapshots.hops import Hops, Question
from lineage_tt.testing import ManualClock, task_change

EDGES = [("n:a#x", "n:b#y"), ("n:b#y", "n:c#z"), ("n:c#z", "n:a#x"), ("n:s#*", "n:c#*"), ("n:b", "n:d#q")]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A circle, a star and an edge of a whole dataset in the snapshot; one edge more and one less in its tail."""
    folder = tmp_path_factory.mktemp("store")
    made = Store.create(folder, clock=ManualClock(90))
    made.append([task_change(f"t{number}", "online", 10, [edge]) for number, edge in enumerate(EDGES)])
    compacted(made, folder)
    made.append([task_change("t0", "update", 20, [("n:a#w", "n:b#y")])])
    return Store.open(folder, clock=ManualClock(90))


@pytest.fixture(params=["snapshot", "log"])
def hops(store: Store, request: pytest.FixtureRequest) -> Hops:
    """What walks over it, and over its log alone."""
    if request.param == "snapshot":
        return Reader(store.opened_log).hops()
    files = verified_files(store.opened_log)
    return Hops(None, files, own.connect(files))


@pytest.mark.parametrize("node", ["n:a#x", "n:b", "n:c#z", "n:s#k", "n:d#q", "n:c#*", "n:a#w"])
@pytest.mark.parametrize("at", [15, 25])
def test_every_walk_is_that_of_the_macro(store: Store, hops: Hops, node: str, at: int) -> None:
    """From a column, a dataset or a star, with the tail and before it."""
    basis = store.basis(at)
    rows = store.fetch(
        """SELECT direction, steps, task_id, source, target, "type", subtype, expression, version,
            epoch_us(valid_from), epoch_us(valid_to), by_star
        FROM lineage($nodes, make_timestamptz($va), make_timestamptz($sa), direction := $direction, depth := 9,
            "level" := 'column', direct_only := false)
        ORDER BY ALL""",
        nodes=[node], va=basis.valid_at, sa=basis.system_time, direction="both",
    )  # fmt: skip

    assert sorted(hops.walk(Question((node,), basis)), key=repr) == sorted(rows, key=repr)


def test_a_walk_ends_at_its_depth(store: Store, hops: Hops) -> None:
    """With depth 0 it meets nothing; in a circle it ends by itself."""
    basis = store.basis(15)

    assert hops.walk(Question(("n:a#x",), basis, "down", 0)) == []
    assert [row[1] for row in hops.walk(Question(("n:a#x",), basis, "down", 1))] == [1]
    assert len(hops.walk(Question(("n:a#x",), basis, "down"))) == 3


def test_what_the_tail_ended_is_not_met(store: Store, hops: Hops) -> None:
    """And is met again as it was known before; one that walks for several points keeps no answer of another."""
    now, before = store.basis(25), store.basis(25, version=5)
    found = [{row[3] for row in hops.walk(Question(("n:b#y",), at, "up", 1))} for at in (now, before, now)]

    assert found == [{"n:a#w"}, {"n:a#x"}, {"n:a#w"}]


def test_a_node_is_known_that_snapshot_or_tail_ever_named(store: Store, hops: Hops) -> None:
    """The tail is looked at from the first walk on."""
    hops.walk(Question(("n:a#x",), store.basis(25)))

    assert hops.knows(["n:a#x", "n:a#w", "n:none", "n:s#*"]) == {"n:a#x", "n:a#w", "n:s#*"}


def test_a_node_that_nothing_names_is_reached_by_nothing(store: Store, hops: Hops) -> None:
    """It is the caller's to say that it is unknown."""
    assert hops.walk(Question(("n:none#x",), store.basis(15))) == []
