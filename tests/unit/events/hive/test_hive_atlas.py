"""A message of an Atlas hook as a run event."""

from __future__ import annotations

from typing import Any

import pytest

from ingest.events.hive.atlas import as_run_event

#: 2026-01-01T00:00:00Z in milliseconds.
START = 1_767_225_600_000
AT = "2026-01-01T00:00:00+00:00"
TEXT = "insert into dw.sales select sum(amt) from ods.orders"


def refers(kind: str, name: str) -> dict[str, Any]:
    """A reference to an entity by its name."""
    return {"typeName": kind, "uniqueAttributes": {"qualifiedName": f"{name}@cm"}}


def entity(kind: str, qualified: str, /, **attributes: Any) -> dict[str, Any]:
    """An entity with its attributes."""
    return {"typeName": kind, "attributes": {"qualifiedName": f"{qualified}@cm", **attributes}}


def process(name: str, reads: list[str], writes: list[str], **more: Any) -> dict[str, Any]:
    """A process that reads and writes tables."""
    sides = {
        side: [refers("hive_table", each) for each in names] for side, names in (("inputs", reads), ("outputs", writes))
    }
    return entity("hive_process", name, **sides, **more)


def columns(sources: list[str], target: str, **more: Any) -> dict[str, Any]:
    """The lineage of a column."""
    return entity(
        "hive_column_lineage", target, inputs=[refers("hive_column", each) for each in sources],
        outputs=[refers("hive_column", target)], **more,
    )  # fmt: skip


def message(kind: str, *entities: Any, at: Any = START, **inside: Any) -> dict[str, Any]:
    """A message in its envelope."""
    return {"msgCreationTime": at, "message": {"type": kind, "entities": list(entities), **inside}}


def run(*entities: Any, kind: str = "ENTITY_CREATE_V2", namespace: str | None = None, **more: Any) -> dict[str, Any]:
    """The run event of a message."""
    return as_run_event(message(kind, *entities, **more), namespace)


def names(datasets: list[dict[str, Any]]) -> list[str]:
    """What datasets are called."""
    return [f"{each['namespace']}:{each['name']}" for each in datasets]


def test_a_process_is_a_run_that_reads_and_writes() -> None:
    """Each table once, in the order of the message; its text is the job's SQL."""
    found = run(process("p", ["ods.a", "ods.b", "ods.a"], ["dw.x"], queryText=TEXT))

    assert (names(found["inputs"]), names(found["outputs"])) == (["hive:ods.a", "hive:ods.b"], ["hive:dw.x"])
    assert found["job"]["facets"]["sql"] == {"query": TEXT}
    assert found["job"]["facets"]["jobType"]["integration"] == "HIVE"
    assert (found["eventType"], found["eventTime"], found["began"]) == ("COMPLETE", AT, AT)


def test_tables_are_of_the_namespace_given() -> None:
    """Paths have a place of their own, and other systems, too."""
    made = entity("hive_process", "p", outputs=[refers("hive_table", "dw.x")],
                  inputs=[refers("hdfs_path", "hdfs://nn/raw"), refers("kafka_topic", "clicks"), None])  # fmt: skip
    found = run(made, namespace="hive://prod")

    assert names(found["inputs"]) == ["hdfs://nn:/raw", "kafka:clicks"]
    assert (names(found["outputs"]), found["job"]["namespace"]) == (["hive://prod:dw.x"], "hive://prod")


@pytest.mark.parametrize(
    ("more", "subtype"),
    [({"depenendencyType": "SIMPLE"}, "IDENTITY"), ({"dependencyType": "simple", "expression": "sum(x)"}, "IDENTITY"),
     ({"depenendencyType": "EXPRESSION", "expression": "sum(x)"}, "AGGREGATION"),
     ({"expression": "x + 1"}, "TRANSFORMATION"),
     ({}, "TRANSFORMATION")],
)  # fmt: skip
def test_a_column_is_made_as_its_lineage_says(more: dict[str, Any], subtype: str) -> None:
    """A simple dependency is a copy; else the expression tells."""
    found = run(process("p", ["ods.a"], ["dw.x"]), columns(["ods.a.amt"], "dw.x.total", **more))
    (source,) = found["outputs"][0]["facets"]["columnLineage"]["fields"]["total"]["inputFields"]

    assert (source["namespace"], source["name"], source["field"]) == ("hive", "ods.a", "amt")
    assert source["transformations"] == [
        {"type": "DIRECT", "subtype": subtype, "description": more.get("expression", "")}
    ]


def test_columns_of_several_messages_parts_add_up() -> None:
    """Of one column and of others; what is not a column feeds none, and a table that is not written has none."""
    found = run(
        process("p", ["ods.a"], ["dw.x"]), columns(["ods.a.amt"], "dw.x.total"), columns(["ods.a.tax"], "dw.x.total"),
        columns(["ods.a.day"], "dw.x.day"), columns(["ods.a.amt"], "dw.other.total"),
        entity("hive_column_lineage", "odd", inputs=[refers("hive_table", "ods.a")],
               outputs=[refers("hive_table", "dw.x"), refers("hive_column", "dw.x.none")]),
    )  # fmt: skip
    fields = found["outputs"][0]["facets"]["columnLineage"]["fields"]

    assert {name: [i["field"] for i in each["inputFields"]] for name, each in fields.items()} == {
        "total": ["amt", "tax"], "day": ["day"], "none": [],
    }  # fmt: skip


def test_several_processes_of_one_message_are_not_mixed() -> None:
    """Each output is fed by the inputs of its own process, column by column."""
    found = run(process("p", ["ods.a"], ["dw.x"]), process("q", ["ods.b"], ["dw.y"]), columns(["ods.b.k"], "dw.y.k"))
    entries = found["job"]["facets"]["lineage"]["entries"]

    assert [(each["name"], [i["name"] for i in each["inputs"]]) for each in entries] == [
        ("dw.x", ["ods.a"]), ("dw.y", ["ods.b"]),
    ]  # fmt: skip
    assert [i["field"] for i in entries[1]["fields"]["k"]["inputs"]] == ["k"]
    assert "fields" not in entries[0]
    assert "lineage" not in run(process("p", ["ods.a"], ["dw.x"]))["job"]["facets"]


@pytest.mark.parametrize(
    ("processes", "began", "ended"),
    [([{}], 0, 0), ([{"startTime": START - 9000, "endTime": START - 1000}], -9, -1),
     ([{"startTime": START - 3000}, {"startTime": START - 9000, "endTime": START - 5000}], -9, -3),
     ([{"startTime": "2025-12-31T23:59:59Z", "endTime": str(START)}], -1, 0),
     ([{"startTime": "2025-12-31T23:59:59", "endTime": "never"}], -1, -1), ([{"startTime": 0, "endTime": True}], 0, 0)],
)  # fmt: skip
def test_a_run_lasts_from_its_first_start_to_its_last_end(processes: list[Any], began: int, ended: int) -> None:
    """In seconds from the time of the message, which counts where the processes say nothing that can be a time."""
    found = run(*(process(f"p{n}", ["ods.a"], ["dw.x"], **each) for n, each in enumerate(processes)))
    times = {0: AT, **{-n: f"2025-12-31T23:59:{60 - n:02d}+00:00" for n in range(1, 10)}}

    assert (found["began"], found["eventTime"]) == (times[began], times[ended])


@pytest.mark.parametrize("at", [None, 0, "soon", True, 1e300])
def test_a_message_without_a_time_is_refused(at: Any) -> None:
    """Unless its processes have one."""
    with pytest.raises(ValueError, match="msgCreationTime"):
        run(entity("hive_table", "dw.x"), at=at)
    assert run(process("p", [], ["dw.x"], startTime=START), at=at)["began"] == AT


def test_a_task_is_called_by_what_it_writes_and_its_text() -> None:
    """Without a text by the process, whose name has times in it; a process that writes nothing is a read."""
    first, second = (run(process("p", ["ods.a"], ["dw.y", "dw.x"], queryText=text)) for text in (TEXT, TEXT.upper()))
    assert first["job"]["name"].startswith("dw.x,dw.y/")
    assert first["job"]["name"] == second["job"]["name"]

    named = entity("hive_process", "p", inputs=[], outputs=[])
    named["attributes"]["qualifiedName"] = "dw.sales@cm:1530000000000"
    assert run(named)["job"]["name"] == "dw.sales"
    named["attributes"]["qualifiedName"] = "load:1530000000000"
    assert run(named)["job"]["name"] == "load"
    assert run(process("p", ["ods.b", "ods.a"], [], query=TEXT))["job"]["name"].startswith("reads/ods.a,ods.b/")


def test_a_run_is_known_by_its_query() -> None:
    """Else by the whole message: one that comes twice is one run."""
    assert run(process("p", [], ["dw.x"], queryId="hive_7"))["run"]["runId"] == f"hive_7@{START}"
    plain = process("p", [], ["dw.x"])
    assert run(plain)["run"] == run(plain)["run"]
    assert run(plain)["run"] != run(process("p", [], ["dw.y"]))["run"]


def test_a_table_is_described_by_its_columns_in_order() -> None:
    """With its owner and what it is for; those of partitions are columns, too, and each is there once."""
    listed = [entity("hive_column", "dw.x.b", name="b", type="int", position=1, comment="the b"),
              entity("hive_column", "dw.x.a", position=0, dataType="text"),
              entity("hive_column", "dw.x.a", position=2)]  # fmt: skip
    day = entity("hive_column", "dw.x.day", name="day", position=9)
    found = run(entity("hive_table", "dw.x", columns=listed, partitionKeys=[day], owner=" ada ", comment="sold"))
    (output,) = found["outputs"]

    assert output["facets"] == {
        "schema": {"fields": [{"name": "a", "type": "text"}, {"name": "b", "type": "int", "description": "the b"},
                              {"name": "day"}]},
        "ownership": {"owners": [{"name": "ada"}]}, "documentation": {"description": "sold"},
        "lifecycleStateChange": {"lifecycleStateChange": "CREATE"},
    }  # fmt: skip
    assert (found["job"]["name"], found["inputs"]) == ("tables/dw.x", [])


@pytest.mark.parametrize(
    ("kind", "change"),
    [("ENTITY_CREATE", "CREATE"), ("ENTITY_DELETE_V2", "DROP"), ("ENTITY_FULL_UPDATE_V2", "ALTER"),
     ("ENTITY_ODD", "ALTER")],
)  # fmt: skip
def test_a_table_is_created_changed_or_dropped(kind: str, change: str) -> None:
    """As the message says; a process that is deleted wrote nothing now."""
    found = run(
        entity("hive_table", "dw.x"),
        process("p", ["ods.a"], ["dw.y"]) if kind == "ENTITY_DELETE_V2" else None,
        kind=kind,
    )

    assert [(each["name"], each["facets"]["lifecycleStateChange"]) for each in found["outputs"]] == [
        ("dw.x", {"lifecycleStateChange": change})
    ]


def test_a_table_with_another_name_is_renamed() -> None:
    """The task is called by the former name; an update of the same name, or one that says nothing more, is none."""
    former = refers("hive_table", "dw.x")
    renamed = run(kind="ENTITY_PARTIAL_UPDATE_V2", entityId=former, entity=entity("hive_table", "dw.y"))
    (output,) = renamed["outputs"]
    assert (output["name"], renamed["job"]["name"]) == ("dw.y", "tables/dw.x")
    assert output["facets"]["lifecycleStateChange"] == {
        "lifecycleStateChange": "RENAME", "previousIdentifier": {"namespace": "hive", "name": "dw.x"},
    }  # fmt: skip

    same_again: list[dict[str, Any]] = [{"entity": entity("hive_table", "dw.x")}, {}]
    for more in same_again:
        (same,) = run(kind="ENTITY_PARTIAL_UPDATE_V2", entityId=former, **more)["outputs"]
        assert (same["name"], same["facets"]["lifecycleStateChange"]["lifecycleStateChange"]) == ("dw.x", "ALTER")


def test_tables_beside_a_process_are_described_where_they_are_whole() -> None:
    """A reference to one says nothing about it."""
    whole = entity("hive_table", "dw.x", owner="ada", columns=[entity("hive_column", "dw.x.k", name="k")])
    found = run(process("p", ["ods.a"], ["dw.x"]), whole, entity("hive_table", "ods.a", owner="bo"))

    assert found["outputs"][0]["facets"]["ownership"] == {"owners": [{"name": "ada"}]}
    assert "facets" not in found["inputs"][0]
    assert "lifecycleStateChange" not in found["outputs"][0]["facets"]


def test_a_message_about_neither_says_nothing() -> None:
    """A database is not a dataset."""
    found = run(entity("hive_db", "dw"))

    assert (found["inputs"], found["outputs"], found["job"]["name"]) == ([], [], "other")
