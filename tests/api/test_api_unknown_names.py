"""Filters by a name that nothing has: the answer is empty, and says that the name is not known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from services import Served, problem, serving

from lineage_tt import Store
from lineage_tt.curation.statements import annotate
from lineage_tt.testing import task_change

AT = "2024-01-01T00:00:00Z"


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service with a task whose text is kept, and grants on a table and on its column."""
    folder = tmp_path_factory.mktemp("unknown") / "store"
    store = Store.create(folder)
    task = task_change("load", "online", AT, [("hive:ods.a#x", "hive:dw.b#x"), ("hive:ods.a#y", "hive:dw.b#y")])
    task.sql, task.dialect = "INSERT INTO dw.b SELECT x, y FROM ods.a", "spark"
    store.append([task])
    for node, principal in (("hive:dw.b#x", "ana"), ("hive:dw.b#y", "ana"), ("hive:dw.b", "marketing")):
        annotate(store, node, f"grant:{principal}", ["read"], at=AT)
    with serving(folder, "--workers", "1") as served:
        yield served


@pytest.mark.parametrize(
    ("path", "asked", "notes"),
    [
        ("permissions", {"node": "hive:dw.bb"}, ["nothing names hive:dw.bb so far; did you mean hive:dw.b?"]),
        ("permissions", {"principal": "marketng"},
         ["no grant at this point names the principal 'marketng'; did you mean marketing?"]),
        ("permissions", {"sources_of": "hive:dw.b", "principal": "marketng"},
         ["no grant at this point names the principal 'marketng'; did you mean marketing?"]),
        ("permissions", {"node": "hive:dw.b"},
         ["2 grants are on columns of 'hive:dw.b', and not listed: ask for a column, or for all"]),
        ("permissions", {"node": "hive:dw.b#x"},
         ["1 grant is on 'hive:dw.b', and not listed: a grant on a dataset also applies to its columns"]),
        ("permissions", {"sources_of": "hive:dw.b", "principal": "ana", "node": "hive:ods.a"},
         ["node has no effect with sources_of: all sources that the principal may not read are listed"]),
        ("permissions", {"principal": "ana"}, None),
        ("assets", {"type": "tabel"}, ["there is no type 'tabel' here; did you mean table?"]),
        ("assets", {"type": "Table"}, ["there is no type 'Table' here; did you mean table?"]),
        ("assets", {"type": "dashboard"}, None),
        ("heat", {"node": "hive:dw.b#x"}, ["'hive:dw.b#x' is a column, and tables are ranked: give level=column"]),
        ("heat", {"node": "hive:dw.b", "level": "column"},
         ["'hive:dw.b' is a table, and columns are ranked: give level=table"]),
        ("heat", {"node": "hive:dw.b"}, []),
        ("heat", {"node": "hive:dw.bb", "since": AT}, ["nothing names hive:dw.bb so far; did you mean hive:dw.b?"]),
        ("sql", {"task": "load", "at": "2024-02-01T00:00:00Z", "source": "hive:ods.aa"},
         ["the task has no edge from 'hive:ods.aa' at 2024-02-01T00:00:00Z: no place is searched for"]),
        ("sql", {"task": "load", "source": "hive:ods.a", "target": "hive:dw.b"}, None),
        ("datasets", {"under": "hvie:"}, ["no dataset here begins with 'hvie:': begin without under"]),
        ("datasets", {"under": "hive:"}, None),
        ("datasets", {}, None),
        ("edges", {"node": "hive:dw.bb"}, ["nothing names hive:dw.bb so far; did you mean hive:dw.b?"]),
        ("aliases", {"node": "hive:dw.bb"}, ["nothing names hive:dw.bb so far; did you mean hive:dw.b?"]),
        ("aliases", {"node": "hive:dw.b"}, None),
    ],
)  # fmt: skip
def test_an_empty_answer_says_that_a_name_is_not_known(
    known: Served, path: str, asked: dict[str, Any], notes: list[str] | None
) -> None:
    """It looked as if there were none of what was asked for, where only the name was wrong."""
    answer = known.get(f"/v1/{path}", params=asked)

    assert answer.status_code == 200, answer.text
    assert answer.json().get("notes") == notes


def test_a_cursor_of_other_entries_is_refused(known: Served) -> None:
    """It gave an empty page, or one in the middle, as if these were the entries after it."""
    first = known.get("/v1/datasets", params={"under": "hive:", "limit": 1}).json()
    asked = {"under": "hive:", "cursor": first["next_cursor"]}

    assert [each["under"] for each in known.get("/v1/datasets", params=asked).json()["result"]["entries"]] == [
        "hive:ods."
    ]
    problem(known.get("/v1/datasets", params=asked | {"under": "hive:ods."}), 409, "other-question")


@pytest.mark.parametrize("path", ["permissions", "edges", "aliases"])
def test_what_is_said_of_an_unknown_name_is_not_kept(known: Served, path: str) -> None:
    """A fixed point has one answer for ever, but a later message may name what is not known yet."""
    asked = {"valid_at": AT, "version": 1}
    unknown, plain = (known.get(f"/v1/{path}", params=asked | {"node": node}) for node in ("hive:no", "hive:dw.b"))

    assert unknown.json()["notes"] == ["nothing names hive:no so far"]
    assert unknown.headers["cache-control"].endswith("no-cache")
    assert "immutable" in plain.headers["cache-control"]
