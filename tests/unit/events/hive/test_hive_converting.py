"""A line of Hive's LineageLogger as a run event."""

from __future__ import annotations

from typing import Any

import pytest

from ingest.events.hive.converting import MAX_DURATION, as_run_event, looks_like, subtype_of


def vertex(number: Any, name: Any, kind: str = "COLUMN") -> dict[str, Any]:
    """A column as the hook lists it."""
    return {"id": number, "vertexType": kind, "vertexId": name}


def edge(
    sources: list[Any], targets: list[Any], expression: str | None = None, kind: str = "PROJECTION"
) -> dict[str, Any]:
    """An edge between columns by their numbers."""
    said = {"expression": expression} if expression is not None else {}
    return {"sources": sources, "targets": targets, "edgeType": kind, **said}


VERTICES = [
    vertex(0, "dw.sales.total"),
    vertex(1, "dw.sales.day"),
    vertex(2, "ods.orders.amt"),
    vertex(3, "ods.days.day"),
]


def line(*edges: Any, vertices: Any = VERTICES, **more: Any) -> dict[str, Any]:
    """A line that lists these edges."""
    return {
        "vertices": vertices,
        "edges": list(edges),
        "timestamp": 1767225600,
        "queryText": "insert into dw.sales",
        **more,
    }


def fields_of(output: dict[str, Any]) -> dict[str, list[tuple[str, str, str, str]]]:
    """The columns of an output: table, column, type and subtype of each that feeds one; under ``*`` what decides."""
    facet = output["facets"]["columnLineage"]
    listed = {**{name: each["inputFields"] for name, each in facet["fields"].items()}, "*": facet["dataset"]}
    return {
        name: [(i["name"], i["field"], how["type"], how["subtype"]) for i in inputs for how in i["transformations"]]
        for name, inputs in listed.items()
    }


@pytest.mark.parametrize(
    ("given", "expected"),
    [({"vertices": [], "edges": []}, True), ({"vertices": []}, False), ({"vertices": {}, "edges": []}, False),
     ({}, False)],
)  # fmt: skip
def test_a_line_has_vertices_and_edges(given: dict[str, Any], expected: bool) -> None:
    """Both are lists."""
    assert looks_like(given) is expected


def test_a_column_is_made_of_what_is_projected_into_it() -> None:
    """As the expression of its edge says how; without one the value is the same."""
    (output,) = as_run_event(line(edge([2], [0], "sum(orders.amt)"), edge([3], [1])))["outputs"]

    assert (output["namespace"], output["name"]) == ("hive", "dw.sales")
    assert fields_of(output) == {
        "total": [("ods.orders", "amt", "DIRECT", "AGGREGATION")], "day": [("ods.days", "day", "DIRECT", "IDENTITY")],
        "*": [],
    }  # fmt: skip
    (odd,) = as_run_event(line({"sources": [2], "targets": [0], "expression": 7}))["outputs"]
    assert fields_of(odd)["total"] == [("ods.orders", "amt", "DIRECT", "IDENTITY")]
    (how,) = output["facets"]["columnLineage"]["fields"]["total"]["inputFields"][0]["transformations"]
    assert how["description"] == "sum(orders.amt)"


def test_a_predicate_decides_over_all_that_it_writes() -> None:
    """One over columns of two tables joins them."""
    said = line(edge([2], [0]), edge([2], [0, 1], "amt > 0", "PREDICATE"), edge([2, 3], [0], "a = b", "predicate"))
    (output,) = as_run_event(said)["outputs"]

    assert fields_of(output)["*"] == [
        ("ods.orders", "amt", "INDIRECT", "FILTER"), ("ods.orders", "amt", "INDIRECT", "JOIN"),
        ("ods.days", "day", "INDIRECT", "JOIN"),
    ]  # fmt: skip


def test_a_query_may_write_several_tables() -> None:
    """Each has the columns that feed it; the inputs are those of all."""
    vertices = [*VERTICES, vertex(4, "dw.other.x")]
    found = as_run_event(line(edge([2], [0]), edge([3], [4]), vertices=vertices))

    assert [(each["name"], [*fields_of(each)]) for each in found["outputs"]] == [
        ("dw.sales", ["total", "*"]), ("dw.other", ["x", "*"]),
    ]  # fmt: skip
    assert [each["name"] for each in found["inputs"]] == ["ods.orders", "ods.days"]
    assert found["job"]["name"].startswith("dw.other,dw.sales/")


def test_a_query_that_writes_no_table_is_a_read() -> None:
    """What a SELECT shows is a column of no table; no input is listed, since nothing flows from it."""
    said = line(edge([2], [5]), edge([3, 2], [5]), vertices=[*VERTICES, vertex(5, "total")])
    found = as_run_event(said)

    assert (found["inputs"], found["outputs"]) == ([], [])
    assert found["job"]["name"].startswith("reads/ods.days,ods.orders/")


@pytest.mark.parametrize(
    "odd",
    [vertex(2, "total"), vertex(2, "ods.orders."), vertex(2, None), vertex(2, "ods.orders.amt", "TABLE"),
     vertex(None, "a.b.c"), vertex([2], "a.b.c"), 7],
)  # fmt: skip
def test_what_is_no_column_of_a_table_feeds_nothing(odd: Any) -> None:
    """Nor does an edge of another shape, or one to a column that is not listed."""
    said = line(
        edge([2], [0]), 7, {"targets": 7}, edge([[2]], [0]), edge([9], [0]), edge([3], [9]), vertices=[VERTICES[0], odd]
    )
    (output,) = as_run_event(said)["outputs"]

    assert fields_of(output) == {"total": [], "*": []}


def test_a_column_s_name_may_have_dots() -> None:
    """As that of a field of a struct."""
    (output,) = as_run_event(line(edge([1], [0]), vertices=[VERTICES[0], vertex(1, "a.b.c.d")]))["outputs"]

    assert fields_of(output)["total"] == [("a.b", "c.d", "DIRECT", "IDENTITY")]


def test_what_hive_gathers_for_statistics_is_left_out() -> None:
    """No value of it is in the table."""
    (output,) = as_run_event(line(edge([2], [0]), edge([3], [1], " Compute_Stats(day, 'hll')")))["outputs"]

    assert [*fields_of(output)] == ["total", "*"]


@pytest.mark.parametrize(
    ("expression", "subtype"),
    [("sum(x)", "AGGREGATION"), ("1 + MAX (x)", "AGGREGATION"), ("stddev_pop(x)", "AGGREGATION"),
     ("percentile_approx(x, 0.5)", "AGGREGATION"), ("summary(x)", "TRANSFORMATION"), ("x + 1", "TRANSFORMATION"),
     ("count", "TRANSFORMATION"), ("my_sum(x)", "TRANSFORMATION")],
)  # fmt: skip
def test_an_expression_aggregates_where_it_calls_an_aggregate(expression: str, subtype: str) -> None:
    """A function whose name only contains that of one does not."""
    assert subtype_of(expression) == subtype


def test_a_run_lasts_from_its_time_on() -> None:
    """The hook gives seconds and a duration in milliseconds; a duration that is none is not a time."""
    found = as_run_event(line(edge([2], [0]), duration=1500))
    assert (found["eventType"], found["began"]) == ("COMPLETE", "2026-01-01T00:00:00+00:00")
    assert found["eventTime"] == "2026-01-01T00:00:01.500000+00:00"

    for duration in (None, "1500", True):
        assert as_run_event(line(duration=duration))["eventTime"] == found["began"]


@pytest.mark.parametrize(
    ("more", "word"),
    [({"timestamp": None}, "timestamp"), ({"timestamp": True}, "timestamp"), ({"timestamp": "1767225600"}, "timestamp"),
     ({"duration": MAX_DURATION + 1}, "duration"), ({"duration": float("nan")}, "duration"),
     ({"timestamp": 1e300}, "0001 to 9999")],
)  # fmt: skip
def test_a_line_without_a_time_that_can_be_is_refused(more: dict[str, Any], word: str) -> None:
    """Nothing could be said of when it held."""
    with pytest.raises(ValueError, match=word):
        as_run_event(line(edge([2], [0]), **more))


def test_a_run_is_known_by_the_query_and_its_time() -> None:
    """By the hash that the hook gives, else by that of the text; two runs of one text are one task."""
    one, other = as_run_event(line(edge([2], [0]))), as_run_event(line(edge([2], [0]), timestamp=1767225601))
    hashed = as_run_event(line(edge([2], [0]), hash="4f"))

    assert one["run"]["runId"].partition("@")[0] == other["run"]["runId"].partition("@")[0]
    assert one["run"]["runId"] != other["run"]["runId"]
    assert hashed["run"]["runId"] == "4f@1767225600"
    assert one["job"]["name"] == other["job"]["name"] == hashed["job"]["name"]


def test_tables_and_the_job_are_of_the_namespace_given() -> None:
    """A line without a text has no SQL."""
    found = as_run_event(line(edge([2], [0]), queryText=None), "hive://prod")

    assert {each["namespace"] for each in (found["job"], *found["inputs"], *found["outputs"])} == {"hive://prod"}
    assert "sql" not in found["job"]["facets"]
    assert as_run_event(line())["job"]["facets"]["sql"] == {"query": "insert into dw.sales"}


def test_a_folder_that_is_written_is_named_as_what_has_no_effect() -> None:
    """The hook lists its columns without it: the query looked like one that only reads."""
    vertices = [vertex(0, "total"), vertex(1, "ods.orders.amt")]
    text = "INSERT OVERWRITE LOCAL\nDIRECTORY '/tmp/x' SELECT amt AS total FROM ods.orders"
    written = as_run_event(line(edge([1], [0]), vertices=vertices, queryText=text))

    assert written["unread"][0][0] == "unresolved-name"
    assert "unread" not in as_run_event(line(edge([1], [0]), vertices=vertices, queryText="select amt as total"))
    assert "unread" not in as_run_event(line(edge([2], [0]), queryText=text))
