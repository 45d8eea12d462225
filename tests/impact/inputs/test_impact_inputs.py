"""Inputs of ``lineage-tt impact`` that hold no task, or are not read: each of them is reported or refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from calling import SALES, impact


def test_linked_folders_are_said(work: Path) -> None:
    """A linked folder in a folder is not followed; its tasks were left out without a word."""
    (work / "jobs").mkdir()
    (work / "jobs" / "sales.sql").write_text(SALES)
    (work / "more").mkdir()
    (work / "more" / "mirror.sql").write_text("SELECT 1 AS a")
    (work / "jobs" / "more").symlink_to(work / "more")

    done = impact(work, "jobs", "--format", "json")
    named = impact(work, "jobs", "jobs/more", "--format", "json")

    assert set(done.tasks) == {"sales"}
    assert "note: 1 linked folder (jobs/more) not followed: give a linked folder by name to read it" in done.err
    assert set(named.tasks) == {"sales", "mirror"}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"jobs/a.hql": SALES, "jobs/b.HQL": SALES, "jobs/m.json": "[]"}, "jobs: 3 files not read (2 .hql, 1 .json)"),
        ({"jobs/.hidden/a.sql": SALES}, "jobs holds no task"),
        ({"jobs": ""}, "jobs is not a task"),
        ({"jobs.json": ""}, "jobs.json holds no task"),
        ({"jobs.json": "[]"}, "jobs.json holds no task"),
        ({"jobs.jsonl": "\n\n"}, "jobs.jsonl holds no task"),
        ({"jobs.json": '{"candidates": []}'}, "jobs.json holds no task"),
        ({"jobs/task.yaml": "tasks: []"}, "jobs holds no task"),
        ({"jobs/task.yaml": "task_id: sales"}, "jobs/task.yaml has no key sql, and its folder holds 0 SQL files"),
        (
            {"jobs/task.yaml": "task_id: sales\nsql: gone.sql"},
            "jobs/task.yaml names jobs/gone.sql, which does not exist",
        ),
        (
            {"jobs/task.yaml": "task_id: sales\nsql: a.hql", "jobs/a.hql": SALES},
            "names jobs/a.hql, which is not a .sql file",
        ),
    ],
)
def test_a_path_without_a_task_is_refused(work: Path, given: dict[str, str], words: str) -> None:
    """Nothing was judged, and the gate passed; the message says what was left out, and what is read."""
    for name, text in given.items():
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_text(text)

    done = impact(work, next(iter(given)).partition("/")[0], "--fail-on", "any")

    assert (done.status, done.out) == (2, "")
    assert words in done.err


def test_a_path_without_a_task_beside_others_is_said(work: Path) -> None:
    """The others are judged; a note names the path, another one what a folder holds that is not read."""
    (work / "jobs").mkdir()
    (work / "jobs" / "sales.sql").write_text(SALES)
    (work / "jobs" / "task.yml").write_text("task_id: sales\nsql: sales.sql\n")
    for name in ("impact.toml", "governance.toml", "readme.md", "old.hql"):
        (work / "jobs" / name).write_text("")
    (work / "none").mkdir()
    given = '[{"task_id": "mirror", "op": "offline"}]'

    done = impact(work, "none", "jobs", "--format", "json")
    piped = impact(work, "none", "-", "--format", "json", stdin=given)

    assert set(done.tasks) == {"sales"}
    assert done.err.splitlines() == [
        "note: jobs: 2 files not read (1 .hql, 1 .md)",
        "note: none holds no task",
    ]
    assert set(piped.tasks) == {"mirror"}
    assert piped.err == "note: none holds no task\n"


def test_unmapped_files_are_no_mistake(work: Path) -> None:
    """A folder of which no path rule matches a file is answered: the report lists the files."""
    (work / "impact.toml").write_text('dialect = "spark"\n[[paths]]\nmatch = "etl/*.sql"\n')
    (work / "z.sql").write_text(SALES)

    done = impact(work, ".")

    assert done.status == 0
    assert "z.sql" in done.out
    assert done.err == ""


@pytest.mark.parametrize(
    ("given", "status", "words"),
    [
        ("", 2, "standard input is empty"),
        (" \n", 2, "standard input is empty"),
        ('["\udcff"]', 2, "standard input is not UTF-8: invalid start byte at byte 2"),
        ("[]", 0, "note: standard input holds no candidate"),
    ],
)
def test_standard_input_without_a_candidate(work: Path, given: str, status: int, words: str) -> None:
    """An empty list is a release of nothing, and said; no text at all is a pipe that broke."""
    done = impact(work, "-", stdin=given)

    assert done.status == status
    assert words in done.err


def test_an_empty_file_cannot_be_judged(work: Path) -> None:
    """A file without text was an additive new task, and passed every gate."""
    (work / "fresh.sql").write_text("")
    (work / "sales.sql").write_text("\n")

    done = impact(work, "fresh.sql", "sales.sql", "--format", "json")

    assert done.status == 1
    assert {class_ for _, class_ in done.tasks.values()} == {"unknown"}
