"""What ``task.yaml`` and front matter say of a task: what is misspelt or has no effect is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from calling import BROKEN, SALES, git, impact


@pytest.mark.parametrize(
    ("front", "words"),
    [
        ("task-id: sales", "x.sql: unknown key 'task-id'; did you mean task_id?"),
        ("opps: offline", "x.sql: unknown key 'opps'"),
        ("task_id: sales\nop: offline", "x.sql: unknown key 'op'"),
        ("task_id: sales\nsql: y.sql", "x.sql: unknown key 'sql'"),
        ("task_id: 7", "x.sql: task_id is not text"),
        ("task_id: sales\n1: x\na: b", "x.sql: unknown key '1'"),
        ("task_id: sales\nparams: x", "x.sql: params is not a mapping"),
    ],
)
def test_front_matter_with_an_unknown_key_is_refused(work: Path, front: str, words: str) -> None:
    """It was ignored: the file was judged as a new task of its own name, which breaks nothing."""
    (work / "x.sql").write_text(f"---\n{front}\n---\n{BROKEN}")

    done = impact(work, "x.sql", "--fail-on", "any")

    assert (done.status, done.out) == (2, "")
    assert words in done.err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("dialect: hive\ntasks:\n- task_id: sales\n  sql: a.sql", "the key 'dialect' beside tasks has no effect"),
        ("op: offline\ntasks:\n- task_id: sales\n  sql: SELECT 1 AS a", "the key 'op' beside tasks has no effect"),
        ("tasks: {sales: a.sql}", "tasks is not a list"),
        ("tasks:", "tasks is not a list"),
        ("task-id: sales\nsql: a.sql", "unknown key 'task-id'; did you mean task_id?"),
        ("task_id: ''\nsql: a.sql", "has no task_id"),
        ("task_id: sales\nsql: [a.sql]", "sql is not text"),
        ("task_id: sales\nsql: a.sql\nowners: {ana: 1}", "owners is not a list of texts"),
        ("task_id: sales\nsql: sub/b.sql", "sub/b.sql is not beside it"),
        ("tasks:\n- {task_id: sales, sql: a.sql}\n- {task_id: totals, sql: a.sql}", "two tasks have sql: a.sql"),
    ],
)
def test_a_task_yaml_with_what_has_no_effect_is_refused(work: Path, text: str, words: str) -> None:
    """Keys beside ``tasks``, misspelt ones, and a second task of one file were dropped, and the gate passed."""
    (work / "jobs" / "sub").mkdir(parents=True)
    (work / "jobs" / "task.yaml").write_text(text)
    (work / "jobs" / "a.sql").write_text(SALES)
    (work / "jobs" / "sub" / "b.sql").write_text(SALES)

    done = impact(work, "jobs", "--fail-on", "any")

    assert (done.status, done.out) == (2, "")
    assert words in done.err


def test_front_matter_beside_a_task_yaml(work: Path) -> None:
    """It was ignored where ``task.yaml`` describes the file: it adds to that, and may not contradict it."""
    (work / "task.yaml").write_text("task_id: board\nsql: a.sql\n")
    (work / "a.sql").write_text("---\ntarget: bi:board/42\n---\nSELECT 1 AS a")

    added = impact(work, "a.sql", "--format", "json")
    (work / "a.sql").write_text("---\ntask_id: sales\n---\nSELECT 1 AS a")
    differ = impact(work, "a.sql")

    assert added.result["tasks"][0]["writes"] == ["bi:board/42"]
    assert (differ.status, differ.out) == (2, "")
    assert "a.sql: its front matter and task.yaml beside it differ in task_id" in differ.err


def test_owners_of_a_task_are_those_of_its_findings(work: Path) -> None:
    """``owners`` in ``task.yaml`` and in front matter had no effect; impact.toml names owners, too."""
    (work / "impact.toml").write_text((work / "impact.toml").read_text() + '[owners]\n"task:sales" = ["mei"]\n')
    (work / "task.yaml").write_text("task_id: sales\nsql: a.sql\nowners: [ana, mei]\n")
    (work / "a.sql").write_text(SALES.replace("'paid'", "'open'"))
    (work / "mirror.sql").write_text("---\nowners: bo\n---\nCREATE TABLE mirror AS SELECT id FROM sales")
    (work / "task.yml").write_text("task_id: deep\nsql: CREATE TABLE deep AS SELECT * FROM none.such\nowners: [li]\n")

    done = impact(work, ".", "--format", "json")
    owners = {each["task"]: each["owners"] for each in done.result["findings"] if each["reader"] is None}

    assert owners == {"sales": ["mei", "ana"], "mirror": ["bo"], "deep": ["li"]}


def test_a_wrong_file_at_the_base_can_be_repaired(work: Path) -> None:
    """Nobody can edit the base: unknown keys there are ignored, so that a removed task is still found."""
    git(work, "init", "-q", "-b", "main")
    (work / "sales.sql").write_text(f"---\nnote: x\n---\n{SALES}")
    (work / "totals.sql").write_text(f"---\ntask_id: totals\nnote: x\n---\n{SALES}")
    (work / "jobs").mkdir()
    (work / "jobs" / "task.yaml").write_text("sql: a.sql\n")
    (work / "jobs" / "a.sql").write_text(SALES)
    git(work, "add", ".")
    git(work, "commit", "-qm", "all")
    (work / "sales.sql").write_text(SALES)
    git(work, "rm", "-q", "totals.sql")
    (work / "jobs" / "task.yaml").write_text("sql: a.sql\ntask_id: mirror\n")
    (work / "jobs" / "a.sql").write_text("CREATE TABLE mirror AS SELECT * FROM sales")

    done = impact(work, "--git-base", "main", "--format", "json")

    assert done.tasks == {"sales": ("update", "none"), "totals": ("offline", "breaking"), "mirror": ("update", "none")}
