"""The tree of a walk."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Literal

import pytest

from lineage_tt import Store
from lineage_tt.cli.render.ink import Ink
from lineage_tt.cli.render.tree import Branch, draw, grow
from lineage_tt.model.answers import Basis, EdgeAsOf, Lineage, Step
from lineage_tt.testing import task_change

D, FILTER = ("DIRECT", "IDENTITY"), ("INDIRECT", "FILTER")


def lineage(start: list[str], *edges: tuple[str, str, str, str], way: Literal["up", "down"] = "up") -> Lineage:
    """Return a walk that reached these edges."""
    found = [EdgeAsOf("t", source, target, kind, sub, "", 1, 0, None) for source, target, kind, sub in edges]
    return Lineage(Basis(0, 1, 0), tuple(start), tuple(Step(way, 1, edge) for edge in found))


def lines(found: Lineage, way: str = "up") -> list[str]:
    """Return the lines below the first start node, without what follows the names."""
    return [line.split("  [")[0].replace("  IDENTITY", "") for line in draw(grow(found, way)[0], Ink())]


def branches(roots: list[Branch]) -> Iterator[Branch]:
    """Yield every branch of the trees."""
    waiting = list(roots)
    while waiting:
        branch = waiting.pop()
        yield branch
        waiting.extend(branch.below)


def test_a_dataset_is_parted_by_its_columns() -> None:
    """Below a whole dataset stand its columns, each with its own edges, then the edges of the dataset itself."""
    found = lineage(["x:d"], ("x:s#a", "x:d#a", *D), ("x:s#b", "x:d#b", *D), ("x:s#c", "x:d", *FILTER))

    assert lines(found) == ["├── #a", "│   └── x:s#a", "├── #b", "│   └── x:s#b", "└── x:s#c  FILTER"]


def test_rows_have_a_branch_beside_the_columns() -> None:
    """What decides about the rows of a dataset is shown once, beside its columns, not below each of them."""
    found = lineage(
        ["x:d#a"], ("x:s#a", "x:d#a", *D), ("x:s#b", "x:d#a", *D), ("x:r#k", "x:s", *FILTER), ("x:r#a", "x:s#a", *D)
    )

    assert lines(found) == [
        "├── x:s#a",
        "│   └── x:r#a",
        "├── x:s#b",
        "└── rows of x:s",
        "    └── x:r#k  FILTER",
    ]


def test_downstream_of_a_dataset_goes_on_with_its_columns() -> None:
    """An edge that ends at a whole dataset continues, by column, with what that dataset's columns feed."""
    found = lineage(["x:d#a"], ("x:d#a", "x:e", *FILTER), ("x:e#k", "x:f#k", *D), way="down")

    assert lines(found, "down") == ["└── x:e  FILTER", "    └── #k", "        └── x:f#k"]


def test_a_cycle_ends() -> None:
    """A node that was opened before is named with a word that it continues there."""
    found = lineage(["x:d#a"], ("x:s#a", "x:d#a", *D), ("x:d#a", "x:s#a", *D))

    assert list(draw(grow(found, "up")[0], Ink())) == [
        "└── x:s#a  IDENTITY  [t v1]",
        "    └── x:d#a  IDENTITY  [t v1]  (continued elsewhere)",
    ]


def test_edges_between_two_nodes_share_a_line() -> None:
    """Several edges of one task between two nodes are one line with all their kinds."""
    found = lineage(["x:d"], ("x:s#a", "x:d", *FILTER), ("x:s#a", "x:d", "INDIRECT", "JOIN"))

    assert lines(found) == ["└── x:s#a  FILTER, JOIN"]


@pytest.mark.parametrize("seed", range(12))
def test_every_edge_of_a_real_walk_hangs_exactly_once(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    """Whatever the store's walk reached, from columns or datasets, up or down, is in the tree, and nothing twice."""
    print("seed", seed)
    rng = random.Random(seed)
    datasets = [f"x:d{i}" for i in range(5)]
    nodes = [*datasets, *(f"{dataset}#{column}" for dataset in datasets for column in "abc**")]
    edges = {(rng.choice(nodes), rng.choice(nodes), *rng.choice([D, FILTER])) for _ in range(rng.randrange(1, 30))}
    store = Store.create(tmp_path_factory.mktemp("walk") / "s")
    store.append([task_change("t", "online", 0, sorted(edges))])
    named = sorted({end for edge in edges for end in edge[:2]})
    start = rng.sample(named, min(len(named), rng.randrange(1, 3)))

    found = store.as_of().lineage(*start, level=rng.choice(["column", "table"]))

    for way in ("up", "down"):
        reached = sorted(step.edge for step in found.steps if step.direction == way)
        assert sorted(edge for branch in branches(grow(found, way)) for edge in branch.edges) == reached


@pytest.mark.long
def test_a_large_walk_is_drawn_in_linear_time() -> None:
    """Twenty thousand edges are drawn in a moment."""
    edges = [(f"x:s{i}#a", f"x:s{i // 2}#a", *D) for i in range(1, 20_000)]
    begun = time.thread_time()

    drawn = lines(lineage(["x:s0#a"], *edges))

    assert len(drawn) == len(edges)
    assert time.thread_time() - begun < 5
