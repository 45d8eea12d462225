"""``lineage-tt rules``: text, JSON and SARIF, exit status, what is new, what is allowed."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import Outcome, call

from lineage_tt import Store
from lineage_tt.testing import ManualClock, task_change

DAYS = [f"2026-0{month}-01T00:00:00Z" for month in range(1, 6)]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Since March two tasks write one table."""
    opened = Store.create(tmp_path / "s", clock=ManualClock(DAYS[4]))
    opened.append([
        task_change("old", "online", DAYS[0], [("db:a#x", "db:c\x1b#x")]),
        task_change("new", "online", DAYS[2], [("db:b#x", "db:c\x1b#x")]),
    ])  # fmt: skip
    return tmp_path / "s"


def rules(store: Path, *args: str, at: str = DAYS[3]) -> Outcome:
    """Call the command in April."""
    return call("rules", "--valid-at", at, *args, store=store)


def test_what_violates_the_rules_is_listed_the_worst_first(store: Path) -> None:
    """An error ends with status 1; in February there is only what is less bad, and what is asked for decides."""
    found = rules(store)
    assert found.status == 1
    assert found.out.splitlines()[1].split()[:2] == ["error", "two_writers"]
    assert "\x1b" not in found.out
    assert rules(store, at=DAYS[1]).status == 0
    assert rules(store, "--fail-on", "info", at=DAYS[1]).status == 1
    assert rules(store, "--fail-on", "bad").status == 2


def test_only_what_is_new_since_a_point(store: Path) -> None:
    """Since February the two writers; since March nothing."""
    new = rules(store, "--since", DAYS[1], "--format", "json")
    assert "two_writers" in {each["rule"] for each in new.result}
    assert "undocumented_models" not in {each["rule"] for each in new.result}
    assert new.json["completeness"]["complete"] is True
    assert rules(store, "--since", DAYS[2], "--format", "json").result == []


def test_an_allowance_takes_a_violation_from_the_count(store: Path, tmp_path: Path) -> None:
    """It is not shown unless asked for; SARIF has it suppressed."""
    path = tmp_path / "rules.toml"
    path.write_text(
        '[[rules.allow]]\nrule = "two_writers"\nsubject = "db:c*"\nreason = "moves"\nuntil = 2026-12-31\n',
        encoding="utf-8",
    )
    found = rules(store, "--rules", str(path))
    assert (found.status, "two_writers" in found.out, ", 1 allowed" in found.out) == (0, False, True)
    assert "allowed: moves (until 2026-12-31)" in rules(store, "--rules", str(path), "--allowed").out
    (run,) = rules(store, "--rules", str(path), "--format", "sarif").json["runs"]
    assert [each["ruleId"] for each in run["results"] if "suppressions" in each] == ["two_writers"]
