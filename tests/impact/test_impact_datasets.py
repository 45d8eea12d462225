"""A dataset's own change as a candidate: from a message, a file of messages, or DDL; as the command reports it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from calling import git, impact
from releases import TASKS, platform

from ingest.messages.native import parse_message

#: What the store knows of ods.orders: declared by a dataset message of its source system.
COLUMNS = [
    {"name": "id", "type": "INT"},
    {"name": "amount", "type": "DECIMAL(12,2)"},
    {"name": "email", "type": "STRING"},
    {"name": "status", "type": "STRING"},
]
ORDERS = "hive:ods.orders"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store in which a dataset message declares the source table."""
    folder = tmp_path_factory.mktemp("declared")
    store = platform(folder / "store")
    declared = {"event_id": "d1", **message(COLUMNS), "effective_at": "2024-01-02T00:00:00Z"}
    store.append([parse_message(json.dumps(declared).encode())])
    return folder


def message(columns: list[dict[str, Any]] | None) -> dict[str, Any]:
    """Return a dataset message with these columns, or one that drops them."""
    rest = {"op": "drop"} if columns is None else {"op": "define", "columns": columns}
    return {"kind": "dataset", "dataset": ORDERS, **rest}


def without(name: str) -> list[dict[str, Any]]:
    """Return the columns but one."""
    return [column for column in COLUMNS if column["name"] != name]


def with_(column_name: str, /, **changed: str) -> list[dict[str, Any]]:
    """Return the columns, one of them changed."""
    return [column | (changed if column["name"] == column_name else {}) for column in COLUMNS]


CASES: list[tuple[str, list[dict[str, Any]] | None, str, set[tuple[str, str | None, str]]]] = [
    ("same", COLUMNS, "none", set()),
    ("same type by another name", with_("id", type="integer"), "none", set()),
    ("removed", without("amount"), "breaking", {("stale-reader", "sales", f"{ORDERS}#amount")}),
    ("removed, unread", without("email"), "potentially_breaking", {("unread", None, f"{ORDERS}#email")}),
    (
        "renamed",
        with_("amount", name="total", renamed_from="amount"),
        "breaking",
        {("stale-reader", "sales", f"{ORDERS}#amount")},
    ),
    (
        "precision",
        with_("amount", type="DECIMAL(8,2)"),
        "potentially_breaking",
        {("type-change", "sales", f"{ORDERS}#amount")},
    ),
    ("wider", with_("amount", type="DECIMAL(18,2)"), "additive", set()),
    ("another type", with_("amount", type="STRING"), "breaking", {("type-change", "totals", "hive:dw.sales#amount")}),
    ("added", [*COLUMNS, {"name": "note", "type": "STRING"}], "additive", set()),
    ("dropped", None, "breaking", {("gone-dataset", "sales", ORDERS)}),
]


@pytest.mark.parametrize(("columns", "class_", "found"), [case[1:] for case in CASES], ids=[c[0] for c in CASES])
def test_a_dataset_message_is_a_candidate(
    work: Path, columns: Any, class_: str, found: set[tuple[str, str | None, str]]
) -> None:
    """Columns that its source system adds, removes, renames or retypes are judged as a task's are, reader by reader."""
    done = impact(work, "-", "--format", "json", stdin=json.dumps([message(columns)]))

    assert {class_} == {each for _, each in done.tasks.values()}, done.result["findings"]
    assert set(done.tasks) == {f"dataset:{ORDERS}"}
    findings = {(f["kind"], f["reader"], f["subject"]) for f in done.result["findings"]}
    assert found <= findings if found else findings == set()
    assert done.result["tasks"][0]["kind"] == "dataset"
    assert f"dataset:{ORDERS}" not in {each["task_id"] for each in done.result["backfill"]}


@pytest.mark.parametrize(
    ("ddl", "class_", "subject"),
    [
        ("CREATE TABLE ods.orders (id INT, email STRING, status STRING)", "breaking", f"{ORDERS}#amount"),
        ("ALTER TABLE ods.orders DROP COLUMN amount", "breaking", f"{ORDERS}#amount"),
        ("ALTER TABLE ods.orders RENAME COLUMN status TO state", "breaking", f"{ORDERS}#status"),
        ("ALTER TABLE ods.orders ALTER COLUMN amount TYPE DECIMAL(8,2)", "potentially_breaking", f"{ORDERS}#amount"),
        ("DROP TABLE ods.orders", "breaking", ORDERS),
        ("CREATE TABLE ods.orders (id INT, amount DECIMAL(12,2), email STRING, status STRING)", "none", None),
    ],
    ids=["create", "drop column", "rename", "type", "drop table", "same"],
)
def test_ddl_is_a_candidate(work: Path, ddl: str, class_: str, subject: str | None) -> None:
    """A file of DDL whose task the store never saw changes the dataset that it names."""
    (work / "migration.sql").write_text(ddl)

    done = impact(work, "migration.sql", "--format", "json")

    assert {class_} == {each for _, each in done.tasks.values()}, done.result["findings"]
    assert {subject} - {None} <= {f["subject"] for f in done.result["findings"]}
    assert "two-writers" not in {f["kind"] for f in done.result["findings"]}


def test_files_of_messages_by_path_and_in_a_branch(work: Path) -> None:
    """A .json file of one message, and JSON Lines; in a branch the changed ones, and no other JSON."""
    (work / "orders.json").write_text(json.dumps(message(COLUMNS), indent=1))
    (work / "package.json").write_text('{"name": "x"}')
    git(work, "init", "-q", "-b", "main")
    git(work, "add", ".")
    git(work, "commit", "-qm", "base")
    (work / "orders.json").write_text(json.dumps(message(without("amount")), indent=1))
    (work / "package.json").write_text('{"name": "y"}')
    (work / "lines.jsonl").write_text(json.dumps(message(without("amount"))) + "\n")

    expected = {f"dataset:{ORDERS}": ("update", "breaking")}
    assert impact(work, "orders.json", "--format", "json").tasks == expected
    assert impact(work, "lines.jsonl", "--format", "json").tasks == expected
    branch = impact(work, "--git-base", "main", "--format", "json")
    assert branch.tasks == expected
    assert {f["file"] for f in branch.result["findings"]} == {"orders.json"}


@pytest.mark.parametrize(
    "form",
    [
        lambda declared, task: f"[\n{declared}\n]",
        lambda declared, task: f"[\n{task},\n{declared}\n]",
        lambda declared, task: f"{task}\n{declared}\n",
    ],
    ids=["list", "list after a task", "lines after a task"],
)
def test_messages_of_a_branch_in_any_form(work: Path, form: Callable[[str, str], str]) -> None:
    """A list whose objects begin their lines, and a file in which a task's message comes first, count as well."""
    (work / "changed.json").write_text("[]")
    git(work, "init", "-q", "-b", "main")
    git(work, "add", ".")
    git(work, "commit", "-qm", "base")
    task = {"task_id": "other", "sql": "INSERT OVERWRITE TABLE dw.other SELECT id FROM ods.orders", "dialect": "hive"}
    (work / "changed.json").write_text(form(json.dumps(message(without("amount"))), json.dumps(task)))
    done = impact(work, "--git-base", "main", "--format", "json")

    assert done.tasks[f"dataset:{ORDERS}"] == ("update", "breaking")


def test_a_source_and_its_reader_change_in_one_release(work: Path) -> None:
    """The source renames a column and the one task that reads it follows: nobody breaks."""
    (work / "orders.json").write_text(json.dumps(message(with_("amount", name="total", renamed_from="amount"))))
    (work / "sales.sql").write_text(TASKS["sales"].replace("amount,", "total AS amount,"))

    done = impact(work, "orders.json", "sales.sql", "--format", "json")

    assert done.tasks == {f"dataset:{ORDERS}": ("update", "potentially_breaking"), "sales": ("update", "none")}
    assert [f["reason"] for f in done.result["findings"]] == [
        "amount of hive:ods.orders is renamed to total; what reads it changes with it (sales)"
    ]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"kind": "dataset"}, "a dataset candidate has dataset None"),
        ({"kind": "dataset", "dataset": "orders"}, "has dataset 'orders'"),
        ({"kind": "dataset", "dataset": ORDERS}, "has no columns"),
        ({"kind": "dataset", "dataset": ORDERS, "op": "set"}, "has op 'set'"),
        ({"kind": "dataset", "dataset": ORDERS, "columns": [{"type": "INT"}]}, "has no name"),
        ({"kind": "dataset", "dataset": ORDERS, "columns": [{"name": "a"}, {"name": "A"}]}, "more than once"),
        ({"kind": "fact", "node": ORDERS}, "has kind 'fact'"),
    ],
)
def test_a_wrong_dataset_message_is_refused(work: Path, given: dict[str, Any], words: str) -> None:
    """What is not a dataset message is refused with the field, exit status 2."""
    done = impact(work, "-", stdin=json.dumps([given]))

    assert done.status == 2
    assert words in done.err
