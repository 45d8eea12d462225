"""Tasks whose text is a bare SELECT, and files that share no name with the store: neither passes for harmless."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from calling import CONTEXT, git, impact
from releases import BOARD, assessed, candidate, platform, sql_change

SAID = "which dataset its rows go to is not said"


@pytest.mark.parametrize("text", [BOARD, BOARD.replace(", total", "")], ids=["same", "a column less"])
def test_a_query_without_a_target_is_unknown(work: Path, text: str) -> None:
    """Folders of plain SELECTs, without a target in impact.toml, were additive whatever they changed."""
    (work / "fresh.sql").write_text(text)

    done = impact(work, "fresh.sql", "--fail-on", "breaking", "--format", "json")

    assert (done.status, done.tasks) == (1, {"fresh": ("online", "unknown")})
    assert SAID in done.result["findings"][0]["reason"]
    (work / "impact.toml").write_text(CONTEXT + '[[paths]]\nmatch = "*.sql"\ntarget = "bi:{stem}"\n')
    assert impact(work, "fresh.sql", "--format", "json").tasks == {"fresh": ("online", "additive")}


def test_a_query_that_is_removed_is_unknown(work: Path) -> None:
    """Nobody knows what it filled; layout alone is still no change."""
    (work / "fresh.sql").write_text(BOARD)
    git(work, "init", "-q", "-b", "main")
    git(work, "add", ".")
    git(work, "commit", "-qm", "all")
    (work / "fresh.sql").write_text(f"-- the board\n{BOARD}")
    same = impact(work, "--git-base", "main", "--format", "json")
    git(work, "rm", "-qf", "fresh.sql")

    done = impact(work, "--git-base", "main", "--format", "json")

    assert same.tasks == {"fresh": ("update", "none")}
    assert (done.status, done.tasks) == (1, {"fresh": ("offline", "unknown")})


def test_a_query_in_force_is_a_reader(tmp_path: Path) -> None:
    """It has no edge, and was not among the readers of a column that goes; what it fills is not known."""
    store = platform(tmp_path / "s", sql_change("watch", "SELECT id FROM sales WHERE amount > 9"))

    report = assessed(store, candidate("sales", "CREATE TABLE sales AS SELECT amount, status FROM ods.orders"))

    found = {(each.kind, each.reader) for each in report.findings if each.reader == "watch"}
    assert {("stale-reader", "watch"), ("unknown-reader", "watch")} <= found


@pytest.mark.parametrize(("query", "is_doubtful"), [("SELECT id FROM sales", False), ("SELECT * FROM sales", True)])
def test_a_new_column_concerns_a_query_with_a_star(tmp_path: Path, query: str, is_doubtful: bool) -> None:
    """Every column that a table got was unknown where some query without a target names other columns of it."""
    store = platform(tmp_path / "s", sql_change("watch", query))
    wider = "CREATE TABLE sales AS SELECT id, amount, status, email FROM ods.orders WHERE status = 'paid'"

    report = assessed(store, candidate("sales", wider))

    assert any(each.kind == "unknown-reader" for each in report.findings) is is_doubtful


def test_files_of_another_namespace_are_said_to_be_unknown(work: Path) -> None:
    """A namespace that was left out took the dialect's name: no reader was found, and every change passed."""
    (work / "impact.toml").write_text('dialect = "spark"\ndefault_database = "dw"\n')
    (work / "view.sql").write_text("CREATE VIEW sales AS SELECT id, amount FROM ods.orders")
    git(work, "init", "-q", "-b", "main")
    git(work, "add", ".")
    git(work, "commit", "-qm", "all")
    (work / "view.sql").write_text("CREATE VIEW sales AS SELECT id FROM ods.orders")

    notes = impact(work, "--git-base", "main", "--format", "json").result["notes"]
    (work / "impact.toml").write_text(CONTEXT)
    right = impact(work, "--git-base", "main", "--format", "json").result

    assert (
        "the store knows neither view nor any dataset there (spark:dw.sales, spark:ods.orders), so that no reader is"
        " known: check namespace and default_database; the namespaces that it knows are bi, hive"
    ) in notes
    assert not any("knows neither" in note for note in right["notes"])
    assert right["verdict"] == "breaking", json.dumps(right["findings"])
