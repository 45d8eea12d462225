"""The graph of tables: each once, in order of names, without other names of one thing, and what facts say of it."""

from __future__ import annotations

import numpy as np
from ruled import edges_of, fact, tables_of

from lineage_tt.governance.points.plain import plain_point
from lineage_tt.governance.rules.tables import Tables
from lineage_tt.model.answers import EdgeAsOf


def test_tables_are_in_order_of_names_whatever_their_numbers() -> None:
    """Parents, children, writers and readers, too; a table that is made of itself is not its own parent."""
    tables = tables_of(("t2", "db:z", "db:y"), ("t1", "db:b", "db:y"), ("t1", "db:y", "db:y"), ("t1", "db:z", "db:a"))

    def named(found: dict[int, list[int]]) -> dict[str, list[str]]:
        return {tables.name[each]: [tables.name[other] for other in others] for each, others in found.items()}

    assert list(tables.name.values()) == ["db:a", "db:b", "db:y", "db:z"]
    assert list(named(tables.parents).items()) == [("db:a", ["db:z"]), ("db:y", ["db:b", "db:z"])]
    assert list(named(tables.children).items()) == [("db:b", ["db:y"]), ("db:z", ["db:a", "db:y"])]
    assert {tables.name[each]: tasks for each, tasks in tables.writers.items()} == {
        "db:a": ["t1"],
        "db:y": ["t1", "t2"],
    }
    assert {tables.name[each]: tasks for each, tasks in tables.readers.items()} == {
        "db:b": ["t1"], "db:y": ["t1"], "db:z": ["t1", "t2"],
    }  # fmt: skip
    between = {tables.names([*pair]): tasks for pair, tasks in tables.tasks_between.items() if pair[0] != pair[1]}
    assert between == {("db:y", "db:z"): ["t2"], ("db:b", "db:y"): ["t1"], ("db:a", "db:z"): ["t1"]}


def test_columns_of_one_task_make_one_edge_of_tables() -> None:
    """Two columns and two tasks: one pair, two tasks."""
    edges = [
        EdgeAsOf(task, f"db:a#{c}", f"db:b#{c}", "DIRECT", "IDENTITY", "", 1, 0, None) for task in "tu" for c in "xy"
    ]
    tables = Tables(plain_point(edges))

    assert (len(tables.pairs), len(tables.source)) == (1, 2)
    assert list(tables.tasks_between.values()) == [["t", "u"]]


def test_a_source_is_read_and_not_made_and_what_a_table_makes_of_itself_is_not_read() -> None:
    """Made and read by others; made of itself alone; only read."""
    tables = tables_of(("t", "db:s", "db:m"), ("u", "db:m", "db:x"), ("u", "db:x", "db:x"))

    assert tables.names(tables.sources) == ("db:s",)
    assert tables.names(tables.made) == ("db:m", "db:x")
    assert tables.names([*tables.read]) == ("db:m", "db:s")
    assert tables.names([*tables.written]) == ("db:m", "db:x")


def test_other_names_make_no_table() -> None:
    """An alias leads both ways, and would be a circle."""
    alias = [EdgeAsOf("alias", *ends, "DIRECT", "ALIAS", "", 1, 0, None) for ends in (("db:a", "l:a"), ("l:a", "db:a"))]
    tables = Tables(plain_point([*alias, *edges_of([("t", "db:a", "db:b")])]))

    assert list(tables.number) == ["db:a", "db:b"]
    assert list(tables.task_name.values()) == ["t"]


def test_edges_of_elsewhere_join_those_of_the_point_once() -> None:
    """One that the point has already, one that it has not."""
    point = plain_point(edges_of([("t", "db:a", "db:b"), ("u", "db:b", "db:c")]))
    a, b, c, t = *(point.number(f"db:{name}") for name in "abc"), point.task_number("t")
    tables = Tables(point, np.array([[a, b, t], [a, c, t]], np.int32))

    assert tables.tasks_between == {(a, b): ["t"], (b, c): ["u"], (a, c): ["t"]}


def test_facts_of_tables_are_read_by_their_keys() -> None:
    """Owners in order, descriptions, kinds in any case, declared datasets, checks of columns."""
    stated = (
        fact("db:b", "owner", "zoe"), fact("db:b", "owner", "ana"), fact("db:a", "description", "x"),
        fact("db:b", "kind", "View"), fact("db:a", "kind", "table"), fact("db:lost#c", "column", "{}"),
        fact("db:b#c", "column", "{}")._replace(kind="task"), fact("db:a#c", "check:unique", "odd"),
        fact("db:b", "check:", "no name"),
    )  # fmt: skip
    tables = tables_of(("t", "db:a", "db:b"), facts=stated)

    assert (tables.owners, tables.described) == ({"db:b": ("ana", "zoe")}, {"db:a"})
    assert (tables.views, tables.declared, tables.tested) == ({"db:b"}, {"db:lost"}, {"db:a"})
    assert [tables.is_view(tables.number[name], ("*:a",)) for name in ("db:a", "db:b")] == [True, True]
    assert not tables.is_view(tables.number["db:a"], ("*:A",))


def test_a_point_without_edges_has_no_tables() -> None:
    """Nothing of nothing."""
    tables = Tables(plain_point([]))

    assert (tables.name, tables.parents, tables.made, tables.sources, tables.task_name) == ({}, {}, [], [], {})
