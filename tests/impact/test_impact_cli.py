"""``lineage-tt impact`` as its users call it: where candidates come from, gates, and what is wrong with a call."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from calling import BROKEN, CONTEXT, SALES, Done, git
from calling import impact as here
from calling import spawned as impact
from releases import TASKS, platform, sql_change


def test_files_and_folders(work: Path) -> None:
    """Files are tasks by their names; a folder is gone through, hidden folders in it are not."""
    (work / "jobs" / ".hidden").mkdir(parents=True)
    (work / "jobs" / "sales.sql").write_text(BROKEN)
    (work / "jobs" / ".hidden" / "x.sql").write_text("SELECT")
    (work / "jobs" / "readme.md").write_text("no task")

    assert impact(work, "jobs", "--format", "json").tasks == {"sales": ("update", "breaking")}
    assert impact(work, "jobs/sales.sql", "--format", "json").tasks == {"sales": ("update", "breaking")}


def test_a_json_list_on_standard_input(work: Path) -> None:
    """A platform sends what it is about to save: SQL, edges, or that a task goes."""
    edges = [{"source": "hive:dw.sales#id", "target": "hive:dw.ids#id"}]
    given = [
        {"task_id": "sales", "sql": BROKEN},
        {"task_id": "ids", "edges": edges},
        {"task_id": "mirror", "op": "offline"},
    ]

    done = impact(work, "-", "--format", "json", stdin=json.dumps(given))

    assert done.tasks == {
        "sales": ("update", "breaking"),
        "ids": ("online", "additive"),
        "mirror": ("offline", "potentially_breaking"),
    }


def test_git_finds_what_changed(work: Path) -> None:
    """Edited, new, renamed and deleted files of a branch; what the base moved on meanwhile is not ours."""
    remote = work / "remote.git"
    git(work, "init", "-q", "--bare", str(remote))
    git(work, "init", "-q", "-b", "main")
    (work / ".gitignore").write_text("remote.git\n")
    jobs = work / "jobs"
    jobs.mkdir()
    for name in ("sales", "mirror", "totals"):
        (jobs / f"{name}.sql").write_text(TASKS[name] + "\n" * 3)
    git(work, "add", ".")
    git(work, "commit", "-qm", "all")
    git(work, "remote", "add", "origin", str(remote))
    git(work, "push", "-q", "origin", "main")
    git(work, "switch", "-qc", "mine")
    git(work, "mv", "jobs/mirror.sql", "jobs/copy.sql")
    git(work, "rm", "-q", "jobs/totals.sql")
    (jobs / "sales.sql").write_text(SALES.replace("'paid'", "'open'"))
    (jobs / "fresh.sql").write_text("CREATE TABLE fresh AS SELECT id FROM sales")
    git(work, "add", ".")
    git(work, "commit", "-qm", "mine")
    git(work, "switch", "-q", "main")
    (work / "other.sql").write_text("CREATE TABLE other AS SELECT 1 AS a")
    git(work, "add", ".")
    git(work, "commit", "-qm", "theirs")
    git(work, "push", "-q", "origin", "main")
    git(work, "switch", "-q", "mine")

    done = impact(work, "--git-base", "origin/main", "--format", "json")
    inside = impact(work, "jobs/sales.sql", "--git-base", "origin/main", "--format", "json")

    assert done.tasks == {
        "totals": ("offline", "breaking"),
        "mirror": ("offline", "potentially_breaking"),
        "copy": ("online", "additive"),
        "sales": ("update", "potentially_breaking"),
        "fresh": ("online", "additive"),
    }
    assert set(inside.tasks) == {"sales"}
    assert impact(work, "--git-base", "HEAD", "--format", "json").tasks == {}


def test_a_renamed_file_with_the_same_task_is_that_task(work: Path) -> None:
    """Where ``task.yaml`` says which task a file is, a rename of the file is followed."""
    git(work, "init", "-q", "-b", "main")
    folder = work / "sales"
    folder.mkdir()
    (folder / "task.yaml").write_text("task_id: sales\nsql: query.sql\n")
    (folder / "query.sql").write_text(SALES + "\n")
    git(work, "add", ".")
    git(work, "commit", "-qm", "one")
    git(work, "mv", "sales", "selling")

    assert impact(work, "--git-base", "HEAD", "--format", "json").tasks == {"sales": ("update", "none")}


def test_task_yaml_beside_sql(work: Path) -> None:
    """``task.yaml`` gives a file's task and context; one that names several tasks names their files."""
    folder = work / "jobs"
    folder.mkdir()
    two = [{"task_id": "sales", "sql": "a.sql"}, {"task_id": "board", "sql": "b.sql", "target": "bi:board/42"}]
    (folder / "task.yaml").write_text(json.dumps({"tasks": two}))
    (folder / "a.sql").write_text(SALES)
    (folder / "b.sql").write_text("SELECT status, total AS total FROM totals")

    expected = {"sales": ("update", "none"), "board": ("update", "none")}
    assert impact(work, "jobs", "--format", "json").tasks == expected
    assert impact(work, "jobs/task.yaml", "--format", "json").tasks == expected


def test_paths_of_impact_toml(work: Path) -> None:
    """Patterns map paths to tasks, dialects and targets; with patterns, other files are not tasks."""
    (work / "impact.toml").write_text(
        CONTEXT + '[[paths]]\nmatch = "etl/**/*.sql"\ntask_id = "{parent}"\n'
        '[[paths]]\nmatch = "boards/*.sql"\ntask_id = "{stem}"\ntarget = "bi:{stem}/42"\n'
    )
    for path, text in (("etl/x/sales/query.sql", BROKEN), ("boards/board.sql", "SELECT 1 AS a"), ("z.sql", "SELECT 1")):
        (work / path).parent.mkdir(parents=True, exist_ok=True)
        (work / path).write_text(text)

    found = impact(work, ".", "--format", "json")

    assert set(found.tasks) == {"sales", "board"}
    assert {task["file"] for task in found.result["tasks"]} == {"etl/x/sales/query.sql", "boards/board.sql"}


def test_dbt_models_by_their_manifest(work: Path, place: Path) -> None:
    """A model's file is its unique id and its relation; ``ref`` and ``source`` stand for relations."""
    node = {"resource_type": "model", "database": None, "schema": "dw", "alias": None}
    (work / "target").mkdir()
    manifest = {
        "metadata": {"adapter_type": "spark"},
        "nodes": {
            "model.shop.sales": node | {"unique_id": "model.shop.sales", "name": "sales", "raw_code": "old",
                                        "original_file_path": "models/sales.sql", "compiled_code": "SELECT broken"},
            "model.shop.mirror": node | {"unique_id": "mirror", "name": "mirror", "compiled_code": "SELECT * FROM x",
                                         "raw_code": "c", "original_file_path": "models/mirror.sql"},
        },
        "sources": {"source.shop.ods.orders": {"resource_type": "source", "source_name": "raw", "name": "orders",
                                               "schema": "ods", "identifier": "orders"}},
    }  # fmt: skip
    (work / "target" / "manifest.json").write_text(json.dumps(manifest))
    (work / "impact.toml").write_text('[dbt]\nnamespace = "hive"\n')
    (work / "models").mkdir()
    (work / "models" / "sales.sql").write_text(
        "{{ config(materialized='table') }}\nselect o.id, s.status from {{ source('raw', 'orders') }} o"
        " join {{ ref('mirror') }} s on o.id = s.id"
    )
    (work / "models" / "mirror.sql").write_text("c")

    done = impact(work, "models", "--format", "json")
    edges = {
        (edge["source"], edge["target"])
        for task in done.result["tasks"] if task["task_id"] == "model.shop.sales" for edge in task["edges"]
    }  # fmt: skip

    assert set(done.tasks) == {"model.shop.sales", "mirror"}
    assert ("hive:ods.orders#id", "hive:dw.sales#id") in edges
    assert ("hive:dw.mirror#status", "hive:dw.sales#status") in edges


def test_the_models_that_use_a_macro_are_named_where_it_changes(work: Path) -> None:
    """Over other macros, too; the macro's file is a change whose effect nobody sees in the models' own texts."""
    node = {"resource_type": "model", "schema": "dw", "raw_code": "x"}
    macro = {"original_file_path": "macros/net.sql", "depends_on": {"macros": ["macro.net"]}}
    models = {name: node | {"name": name, "original_file_path": f"models/{name}.sql", "depends_on": {"macros": [used]}}
              for name, used in (("near", "macro.net"), ("far", "macro.over"), ("none", "macro.other"))}  # fmt: skip
    over = {"original_file_path": "macros/over.sql", "depends_on": {"macros": ["macro.net"]}}
    manifest = {"metadata": {"adapter_type": "spark"}, "nodes": models, "sources": {},
                "macros": {"macro.over": over, "macro.net": macro, "macro.other": {}}}  # fmt: skip
    (work / "manifest.json").write_text(json.dumps(manifest))
    (work / "impact.toml").write_text(CONTEXT + '[dbt]\nmanifest = "manifest.json"\n')
    (work / "macros").mkdir()
    (work / "macros" / "net.sql").write_text("{% macro net(c) %} coalesce({{ c }}, 0) {% endmacro %}")
    git(work, "init", "-q", "-b", "main")
    git(work, "add", ".")
    git(work, "commit", "-qm", "one")
    (work / "macros" / "net.sql").write_text("{% macro net(c) %} coalesce({{ c }}, 1) {% endmacro %}")

    done = impact(work, "--git-base", "HEAD", "--format", "json")

    assert done.tasks == {"net": ("update", "unknown")}
    assert "so they are not judged: far, near" in done.err


@pytest.mark.parametrize(
    ("sql", "gates", "status"),
    [
        (BROKEN, [], 0),
        (BROKEN, ["none"], 0),
        (BROKEN, ["breaking"], 1),
        (BROKEN, ["potentially_breaking"], 1),
        (BROKEN, ["labels", "unknown"], 0),
        (SALES.replace("paid", "open"), ["breaking"], 0),
        (SALES.replace("paid", "open"), ["labels", "potentially_breaking"], 1),
        (SALES.replace("paid", "open"), ["any"], 1),
        (SALES + " -- hi", ["any"], 0),
        ("SELEC", [], 1),
        ("SELEC", ["none"], 1),
        ("SELEC", ["breaking"], 1),
        ("SELEC", ["unknown"], 1),
    ],
)
def test_gates(work: Path, sql: str, gates: list[str], status: int) -> None:
    """The exit status is 1 where a gate trips, and 0 where none does."""
    (work / "sales.sql").write_text(sql)

    done = here(work, "sales.sql", *[word for gate in gates for word in ("--fail-on", gate)])

    assert done.status == status, done
    assert ("gate: FAILED" in done.out) == bool(status)


def test_a_policy_protects_asks_and_allows(work: Path) -> None:
    """Protected datasets trip, owners must approve, and an allowance holds until its last day."""
    policy = '[policy]\nfail_on = ["breaking"]\nprotected = ["bi:*"]\n'
    ask = '[[policy.approve]]\nowner = "ana"\ndatasets = ["bi:board/*"]\n'
    allow = '[[policy.allow]]\nreason = "known"\nuntil = {}\ntask = "sales"\n'
    (work / "sales.sql").write_text(BROKEN)

    def judged(text: str, *args: str) -> Done:
        (work / "impact.toml").write_text(CONTEXT + text)
        return here(work, "sales.sql", *args)

    protected = judged(policy)
    asked = judged("[policy]\n" + ask)
    approved = judged("[policy]\n" + ask, "--approved-by", "ana")
    allowed = judged('[policy]\nfail_on = ["breaking"]\n' + allow.format("2999-01-01"))
    expired = judged('[policy]\nfail_on = ["breaking"]\n' + allow.format("2020-01-01"))

    assert protected.status == 1
    assert "protected: bi:board/42 is touched" in protected.out
    assert asked.status == 1
    assert "ana must approve (bi:board/42)" in asked.out
    assert approved.status == 0
    assert allowed.status == 0
    assert "[allowed: known (until 2999-01-01)]" in allowed.out
    assert expired.status == 1
    assert "the allowance 'known' ended on 2020-01-01" in expired.out


def test_files_and_step_outputs_are_written(work: Path) -> None:
    """``--write`` writes further forms; GitHub's summary and outputs are filled where they exist."""
    (work / "sales.sql").write_text(BROKEN)
    summary, outputs = work / "summary", work / "outputs"
    summary.write_text("before\n")

    done = impact(work, "sales.sql", "--write", "sarif=o.sarif", "--write", "html=o.html",
                  GITHUB_STEP_SUMMARY=str(summary), GITHUB_OUTPUT=str(outputs))  # fmt: skip

    assert done.status == 0
    assert json.loads((work / "o.sarif").read_text())["version"] == "2.1.0"
    assert "<h1" in (work / "o.html").read_text()
    assert summary.read_text().startswith("before\n<!-- lineage-tt-impact -->")
    assert {"verdict=breaking", "passed=true", "breaking=1"} <= set(outputs.read_text().splitlines())


def test_after_the_deployment_the_prediction_is_verified(tmp_path: Path) -> None:
    """What was predicted is compared with what the message did: as predicted, different, or not there yet."""
    from ingest.resolve.resolver import SqlResolver

    store = platform(tmp_path / "store")
    work = tmp_path / "work"
    work.mkdir()
    (work / "impact.toml").write_text(CONTEXT)
    (work / "sales.sql").write_text(BROKEN)
    (work / "report.json").write_text(impact(work, "sales.sql", "--format", "json").out)

    early = impact(work, "--verify", "report.json")
    with SqlResolver(1) as resolver:
        now = "2026-01-01T00:00:00Z"
        store.append([sql_change("sales", BROKEN, now, op="update", event="2")], resolver=resolver)
    same = impact(work, "--verify", "report.json")
    (work / "sales.sql").write_text(SALES)
    (work / "other.json").write_text(impact(work, "sales.sql", "--version", "5", "--format", "json").out)
    differs = impact(work, "--verify", "other.json")

    assert (early.status, early.out.strip()) == (1, "sales: not deployed")
    assert same.status == 0
    assert "sales: as predicted (version" in same.out
    assert differs.status == 1
    assert "not predicted: - hive:ods.orders#amount → hive:dw.sales#amount" in differs.out


@pytest.mark.slow
def test_five_thousand_files_are_answered(work: Path) -> None:
    """A release of 5,000 changed files is assessed whole, and its comment still fits."""
    (work / "jobs").mkdir()
    for number in range(5_000):
        (work / "jobs" / f"t{number}.sql").write_text(f"CREATE TABLE t{number} AS SELECT id, amount FROM sales")

    done = impact(work, "jobs", "--format", "markdown", "--write", "json=o.json")

    assert done.status == 0, done.err
    assert json.loads((work / "o.json").read_text())["result"]["counts"]["additive"] == 5_000
    assert len(done.out.encode()) < 65_536
    assert "more tasks" in done.out
