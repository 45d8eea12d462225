"""``lineage-tt labels``: what it prints, as text and as JSON, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import ODD, Outcome, call

from lineage_tt import Store
from lineage_tt.testing import ManualClock, task_change

USERS, PEOPLE, BOARD = "db:users#mail", "db:people#mail", "bi:board#contact"
DAYS = [f"2026-0{month}-01T00:00:00Z" for month in range(1, 7)]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Users feed people, people the board and a column with an odd name."""
    opened = Store.create(tmp_path / "s", clock=ManualClock(DAYS[0]))
    opened.append([task_change("load", "online", DAYS[0], [(USERS, PEOPLE), (PEOPLE, BOARD), (PEOPLE, ODD)])])
    said = call("annotate", USERS, "--label", "pii", "--at", DAYS[1], "--actor", "ana", store=tmp_path / "s")
    assert said.status == 0
    return tmp_path / "s"


def labels(store: Path, *args: str) -> Outcome:
    """Call the command in June."""
    return call("labels", *args, "--valid-at", DAYS[5], store=store)


def test_a_label_is_shown_with_its_way_and_what_brought_it(store: Path) -> None:
    """As text, with or without the word show; as JSON with the same."""
    found = labels(store, BOARD)
    assert found.status == 0
    assert found.out.splitlines()[:4] == [
        BOARD, f"  pii  from {USERS}, since {DAYS[1]}", f"    {USERS} -> {PEOPLE}  (load)",
        f"    {PEOPLE} -> {BOARD}  (load)",
    ]  # fmt: skip
    assert labels(store, "show", BOARD).out == found.out
    said = labels(store, BOARD, "--format", "json")
    (label,) = said.result["labels"]
    assert (label["label"], label["stated"], label["source"], label["since"]) == ("pii", False, USERS, DAYS[1])
    assert [(hop["source"], hop["target"]) for hop in label["path"]] == [(USERS, PEOPLE), (PEOPLE, BOARD)]
    assert (label["brought_by"]["version"], label["brought_by"]["actor"]) == (2, "ana")
    assert said.json["completeness"]["complete"] is True


def test_all_nodes_are_listed_and_odd_names_are_spelled_out(store: Path) -> None:
    """No name reaches the terminal as it is written."""
    found = labels(store, "--all")
    assert found.status == 0
    assert "\x1b" not in found.out
    assert "\u202e" not in found.out
    assert "4 nodes with labels" in found.out
    assert "\x1b" not in labels(store, ODD).out
    rows = labels(store, "--all", "--label", "pii", "--format", "json").result
    assert {row["node"] for row in rows} == {USERS, PEOPLE, BOARD, ODD}
    assert labels(store, "--all", "--label", "x", "--format", "json").result == []


def test_decisions_are_stated_and_taken_back(store: Path) -> None:
    """Rejected from April on, blocked, and open again; the difference of two points shows it."""
    assert call("labels", "reject", PEOPLE, "pii", "--at", DAYS[3], store=store).status == 0
    assert "0 labels" in labels(store, BOARD).out
    changed = call("labels", "diff", DAYS[2], DAYS[4], "--format", "json", store=store)
    assert {each["node"]: (each["before"], each["after"]) for each in changed.result} == {
        node: (["pii"], []) for node in (PEOPLE, BOARD, ODD)
    }
    assert call("labels", "reject", PEOPLE, "pii", "--end", "--at", DAYS[4], store=store).status == 0
    assert "1 label " in labels(store, BOARD).out
    assert call("labels", "block", PEOPLE, BOARD, "--label", "pii", "--at", DAYS[4], store=store).status == 0
    assert "0 labels" in labels(store, BOARD).out


def test_a_scan_says_no_where_a_level_falls(store: Path, tmp_path: Path) -> None:
    """Exit status 1, with what falls, and because of what."""
    rules = tmp_path / "rules.toml"
    rules.write_text('[labels]\nlevels = ["pii", "secret"]\n', encoding="utf-8")
    given = ("--rules", str(rules))
    assert labels(store, "scan", *given).status == 0
    assert call("annotate", USERS, "--label", "secret", "--at", DAYS[1], store=store).status == 0
    assert call("labels", "downgrade", PEOPLE, "secret", "pii", "--at", DAYS[2], *given, store=store).status == 0

    found = labels(store, "scan", *given, "--format", "json")
    assert found.status == 1
    (fall,) = found.result
    assert (fall["source"], fall["target"], fall["level"], fall["because"]) == (USERS, PEOPLE, "secret", "decision")
    assert labels(store, "scan", *given).status == 1


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["db:nowhere#x"], "unknown node"),
        ([], "give a node, or --all"),
        ([BOARD, "--all"], "give a node, or --all"),
        ([BOARD, "--scene", "x"], "has no scene 'x'"),
        ([BOARD, "--rules", "nothing.toml"], "cannot read the governance file"),
    ],
)
def test_what_makes_no_sense_is_refused(store: Path, args: list[str], words: str) -> None:
    """Exit status 2 and what to do."""
    found = labels(store, "show", *args)
    assert found.status == 2
    assert words in found.err


def test_a_downgrade_needs_levels(store: Path) -> None:
    """Without rules there is none."""
    found = call("labels", "downgrade", PEOPLE, "secret", "pii", store=store)
    assert (found.status, "is not a level" in found.err) == (2, True)
