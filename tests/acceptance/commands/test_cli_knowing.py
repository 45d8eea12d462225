"""``columns``, ``facts`` and ``re-extract``: what is known of nodes, and history parsed again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commandline import call

COLUMNS = [{"name": "id", "type": "BIGINT"}, {"name": "email", "type": "STRING", "labels": ["pii"]}]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a declared dataset and a task that reads it through a star."""
    folder = tmp_path_factory.mktemp("knowing")
    at = "2026-01-01T00:00:00Z"
    said = [
        {
            "kind": "dataset", "event_id": "d", "dataset": "hive:d.a", "op": "define", "effective_at": at,
            "columns": COLUMNS,
        },
        {
            "event_id": "e", "task_id": "t", "op": "online", "effective_at": at, "dialect": "hive", "namespace": "hive",
            "sql": "CREATE TABLE d.b AS SELECT * FROM d.a",
        },
    ]  # fmt: skip
    (folder / "m.jsonl").write_text("\n".join(map(json.dumps, said)))
    assert call("ingest", folder / "m.jsonl", "--no-progress", store=folder / "s").status == 0
    return folder / "s"


def test_columns_lists_declared_and_written_columns(store: Path) -> None:
    """Declared columns have types and ids; where nobody declares, those that a statement wrote stand."""
    found = call("columns", "--format", "json", store=store).result

    assert [(c["dataset"], c["column"], c["type"], c["field_id"], c["origin"]) for c in found] == [
        ("hive:d.a", "id", "BIGINT", 1, "declared"),
        ("hive:d.a", "email", "STRING", 2, "declared"),
        ("hive:d.b", "id", None, None, "written"),
        ("hive:d.b", "email", None, None, "written"),
    ]
    assert "email" in call("columns", "hive:d.a", store=store).out


def test_an_unknown_dataset_is_answered_with_names_like_it(store: Path) -> None:
    """A dataset of which no columns are known is a wrong call, with the nearest names."""
    said = call("columns", "hive:d.aa", store=store)

    assert said.status == 2
    assert "hive:d.a" in said.err


def test_columns_that_nobody_declares_are_listed_as_inferred(tmp_path: Path) -> None:
    """What statements name is marked so; a dataset known only as a whole has none, and is not an unknown node."""
    said = {
        "event_id": "e", "task_id": "t", "op": "online", "effective_at": "2026-01-01T00:00:00Z", "dialect": "hive",
        "namespace": "hive", "sql": "INSERT INTO d.b SELECT x AS y, count(*) AS n FROM d.a JOIN d.c GROUP BY x",
    }  # fmt: skip
    (tmp_path / "m.jsonl").write_text(json.dumps(said))
    assert call("ingest", tmp_path / "m.jsonl", "--no-progress", store=tmp_path / "s").status == 0
    found = call("columns", "--format", "json", "hive:d.b", store=tmp_path / "s").result

    assert [(c["column"], c["ordinal"], c["origin"]) for c in found] == [("y", 1, "inferred"), ("n", 2, "inferred")]
    assert call("columns", "--format", "json", "hive:d.c", store=tmp_path / "s").result == []
    assert call("columns", "hive:d.none", store=tmp_path / "s").status == 2


def test_facts_are_listed_by_node_and_key(store: Path) -> None:
    """A key narrows the list to facts of one kind."""
    found = call("facts", "--key", "label", "--format", "json", store=store).result

    assert [(f["node"], f["value"]) for f in found] == [("hive:d.a#email", "pii")]
    assert "pii" in call("facts", "hive:d.a#email", store=store).out


def test_re_extract_says_what_it_looked_at(store: Path) -> None:
    """Parsed again by the same parser, nothing differs."""
    found = call("re-extract", "--all", "--dry-run", "--format", "json", store=store).result

    assert (found["statements"], found["corrections"], found["dry_run"]) == (1, 0, True)


def test_re_extract_of_an_unknown_task_is_a_wrong_call(store: Path) -> None:
    """A task that never sent a message cannot be parsed again."""
    assert call("re-extract", "--task", "nobody", store=store).status == 2
