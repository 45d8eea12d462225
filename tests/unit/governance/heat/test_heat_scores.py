"""What each column or table is worth at a point: rank, references, reads and class."""

from __future__ import annotations

import numpy as np
import pytest

from lineage_tt.governance.heat.scores import CLASSES, Scores, classes_of, one_names, scores
from lineage_tt.governance.points.plain import plain_point
from lineage_tt.model.answers import EdgeAsOf, Level
from lineage_tt.model.edges import ALIAS, DIRECT, INDIRECT
from lineage_tt.model.errors import InvalidRequestError


def edge(source: str, target: str, task: str = "t", kind: str = DIRECT, subtype: str = "IDENTITY") -> EdgeAsOf:
    """An edge in force."""
    return EdgeAsOf(task, source, target, kind, subtype, "", 1, 0, None)


def alias(one: str, other: str) -> list[EdgeAsOf]:
    """Two names of one thing."""
    return [edge(one, other, "x", subtype=ALIAS), edge(other, one, "x", subtype=ALIAS)]


def found(edges: list[EdgeAsOf], level: Level = "column", **options: object) -> Scores:
    """The scores of a point with these edges."""
    return scores(plain_point(edges), level, **options)  # type: ignore[arg-type]


def by_name(of: Scores, values: np.ndarray | None) -> dict[str, float]:
    """One column of scores by the names of rows."""
    assert values is not None
    return dict(zip(of.names(list(range(len(of.nodes)))), values.tolist(), strict=True))


def test_references_are_columns_of_other_tables_in_one_step() -> None:
    """Each once, however many tasks make it; of a table those of all its columns; a filter refers to no column."""
    edges = [
        edge("d:a#x", "d:b#x"), edge("d:a#x", "d:b#x", "again"), edge("d:a#y", "d:b#x"), edge("d:a#x", "d:a#y"),
        edge("d:b#x", "d:c#x"), edge("d:a#x", "d:c", kind=INDIRECT, subtype="FILTER"),
    ]  # fmt: skip
    columns, tables = found(edges), found(edges, "table")

    assert by_name(columns, columns.references) == {"d:a#x": 1, "d:b#x": 1, "d:a#y": 1, "d:c#x": 0}
    assert by_name(tables, tables.references) == {"d:a": 1, "d:b": 1, "d:c": 0}


def test_ranks_add_up_to_one_and_those_of_columns_to_that_of_their_table() -> None:
    """What more is made of has more."""
    edges = [edge("d:a#x", "d:b#x"), edge("d:a#y", "d:b#y"), edge("d:b#x", "d:c#x")]
    columns, tables = found(edges), found(edges, "table")
    rank, whole = by_name(columns, columns.rank), by_name(tables, tables.rank)

    assert sum(rank.values()) == pytest.approx(1)
    assert whole["d:a"] == pytest.approx(rank["d:a#x"] + rank["d:a#y"])
    assert rank["d:a#x"] > rank["d:a#y"] > rank["d:c#x"]


def test_only_what_values_flow_over_has_a_rank() -> None:
    """A column that filters alone has none, although it is used."""
    of = found([edge("d:a#x", "d:b#x"), edge("d:f#k", "d:b", kind=INDIRECT, subtype="FILTER")])

    assert by_name(of, of.rank)["d:f#k"] == 0
    assert CLASSES[int(by_name(of, of.heat)["d:f#k"])] == "warm"


def test_each_run_reads_a_table_once_whatever_columns_it_takes() -> None:
    """Runs of every task that reads it are added up; without observed runs nothing is known."""
    edges = [edge("d:a#x", "d:b#x", "one"), edge("d:a#y", "d:b#y", "one"), edge("d:a#x", "d:c#x", "two")]
    columns, tables = (found(edges, level, runs={"one": 5, "two": 2, "gone": 9}) for level in ("column", "table"))  # type: ignore[arg-type]

    assert by_name(tables, tables.reads) == {"d:a": 7, "d:b": 0, "d:c": 0}
    assert by_name(columns, columns.reads) == {"d:a#x": 7, "d:a#y": 5, "d:b#x": 0, "d:b#y": 0, "d:c#x": 0}
    assert found(edges).reads is None


def test_the_personal_rank_is_seen_from_the_nodes_asked_for() -> None:
    """Only what these are made of has any; a table has the members of all its columns."""
    edges = [edge("d:a#x", "d:b#x"), edge("d:b#x", "d:c#x"), edge("d:e#x", "d:f#x")]
    of = found(edges, seeds=["d:b"])
    personal = by_name(of, of.personal)

    assert {node for node, rank in personal.items() if rank} == {"d:a#x", "d:b#x"}
    assert personal["d:b#x"] == pytest.approx(1 / 1.85)
    assert found(edges).personal is None


def test_a_personal_rank_of_nodes_without_values_is_refused() -> None:
    """With what to do."""
    with pytest.raises(InvalidRequestError, match="start nowhere") as error:
        found([edge("d:a#x", "d:b#x"), edge("d:f#k", "d:b", kind=INDIRECT)], seeds=["d:f#k"])
    assert "DIRECT edge" in (error.value.hint or "")


def test_two_names_of_one_thing_are_one_row() -> None:
    """Under the name that comes first; readers of both count, and the alias itself refers to nothing."""
    edges = [
        *alias("s3:a", "d:a"), *alias("s3:a#x", "d:a#x"),
        edge("s3:a#x", "d:b#x", "one"), edge("d:a#x", "d:c#x", "two"),
    ]  # fmt: skip
    of = found(edges)

    assert by_name(of, of.references) == {"d:a#x": 2, "d:b#x": 0, "d:c#x": 0}
    point = of.graph
    (one,) = {int(one_names(point)[point.number(node)]) for node in ("s3:a#x", "d:a#x")}
    assert point.node_texts([one]) == ["d:a#x"]


def test_a_row_stands_for_a_column_or_for_a_table_with_its_columns() -> None:
    """A table without columns has itself alone."""
    edges = [edge("d:a#x", "d:b"), edge("d:a#y", "d:b")]
    columns, tables = found(edges), found(edges, "table")
    names = {name: columns.graph.node_texts(tables.members(at)) for at, name in enumerate(tables.names(list(range(2))))}

    assert {name: sorted(members) for name, members in names.items()} == {
        "d:a": ["d:a", "d:a#x", "d:a#y"], "d:b": ["d:b"],
    }  # fmt: skip
    assert columns.graph.node_texts(columns.members(0)) == columns.names([0])


@pytest.mark.parametrize(
    ("rank", "used", "classes"),
    [
        ([0.6, 0.3, 0.1], [True, True, True], ["hot", "warm", "warm"]),
        ([0.4, 0.3, 0.3], [True, True, True], ["hot", "hot", "hot"]),
        ([0.6, 0.3, 0.1], [False, True, False], ["cold", "warm", "cold"]),
        ([0.25] * 4, [True] * 4, ["hot"] * 4),
        ([], [], []),
    ],
)
def test_hot_are_the_first_that_hold_half_of_all_rank(rank: list[float], used: list[bool], classes: list[str]) -> None:
    """Those of equal rank go together; what nothing uses is cold, however high its rank."""
    places = classes_of(np.array(rank, np.float64), np.array(used, np.bool_))

    assert [CLASSES[place] for place in places.tolist()] == classes


def test_an_empty_point_has_no_rows() -> None:
    """Of either level."""
    assert [len(found([], level).nodes) for level in ("column", "table")] == [0, 0]  # type: ignore[arg-type]
