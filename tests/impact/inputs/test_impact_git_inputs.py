"""``lineage-tt impact --git-base`` with paths and standard input: none of them is dropped without a word."""

from __future__ import annotations

from pathlib import Path

import pytest
from calling import BROKEN, CONTEXT, SALES, git, impact
from releases import TASKS


@pytest.fixture
def branch(work: Path) -> Path:
    """A work tree in which one task of the folder jobs differs from the branch main."""
    git(work, "init", "-q", "-b", "main")
    for name, text in {"jobs/sales.sql": SALES, "jobs/totals.sql": TASKS["totals"], "docs/a.md": "a"}.items():
        (work / name).parent.mkdir(exist_ok=True)
        (work / name).write_text(text + "\n")
    git(work, "add", ".")
    git(work, "commit", "-qm", "all")
    (work / "jobs" / "sales.sql").write_text(BROKEN)
    return work


def test_standard_input_is_judged_with_the_branch(branch: Path) -> None:
    """The tasks of ``-`` were dropped: a breaking one passed the gate."""
    given = '[{"task_id": "mirror", "op": "offline"}]'

    done = impact(branch, "--git-base", "main", "-", "--format", "json", stdin=given)
    alone = impact(branch, "--git-base", "main", "docs", "-", "--format", "json", stdin=given)
    twice = impact(branch, "--git-base", "main", "-", stdin='[{"task_id": "sales", "op": "offline"}]')

    assert done.tasks == {"sales": ("update", "breaking"), "mirror": ("offline", "potentially_breaking")}
    assert set(alone.tasks) == {"mirror"}
    assert (twice.status, "mapped twice: jobs/sales.sql and standard input" in twice.err) == (2, True)


@pytest.mark.parametrize("name", ["nosuchfolder", "JOBS", "jobs/gone.sql"])
def test_a_path_that_never_existed_is_refused(branch: Path, name: str) -> None:
    """No changed file is in it, so that a misspelt name passed every gate."""
    done = impact(branch, "--git-base", "main", "jobs", name, "--fail-on", "any")

    assert (done.status, done.out) == (2, "")
    assert f"there is no file or folder {name}, here or at the base" in done.err


def test_a_path_that_the_branch_removes_is_known(branch: Path) -> None:
    """It existed at the base: what was in it goes offline, also where the file moves to another place."""
    git(branch, "mv", "jobs/totals.sql", "docs/totals.txt")
    git(branch, "rm", "-qf", "jobs/sales.sql")

    removed = impact(branch, "--git-base", "main", "jobs/sales.sql", "--format", "json")
    folder = impact(branch, "--git-base", "main", "jobs", "--format", "json")

    assert removed.tasks == {"sales": ("offline", "breaking")}
    assert set(folder.tasks.items()) == {("sales", ("offline", "breaking")), ("totals", ("offline", "breaking"))}


def test_a_file_that_is_staged_in_another_form_is_said(branch: Path) -> None:
    """What a commit would take broke a reader, and the hook that judges the work tree saw no change at all."""
    git(branch, "add", "jobs/sales.sql")
    (branch / "jobs" / "sales.sql").write_text(SALES + "\n")

    done = impact(branch, "--git-base", "main")
    git(branch, "add", "jobs/sales.sql")
    equal = impact(branch, "--git-base", "main")

    assert "note: judged as in the work tree, and not as staged: jobs/sales.sql" in done.err
    assert "staged" not in equal.err


def test_a_path_without_a_change_is_said(branch: Path) -> None:
    """Nothing changed there is a right answer, and the note says which path it is about."""
    (branch / "new").mkdir()
    done = impact(branch, "--git-base", "main", "docs", "jobs/totals.sql", "new")
    one = impact(branch, "--git-base", "main", "docs", "jobs", "--format", "json")
    none = impact(branch, "--git-base", "main", "--format", "json")

    assert done.status == 0
    assert done.err == "note: no file in docs, jobs/totals.sql, new differs from main\n"
    assert one.err == "note: no file in docs differs from main\n"
    assert (set(none.tasks), none.err) == ({"sales"}, "")


def test_a_change_of_the_configuration_is_in_the_report(branch: Path) -> None:
    """A release that loosens its own policy passed without a word, as did new defaults of all texts."""
    (branch / "impact.toml").write_text(CONTEXT)
    (branch / "functions.toml").write_text("")
    git(branch, "add", ".")
    git(branch, "commit", "-qm", "configured")
    git(branch, "checkout", "-qb", "loose")
    before = impact(branch, "--git-base", "main", "--format", "json")

    (branch / "impact.toml").write_text(f"{CONTEXT}[policy]\nallow_unknown = true\n")
    (branch / "functions.toml").unlink()
    after = impact(branch, "--git-base", "main", "docs", "--format", "json")

    assert before.result["notes"] == []
    assert after.result["notes"] == [
        "impact.toml differs from main: the release is judged by its own policy, and tasks whose files do not change"
        " are not read again",
        "functions.toml differs from main: tasks whose files do not change are not read again",
    ]


def test_changed_files_that_are_not_read_are_said(branch: Path) -> None:
    """A changed .hql file is not a task, and one that git does not track is not a change."""
    (branch / "docs" / "a.md").write_text("b")
    (branch / "jobs" / "c.hql").write_text(SALES)
    (branch / "changed.json").write_text('{"kind": "x"}')
    git(branch, "add", ".")
    (branch / "jobs" / "fresh.sql").write_text(SALES)
    (branch / "jobs" / "notes.txt").write_text("")

    done = impact(branch, "--git-base", "main", "--format", "json")
    inside = impact(branch, "--git-base", "main", "jobs", "--format", "json")

    assert set(done.tasks) == {"sales"}
    assert done.err.splitlines() == [
        "note: changed: 3 files not read (1 .json, 1 .md, 1 .hql)",
        "note: 1 untracked file not judged (jobs/fresh.sql): add them with git",
    ]
    assert "note: changed: 1 file not read (1 .hql)" in inside.err


def test_a_path_above_the_configuration_holds_all_of_it(branch: Path) -> None:
    """``--config sub/impact.toml`` with the root of the repository found no change, as paths are those from sub."""
    (branch / "impact.toml").rename(branch / "jobs" / "impact.toml")
    (branch / "jobs" / "impact.toml").write_text(CONTEXT)
    (branch / "z.sql").write_text(SALES)
    git(branch, "add", ".")

    done = impact(branch, "--config", "jobs/impact.toml", "--git-base", "main", ".", "--format", "json")
    named = impact(branch, "--config", "jobs/impact.toml", "--git-base", "main", "jobs", "--format", "json")

    assert set(done.tasks) == {"sales"}
    assert done.result["unmapped"] == ["../z.sql"]
    assert (set(named.tasks), named.result["unmapped"]) == ({"sales"}, [])
