"""The lineage of a point as arrays: its edges are those that walks meet, with stars, rejections and aliases."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from domain import INSTANTS, sizes
from hypothesis import given
from reference import alias
from test_rejected_walks import aliases, pairs, rejecting_store
from test_star_walks import star_graphs

from lineage_tt import Store
from lineage_tt.governance.governance import Governance
from lineage_tt.governance.points.plain import plain_point
from lineage_tt.governance.ports import PointGraph
from lineage_tt.model.edges import is_column, star_of
from lineage_tt.testing import task_change


def rows(point: PointGraph, places: Any) -> set[tuple[object, ...]]:
    """Some edges of a point as task, source, target, type, subtype, expression, and whether by star."""
    texts = zip(
        point.task_texts(point.task[places]), point.node_texts(point.source[places]),
        point.node_texts(point.target[places]), (point.kinds[kind] for kind in point.kind[places]),
        point.expression_texts(point.expression[places]), point.by_star[places].tolist(), strict=True,
    )  # fmt: skip
    return {(task, source, target, *kind, text, star) for task, source, target, kind, text, star in texts}


@pytest.mark.long
@sizes(10, 1000)
@given(star_graphs, pairs, aliases)
def test_a_point_has_the_edges_that_walks_meet(tmp_path_factory, graph, stated, named) -> None:
    """At each column that the point knows: what a walk of one step meets, down and up; and all edges stored."""
    folder: Path = tmp_path_factory.mktemp("points") / "s"
    store, _ = rejecting_store(folder, (*graph, *(alias(*pair) for pair in named)), stated)
    view = store.as_of(INSTANTS[2])
    point = store.governance().point(INSTANTS[2])
    plain = plain_point(view.edges(marks=True))

    stored = {edge[:6] for edge in view.edges()}
    marks = {edge[:6] for edge in view.edges(marks=True) if edge.subtype == "ALIAS"}
    for each in (point, plain):
        every = rows(each, range(len(each.source)))
        assert {row[:6] for row in every if not row[6]} - marks == stored
        columns = [node for node in each.node_texts(range(each.nodes)) if is_column(node)]
        live = [node for node in columns if each.live[each.number(node)]]
        assert {row[1] for row in every if is_column(str(row[1]))} <= set(live)
        for node in live:
            at = each.number(node)
            out, into = rows(each, each.out.at(at)), rows(each, each.into.at(at))
            whole = rows(each, each.into.at(int(each.dataset[at])))
            assert_same(out, one_step(view, node, "down"), 2)
            assert_same(into | whole, one_step(view, node, "up"), 1)
    assert rows(point, range(len(point.source))) == rows(plain, range(len(plain.source)))


def assert_same(found: set[tuple[object, ...]], walked: set[tuple[object, ...]], far: int) -> None:
    """The same edges, but that a walk shows an edge with one star end, on the far side, as it is stored."""
    found = {row for row in found if row[4] != "ALIAS"}
    assert walked <= found
    for row in found - walked:
        stored = [*row[:6], False]
        stored[far] = star_of(str(row[far]))
        assert row[6]
        assert tuple(stored) in walked


def one_step(view, node: str, way: str) -> set[tuple[object, ...]]:
    """What a walk of one step meets at a node, aliases left out."""
    found = view.lineage(node, direction=way, depth=1).steps
    return {(*step.edge[:6], step.by_star) for step in found if step.edge.subtype != "ALIAS"}


def test_a_point_is_as_of_its_two_times(tmp_path: Path) -> None:
    """An edge that ended is not there after, and is there as it was known before."""
    store = Store.create(tmp_path / "s")
    ends = ("hive:a#x", "hive:b#x")
    store.append([task_change("load", "online", INSTANTS[0], [ends])])
    store.append([task_change("load", "offline", INSTANTS[3])])
    governance = store.governance()

    found = [
        len(governance.point(at, version=version).source)
        for at, version in ((INSTANTS[2], 2), (INSTANTS[4], 2), (INSTANTS[4], 1))
    ]
    assert found == [1, 0, 1]


def test_facts_and_messages_stand_beside_the_edges(tmp_path: Path) -> None:
    """A label's node has a number though no edge names it; a version's message says who sent it."""
    from lineage_tt.curation.statements import Author, annotate

    store = Store.create(tmp_path / "s")
    store.append([task_change("load", "online", INSTANTS[0], [("hive:a#x", "hive:b#x")])])
    annotate(store, "hive:z#mail", "label", ["pii"], by=Author("ana", "asked legal"), at=INSTANTS[1])
    point = Governance(store, store.graph()).point(INSTANTS[2])
    (fact,) = point.facts("label")

    assert (fact.node, fact.value) == ("hive:z#mail", "pii")
    assert point.live[point.number("hive:z")]
    assert point.messages_of([fact.version])[fact.version][5:7] == ("ana", "asked legal")
    assert point.number("hive:nowhere") == -1
    assert [task.task_id for task in point.task_list] == ["load"]
    assert point.completeness().complete
    assert point.began(point.out.at(point.number("hive:a#x"))).tolist() == [1]


def test_a_point_of_nothing_is_empty(tmp_path: Path) -> None:
    """A new store has a point without nodes."""
    point = Store.create(tmp_path / "s").governance().point()

    assert (point.nodes, len(point.source), len(point.out.order)) == (0, 0, 0)
