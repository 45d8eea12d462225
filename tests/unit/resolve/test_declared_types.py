"""Declared types count: statements that name a struct's fields, or all of them, are resolved with what was declared."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.resolve.resolver import SqlResolver
from lineage_tt import Store
from lineage_tt.model.facts import Field, names_of, retyped, shape_of
from lineage_tt.model.messages import Message, NodeChange, Receipt, TaskChange

NOON = 1_714_564_800_000_000
NESTED = [Field("id", "INT64"), Field("p", "RECORD"), Field("p.a", "STRING", nested=True)]
MORE = [*NESTED, Field("p.b", "RECORD", "REPEATED", nested=True), Field("p.b.c", "STRING", nested=True)]


def task(text: str, dialect: str = "bigquery") -> TaskChange:
    """A message of a task's SQL."""
    return TaskChange("e1", "t", "update", NOON, sql=text, dialect=dialect, namespace="n", target="n:x.o")


def send(store: Store, message: Message) -> Receipt:
    """Append one message with the resolver of an ingest."""
    with SqlResolver(0) as resolver:
        return store.append([message], resolver=resolver)[0]


def define(event_id: str, fields: list[Field], at: int = NOON) -> NodeChange:
    """A message that declares the columns of the source."""
    return NodeChange(event_id, "dataset", "n:x.s", "define", at, fields=fields)


def feeding(store: Store, at: int = NOON) -> dict[str, str]:
    """What feeds a value into each column of the target."""
    return {e.target: e.source for e in store.as_of(at).edges() if e.type == "DIRECT"}


def test_all_fields_of_a_struct_are_those_declared(tmp_path: Path) -> None:
    """``p.*`` is the fields of p; where p gets another, the task is resolved again, from that moment on."""
    store = Store.create(tmp_path / "store")
    send(store, define("d1", NESTED))
    send(store, task("SELECT id, p.* FROM x.s"))
    assert feeding(store) == {"n:x.o#id": "n:x.s#id", "n:x.o#a": "n:x.s#p.a"}
    assert store.log()[-1].coverage == "complete"

    assert send(store, define("d2", MORE, NOON + 1)).derived == 1
    assert feeding(store) == {"n:x.o#id": "n:x.s#id", "n:x.o#a": "n:x.s#p.a"}
    assert feeding(store, NOON + 1) == {"n:x.o#id": "n:x.s#id", "n:x.o#a": "n:x.s#p.a", "n:x.o#b": "n:x.s#p.b"}


@pytest.mark.parametrize(
    ("dialect", "kind"),
    [
        ("hive", "struct<a:string,`b`:int>"),
        ("trino", "ROW(a varchar, b integer)"),
        ("spark", "STRUCT<a: STRING, b: INT>"),
    ],
)
def test_a_type_told_as_text_is_read_in_the_words_of_its_platform(tmp_path: Path, dialect: str, kind: str) -> None:
    """A dataset message may tell a struct's fields in the type, as the platform writes it."""
    store = Store.create(tmp_path / "store")
    send(store, define("d1", [Field("id", "int"), Field("p", kind)]))
    send(store, task("SELECT p.* FROM x.s", dialect))

    assert feeding(store) == {"n:x.o#a": "n:x.s#p.a", "n:x.o#b": "n:x.s#p.b"}


@pytest.mark.parametrize("dialect", ["bigquery", "hive", "trino", "spark", "duckdb"])
def test_fields_declared_one_by_one_are_known_in_every_dialect(tmp_path: Path, dialect: str) -> None:
    """A type that is made up of fields is understood whatever the statement is written in."""
    store = Store.create(tmp_path / "store")
    send(store, define("d1", NESTED))
    send(store, task("SELECT p.* FROM x.s", dialect))
    folded = {target.lower(): source.lower() for target, source in feeding(store).items()}

    assert folded == {"n:x.o#a": "n:x.s#p.a"}


def test_a_shape_has_names_and_the_types_with_parts() -> None:
    """Plain columns are their names; fields inside are reported in the type, arrays of structs too."""
    shape = shape_of(MORE)

    assert shape == ("id", ("p", "STRUCT<`a` STRING, `b` ARRAY<STRUCT<`c` STRING>>>"))
    assert names_of(shape) == ("id", "p")
    assert retyped(["p", "q"], shape) == (shape[1], "q")
    assert shape_of([Field("m", "map<string,int>"), Field("r", "RECORD")]) == (("m", "map<string,int>"), "r")
