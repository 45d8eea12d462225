"""The gate never calls the unknown safe: what cannot be read or judged trips it, unless somebody lets it pass."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from calling import CONTEXT, SALES, git, impact, spawned
from sqlglot.dialects.dialect import Dialects

from ingest.sql.dialects.names import PARSED, is_known, nearest


@pytest.mark.parametrize("name", ["sales", "brand_new"], ids=["known", "new"])
@pytest.mark.parametrize(
    "text", ["SELECT a FROM (", "CREATE TABLE x AS SELECT 1 FROM WHERE", "CALL refresh()"], ids="abc"
)
def test_a_text_that_cannot_be_read_is_unknown_and_trips(work: Path, name: str, text: str) -> None:
    """Whether the task is known or new: the class is unknown, the exit status 1, and the file is named."""
    (work / f"{name}.sql").write_text(text)

    done = impact(work, f"{name}.sql", "--format", "json")

    assert done.status == 1
    assert {name} == set(done.tasks)
    assert done.tasks[name][1] == "unknown"
    assert done.result["gate"]["passed"] is False
    assert [(f["kind"], f["file"]) for f in done.result["findings"]] == [("unreadable", f"{name}.sql")]


@pytest.mark.parametrize("name", ["sales", "brand_new"], ids=["known", "new"])
def test_an_unknown_dialect_of_one_candidate_is_unknown(work: Path, name: str) -> None:
    """A platform that sends a dialect nobody knows gets unknown, and the name that it may have meant."""
    given = [{"task_id": name, "sql": SALES, "dialect": "sprak"}]

    done = impact(work, "-", "--format", "json", stdin=json.dumps(given))

    assert done.status == 1
    assert done.tasks[name][1] == "unknown"
    assert "did you mean spark?" in done.result["findings"][0]["reason"]


@pytest.mark.parametrize(
    ("args", "policy", "status"),
    [
        ([], "", 1),
        (["--fail-on", "none"], "", 1),
        (["--fail-on", "breaking"], "", 1),
        (["--allow", "unknown"], "", 0),
        (["--allow", "unknown", "--fail-on", "breaking"], "", 0),
        ([], "[policy]\nallow_unknown = true\n", 0),
        ([], '[policy]\nallow_unknown = true\nfail_on = ["breaking"]\n', 0),
        (["--fail-on", "unknown"], "[policy]\nallow_unknown = true\n", 1),
        (["--allow", "unknown", "--fail-on", "unknown"], "", 2),
        (["--allow", "breaking"], "", 2),
    ],
)
def test_unknown_passes_only_where_it_is_allowed(work: Path, args: list[str], policy: str, status: int) -> None:
    """``--allow unknown`` or ``allow_unknown`` of the policy let it pass; the report says unknown all the same."""
    (work / "impact.toml").write_text(CONTEXT + policy)
    (work / "sales.sql").write_text("SELECT a FROM (")

    done = impact(work, "sales.sql", *args)

    assert done.status == status, done
    assert ("UNKNOWN" in done.out) == (status < 2)
    assert ("gate: FAILED" in done.out) == (status == 1)


@pytest.mark.parametrize(
    ("config", "args", "words"),
    [
        ('dialect = "sprak"\n', [], "impact.toml: dialect: there is no dialect 'sprak'"),
        (
            CONTEXT + '[[paths]]\nmatch = "*.sql"\ndialect = "Sprak"\n',
            [],
            "impact.toml: paths.0.dialect: there is no dialect 'Sprak'",
        ),
        ('[dbt]\ndialect = "sprak"\n', [], "impact.toml: dbt.dialect: there is no dialect 'sprak'"),
        (CONTEXT, ["--dialect", "sprak"], "--dialect: there is no dialect 'sprak'"),
    ],
    ids=["top", "paths", "dbt", "option"],
)
def test_an_unknown_dialect_of_the_configuration_is_refused(
    work: Path, config: str, args: list[str], words: str
) -> None:
    """A dialect that is set for many files and that nobody knows is exit status 2, with the nearest name."""
    (work / "impact.toml").write_text(config)
    (work / "sales.sql").write_text(SALES)

    done = impact(work, "sales.sql", *args)

    assert done.status == 2, done
    assert words in done.err
    assert "did you mean spark?" in done.err


def test_the_names_of_dialects_are_those_of_the_parser() -> None:
    """The list that is kept beside the parser holds what the parser reads, no more and no less."""
    assert {each.value for each in Dialects if each.value} == set(PARSED)
    assert [is_known("Spark"), is_known("postgresql"), is_known("sprak")] == [True, True, False]
    assert (nearest("bigquerry"), nearest("qqqq")) == ("bigquery", None)


def branch(work: Path, files: dict[str, str], changed: dict[str, str | None]) -> None:
    """Commit files, then leave them changed (None: deleted) in the work tree."""
    git(work, "init", "-q", "-b", "main")
    _write(work, files)
    git(work, "add", ".")
    git(work, "commit", "-qm", "base")
    _write(work, changed)
    git(work, "add", "-A")


def _write(work: Path, files: Mapping[str, str | None]) -> None:
    for name, text in files.items():
        path = work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            path.unlink()
        else:
            path.write_text(text)


STRANGE = "CREATE TABLE odd AS SELECT id, amount FROM sales WHERE amount > 1"


@pytest.mark.parametrize(
    ("text", "class_"),
    [
        (STRANGE + " -- hi", "none"),
        (STRANGE.replace("> 1", "> 2"), "potentially_breaking"),
        (STRANGE.replace("id, ", ""), "potentially_breaking"),
        (STRANGE.replace("amount FROM", "amount, status FROM"), "additive"),
        (STRANGE.replace("amount FROM", "amont FROM"), "breaking"),
        ("CREATE TABLE odd AS SELECT (", "unknown"),
    ],
)
def test_a_changed_file_whose_task_the_store_never_saw(work: Path, text: str, class_: str) -> None:
    """It is compared with its own text at the base revision, and every form says that the store does not know it."""
    branch(work, {"odd.sql": STRANGE, "seen.sql": SALES}, {"odd.sql": text, "fresh.sql": "SELECT 1 AS a"})

    done = impact(work, "--git-base", "main", "--format", "json", "--write", "text=t", "--write", "markdown=m")

    assert done.tasks == {"odd": ("update", class_), "fresh": ("online", "additive")}
    assert {task["task_id"]: task["known"] for task in done.result["tasks"]} == {"odd": False, "fresh": True}
    assert done.result["counts"]["unknown_to_store"] == 1
    odd = next(task for task in done.result["tasks"] if task["task_id"] == "odd")
    assert any(reason.startswith("changed, unknown to the store") for reason in odd["reasons"])
    assert "1 changed, unknown to the store" in (work / "t").read_text()
    assert "1 changed, unknown to the store" in (work / "m").read_text()


def test_a_deleted_file_whose_task_the_store_never_saw(work: Path) -> None:
    """What its text at the base revision wrote is written by nobody any more: a reader that the store knows breaks."""
    text = "CREATE TABLE sources.late AS SELECT 1 AS a"
    branch(work, {"late.sql": text, "board.sql": "SELECT 1 AS a"}, {"late.sql": None})

    done = impact(work, "--git-base", "main", "--format", "json")

    assert done.tasks == {"late": ("offline", "potentially_breaking")}
    assert [(f["kind"], f["subject"]) for f in done.result["findings"]] == [("unread", "hive:sources.late")]
    assert done.result["tasks"][0]["known"] is False


def test_a_task_that_the_store_knows_is_compared_with_the_store(work: Path) -> None:
    """The text at the base revision counts only where the store never saw the task."""
    branch(work, {"sales.sql": SALES.replace("paid", "open")}, {"sales.sql": SALES})

    done = impact(work, "--git-base", "main", "--format", "json")

    assert done.tasks == {"sales": ("update", "none")}
    assert done.result["tasks"][0]["known"] is True


def test_changed_sql_files_that_no_rule_matches_are_listed_and_counted(work: Path) -> None:
    """Edited, new and deleted ones, in a branch as in a folder; in text, JSON, Markdown and the step's outputs."""
    rules = CONTEXT + '[[paths]]\nmatch = "jobs/*.sql"\n'
    files = {"impact.toml": rules, "jobs/sales.sql": SALES, "old/a.sql": "SELECT 1", "old/b.SQL": "SELECT 2"}
    changed = {"jobs/sales.sql": SALES + " ", "old/a.sql": "SELECT 3", "old/b.SQL": None, "n.sql": "SELECT", "r.md": ""}
    branch(work, files, changed)

    done = spawned(work, "--git-base", "main", "--format", "json", "--write", "text=t", "--write", "markdown=m",
                  "--write", "html=h", GITHUB_OUTPUT=str(work / "o"))  # fmt: skip
    folder = impact(work, ".", "--format", "json")

    assert done.result["unmapped"] == ["n.sql", "old/a.sql", "old/b.SQL"]
    assert done.result["counts"]["unmapped"] == 3
    assert set(done.tasks) == {"sales"}
    for page in ("t", "m", "h"):
        assert "3 changed .sql files match no path rule" in (work / page).read_text()
        assert "old/b.SQL" in (work / page).read_text()
    assert "unmapped=3" in (work / "o").read_text().splitlines()
    assert folder.result["unmapped"] == ["n.sql", "old/a.sql"]


MISSING = [
    ({"task_id": "saels", "op": "offline"}, "saels", "saels goes offline, but the store does not know it", "sales"),
    (
        {"kind": "dataset", "dataset": "hive:ods.ordesr", "op": "drop"},
        "dataset:hive:ods.ordesr",
        "hive:ods.ordesr is dropped, but the store does not know it",
        "hive:ods.orders",
    ),
    ({"task_id": "zzz", "op": "offline"}, "zzz", "zzz goes offline, but the store does not know it", None),
]


@pytest.mark.parametrize(("given", "task", "words", "near"), MISSING, ids=["task", "dataset", "nothing near"])
def test_the_end_of_what_the_store_does_not_know_is_unknown(
    work: Path, given: Mapping[str, str], task: str, words: str, near: str | None
) -> None:
    """A misspelled id passed the gate as known and without readers, and so hid what the real task breaks."""
    done = impact(work, "-", "--format", "json", stdin=json.dumps([given]))

    assert done.status == 1
    assert done.tasks == {task: ("offline", "unknown")}
    assert [each["known"] for each in done.result["tasks"]] == [False]
    assert done.result["counts"]["unknown_to_store"] == 1
    reason = words + (f"; did you mean {near}?" if near else "")
    assert [(f["kind"], f["class"], f["reason"]) for f in done.result["findings"]] == [
        ("unknown-effect", "unknown", reason)
    ]
    assert impact(work, "-", "--allow", "unknown", stdin=json.dumps([given])).status == 0


def test_the_end_of_a_known_task_or_dataset_is_judged_as_before(work: Path) -> None:
    """A dataset counts as known if a task only writes it, without a declaration."""
    given = [{"task_id": "board", "op": "offline"}, {"kind": "dataset", "dataset": "hive:dw.totals", "op": "drop"}]

    done = impact(work, "-", "--format", "json", stdin=json.dumps(given))

    assert {each["known"] for each in done.result["tasks"]} == {True}
    assert "unknown" not in {class_ for _, class_ in done.tasks.values()}


def test_a_removed_task_of_task_yaml_is_compared_with_its_text(work: Path) -> None:
    """A task whose SQL was in ``task.yaml`` and that the store never saw still has its text at the base revision."""
    git(work, "init", "-q", "-b", "main")
    (work / "task.yaml").write_text("task_id: never_seen\nsql: CREATE TABLE n AS SELECT id FROM sales\n")
    git(work, "add", ".")
    git(work, "commit", "-qm", "one")
    (work / "task.yaml").unlink()

    done = impact(work, "--git-base", "HEAD", "--format", "json")

    assert done.tasks == {"never_seen": ("offline", "potentially_breaking")}
    assert done.result["counts"]["unknown_to_store"] == 1
