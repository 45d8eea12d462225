"""The SQL of a job: columns where the event tells only tables, in the event's names; compared where it tells both."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from run_events import START, Event, dataset, event, pairs, take

from ingest.events.intake import EventIntake
from ingest.resolve.resolver import SqlResolver
from lineage_tt import Store
from lineage_tt.model.facts import Shape
from lineage_tt.model.messages import Lineage, Problem, TaskChange

PG = "postgres://host:5432"


def table(name: str, *columns: str, **facets: Any) -> Event:
    """Return a table of PostgreSQL with its columns."""
    if columns:
        facets["schema"] = {"fields": [{"name": column} for column in columns]}
    return {"namespace": PG, "name": name, "facets": facets}


def complete(
    sql: str, inputs: list[Event], outputs: list[Event], *, job_type: Event | None = None, **more: Any
) -> Event:
    """Return the one event of a run with SQL."""
    facets = {"sql": {"query": sql, **more}, **({"jobType": job_type} if job_type else {})}
    return event("COMPLETE", START, inputs=inputs, outputs=outputs, job_facets=facets)


def test_columns_are_read_from_the_sql(tmp_path: Path) -> None:
    """A star over a table whose columns the event tells gives each column, in the names of the event."""
    said = complete(
        "INSERT INTO public.sales SELECT id, amount * 2 FROM orders WHERE paid",
        [table("shop.public.orders", "id", "amount", "paid")],
        [table("shop.public.sales", "id", "double")],
    )
    take(tmp_path, [said])
    orders, sales = f"{PG}:shop.public.orders", f"{PG}:shop.public.sales"

    assert pairs(tmp_path) == {
        (f"{orders}#id", f"{sales}#id"), (f"{orders}#amount", f"{sales}#double"), (f"{orders}#paid", sales),
    }  # fmt: skip
    assert [task.coverage for task in Store.open(tmp_path).as_of().tasks()] == ["complete"]


def test_a_bare_select_writes_the_output(tmp_path: Path) -> None:
    """dbt's compiled SQL is a SELECT: what it selects is written to the one output."""
    take(tmp_path, [complete("select id from shop.public.o", [table("shop.public.o", "id")], [table("shop.public.m")])])

    assert pairs(tmp_path) == {(f"{PG}:shop.public.o#id", f"{PG}:shop.public.m#id")}


def test_a_star_over_columns_that_dbt_only_describes_stays_a_star(tmp_path: Path) -> None:
    """The wrapper lists the documented columns as the schema, of the input and of the output; the others were lost."""
    said = complete(
        "select * from shop.public.o", [table("shop.public.o", "id")], [table("shop.public.m", "id")],
        job_type={"processingType": "BATCH", "integration": "DBT", "jobType": "MODEL"},
    )  # fmt: skip
    take(tmp_path, [said])
    store = Store.open(tmp_path)

    assert (f"{PG}:shop.public.o#*", f"{PG}:shop.public.m#*") in pairs(tmp_path)
    assert [task.coverage for task in store.as_of().tasks()] == ["partial"]
    assert "unknown-columns" in [
        each["code"] for (found,) in store.sql("SELECT problems FROM log")[1] for each in found
    ]


def test_a_path_is_found_by_its_symlink(tmp_path: Path) -> None:
    """A Hive table in SQL is the dataset whose symlink names it."""
    links = {"symlinks": {"identifiers": [{"namespace": "hive://h", "name": "dw.orders", "type": "TABLE"}]}}
    source: Event = {
        "namespace": "hdfs://h", "name": "/x/part-1", "facets": {**links, "schema": {"fields": [{"name": "id"}]}}
    }  # fmt: skip
    said = complete("INSERT INTO dw.s SELECT id FROM dw.orders", [source], [dataset("dw.s", schema={})], dialect="hive")
    take(tmp_path, [said])

    assert pairs(tmp_path) == {("hdfs://h:/x/part-1#id", "db:dw.s#id")}


def test_tables_that_the_event_does_not_name_are_left_out(tmp_path: Path) -> None:
    """What the text says of a table that the event lacks, or has twice, is not an edge, and the version says so."""
    said = complete(
        "INSERT INTO public.s SELECT o.id, x.k FROM orders o JOIN secret x ON x.id = o.id",
        [table("a.public.orders", "id"), table("b.public.other", "k")],
        [table("a.public.s", "id", "k")],
    )
    take(tmp_path, [said])
    problems = [each["code"] for (found,) in Store.open(tmp_path).sql("SELECT problems FROM log")[1] for each in found]

    assert (f"{PG}:a.public.orders#id", f"{PG}:a.public.s#id") in pairs(tmp_path)
    assert (f"{PG}:b.public.other", f"{PG}:a.public.s") in pairs(tmp_path)
    assert not any("secret" in source for source, _ in pairs(tmp_path))
    assert "unmatched-dataset" in problems


def test_of_two_tables_of_one_name_the_text_tells_which(tmp_path: Path) -> None:
    """One that the text calls by a longer name is not the one it calls by the short one; of two short names none is."""
    inputs = [table("shop.ods.orders", "id"), table("shop.ods.items", "k")]
    said = [
        complete("INSERT INTO dw.orders SELECT o.id, i.k FROM orders o JOIN items i ON i.k = o.id", inputs,
                 [table("shop.dw.orders", "id", "k")]),
        complete("INSERT INTO sums SELECT o.id FROM orders o", [*inputs, table("shop.old.orders", "id")],
                 [table("shop.dw.sums", "id")]),
    ]  # fmt: skip
    take(tmp_path / "longer", said[:1])
    take(tmp_path / "short", said[1:])
    orders = f"{PG}:shop.dw.orders"

    assert {pair for pair in pairs(tmp_path / "longer") if "#" in pair[1]} == {
        (f"{PG}:shop.ods.orders#id", f"{orders}#id"), (f"{PG}:shop.ods.items#k", f"{orders}#k"),
    }  # fmt: skip
    assert {target for _, target in pairs(tmp_path / "short")} == {f"{PG}:shop.dw.sums"}


def test_engine_and_sql_are_compared(tmp_path: Path) -> None:
    """Where the event tells columns they count, and what the SQL says otherwise is kept with the version."""
    field = {"namespace": PG, "name": "shop.public.o", "field": "id"}
    facet = {"fields": {"k": {"inputFields": [field]}, "wrong": {"inputFields": [field]}}}
    output = table("shop.public.m", "k", "wrong", columnLineage=facet)
    take(tmp_path, [complete("select id as k, 1 as wrong from o", [table("shop.public.o", "id")], [output])])
    attributes = json.loads(Store.open(tmp_path).sql("SELECT attributes FROM log")[1][0][0])["openlineage"]
    source, target = f"{PG}:shop.public.o#id", f"{PG}:shop.public.m"

    assert pairs(tmp_path) == {(source, f"{target}#k"), (source, f"{target}#wrong")}
    assert attributes["agreement"]["both"] == 1
    assert attributes["agreement"]["examples"] == {"engine": [[source, f"{target}#wrong"]]}


class Hasty(SqlResolver):
    """Has no time for the first text that it is asked for."""

    def __init__(self) -> None:
        super().__init__(0)
        self.asked = 0

    def __call__(
        self, waiting: Sequence[tuple[TaskChange, Mapping[str, Shape]]], *, asks_target: bool = True
    ) -> list[Lineage]:
        """Return what the pool returns for a text that takes too long, and later the lineage."""
        self.asked += 1
        if self.asked > 1:
            return super().__call__(waiting, asks_target=asks_target)
        return [Lineage([], "opaque", [Problem("timeout", "more than 5 s of CPU time")]) for _ in waiting]


def test_sql_that_there_was_no_time_for_is_read_again(tmp_path: Path) -> None:
    """What a slow moment gave was kept for ever, and nothing said so; it is a problem until the next run is read."""
    store, resolver = Store.create(tmp_path), Hasty()
    coverage = []
    for number in range(3):
        run = complete("select id as k from o", [table("shop.public.o", "id")], [table("shop.public.m", "k")])
        run |= {"run": {"runId": f"r{number}"}, "eventTime": f"2026-01-01T0{number}:00:00Z"}
        with EventIntake(store, resolver=resolver) as intake:
            intake.take([intake.read(json.dumps(run).encode())])
            intake.settle()
        view = Store.open(tmp_path).as_of()
        coverage.append([(task.coverage, [reason.code for reason in task.reasons]) for task in view.tasks()])

    assert coverage == [[("partial", ["table-level", "timeout"])], [("complete", [])], [("complete", [])]]
    assert (resolver.asked, Store.open(tmp_path).version) == (2, 2)
    assert (f"{PG}:shop.public.o#id", f"{PG}:shop.public.m#k") in pairs(tmp_path)


def test_sql_that_cannot_be_read_leaves_the_tables(tmp_path: Path) -> None:
    """A text in no known language costs nothing but the columns."""
    take(tmp_path, [complete("%%% not sql", [table("a.b.c")], [table("a.b.d")])])

    assert pairs(tmp_path) == {(f"{PG}:a.b.c", f"{PG}:a.b.d")}


def test_credentials_in_sql_are_not_kept(tmp_path: Path) -> None:
    """A password in the text is neither in the log nor in the journal."""
    said = complete("create foreign table t (a int) options (password 'hunter22')", [table("a.b.c")], [table("a.b.d")])
    take(tmp_path, [said])

    assert not any(b"hunter22" in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


def test_too_many_inputs_and_outputs_are_not_joined(tmp_path: Path) -> None:
    """A thousand inputs and a thousand outputs would be a million edges of 60 kB; the task says so and has none."""
    take(tmp_path, [event(
        "COMPLETE", START, inputs=[table(f"in{n}") for n in range(1000)], outputs=[table(f"o{n}") for n in range(1000)]
    )])  # fmt: skip
    tasks = Store.open(tmp_path).as_of().tasks()

    assert pairs(tmp_path) == set()
    assert [task.coverage for task in tasks] == ["partial"]
    assert "too-many-edges" in str([task.reasons for task in tasks])


def test_what_is_not_known_is_stated_as_of_each_run(tmp_path: Path) -> None:
    """Once a run whose edges were those in force left the reasons of the first one, whatever it lacked itself.

    Words, and where in a text they are found, make no version.
    """
    texts = ["select id as k from o; call p()", "select id as k from o; selec 1", "\n select id as k from o; selec 1"]
    found = []
    for number, text in enumerate(texts):
        run = complete(text, [table("shop.public.o", "id")], [table("shop.public.m", "k")])
        take(tmp_path, [run | {"run": {"runId": f"r{number}"}, "eventTime": f"2026-01-01T0{number}:00:00Z"}])
        store = Store.open(tmp_path)
        (task,) = store.as_of().tasks()
        found.append((store.version, {reason.code for reason in task.reasons}))

    assert found == [(1, {"opaque-call"}), (2, {"syntax"}), (2, {"syntax"})]
