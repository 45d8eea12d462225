"""What tells queries apart that nobody gave a name."""

from __future__ import annotations

from typing import Any

import pytest

from ingest.events.openlineage.merging import Dataset, JobName, Picture
from ingest.events.openlineage.queries import fingerprint
from ingest.events.trino.naming import is_read, is_unnamed, places

TEXT = "insert into dw.sales select amt from ods.orders"


def query(
    reads: tuple[str, ...] = ("ods.orders",), writes: tuple[str, ...] = ("dw.sales",), *, name: str = "query",
    integration: str = "TRINO", sql: str | None = TEXT, **context: Any,
) -> Picture:  # fmt: skip
    """A query of an engine."""
    facets: dict[str, Any] = {"jobType": {"integration": integration}, **({"sql": {"query": sql}} if sql else {})}
    sides = [{f"n:{each}": Dataset("n", each) for each in names} for names in (reads, writes)]
    return Picture(JobName("trino://x", name), facets, sides[0], sides[1], {"trino_query_context": context})


def test_a_query_has_no_name_but_its_number() -> None:
    """One to which somebody gave a name has it; jobs of other engines are called as they say."""
    assert is_unnamed(query())
    assert not is_unnamed(query(name="nightly"))
    assert not is_unnamed(query(integration="SPARK"))


def test_a_query_that_writes_nothing_is_a_read() -> None:
    """But for one that drops or renames what is not known in full."""
    unresolved = query(writes=())
    unresolved.facets["lineage_tt_unresolved"] = {"name": "sales"}

    assert is_read(query(writes=()))
    assert not is_read(query())
    assert not is_read(unresolved)
    assert not is_read(query(writes=(), integration="SPARK"))


@pytest.mark.parametrize(
    ("given", "name"),
    [(query(source="loader"), "loader/dw.sales"), (query(writes=("b", "a"), source="loader"), "loader/a,b"),
     (query(source="loader", query_type="DELETE"), "loader/dw.sales/delete"),
     (query(source="loader", query_type="INSERT"), "loader/dw.sales"),
     (query(source="loader", sql="/* daily */ merge into dw.sales using a on true"), "loader/dw.sales/merge"),
     (query(), f"dw.sales/{fingerprint(TEXT)}"), (query(sql=None), "dw.sales/"),
     (query(("b", "a"), (), source="loader"), "reads/a,b"), (query((), ()), "other")],
)  # fmt: skip
def test_a_query_is_named_by_who_sent_it_and_what_it_writes(given: Picture, name: str) -> None:
    """Where no client says who it is, by its text; a read by what it reads, whoever sent it.

    A DELETE is a task of its own: it ended the lineage of the INSERT that the same client had run before.
    """
    assert places(given)["query.name"] == name


def test_templates_may_name_all_that_is_known_of_a_query() -> None:
    """What is not known is the empty text."""
    found = places(query(source="loader v1.2", client_tags=["b", "a"], user="etl"))

    assert {name: found[f"query.{name}"] for name in ("client", "source", "tags", "user", "tables")} == {
        "client": "loader/a,b", "source": "loader v1.2", "tags": "a,b", "user": "etl", "tables": "dw.sales",
    }  # fmt: skip
    assert places(query(client_tags="a"))["query.tags"] == "a"
    bare = places(query((), (), sql=None))
    assert {each for name, each in bare.items() if name != "query.name"} == {""}


def test_a_text_is_read_in_the_dialect_of_its_engine() -> None:
    """Presto's is its own."""
    assert places(query(integration="PRESTO"))["query.fingerprint"] == fingerprint(TEXT, "presto")


def test_other_jobs_have_no_such_places() -> None:
    """Whatever their runs say of a context."""
    assert places(query(integration="SPARK", source="loader")) == {}
