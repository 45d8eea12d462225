"""An empty answer says why it is empty, where the question was about something that the store does not know."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import ORDERS, SALES, call, make_store

BEFORE, IN_FORCE = "2020-01-01T00:00:00Z", "2024-02-15T00:00:00Z"
NOTHING = "note: the store holds nothing at this point: its first message takes effect at"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small store."""
    return make_store(tmp_path_factory.mktemp("empty") / "store")


@pytest.mark.parametrize(
    "words",
    [
        ("lineage", f"{SALES}#revenue"),
        ("tasks",),
        ("columns",),
        ("facts",),
        ("core", "list"),
        ("blame", f"{ORDERS}#amount", f"{SALES}#revenue"),
        ("root-cause", SALES),
        ("diff", "--from", BEFORE),
    ],
    ids=lambda words: words[0],
)
def test_a_point_before_the_first_message_is_noted(store: Path, words: tuple[str, ...]) -> None:
    """A slip in the year was answered with nothing, as if nothing fed the column."""
    early = ("--valid-at", BEFORE) if words[0] != "diff" else ()

    said = call(*words, *early, store=store)

    assert (said.status, NOTHING in said.err) == (0, True)


def test_an_export_and_a_plan_of_such_a_time_are_noted(store: Path, tmp_path: Path) -> None:
    """The file has no rows; of a plan, the period counts."""
    exported = call("export", "edges", "--to", tmp_path / "e.csv", "--valid-at", BEFORE, store=store)
    planned = call("backfill", SALES, "--from", BEFORE, "--to", "2020-01-03T00:00:00Z", store=store)

    assert NOTHING in exported.err
    assert NOTHING in planned.err


def test_edges_at_other_points_are_counted(store: Path) -> None:
    """A node that is known has no edge in force then; where it has some, or the depth says none, there is no note."""
    early = call("lineage", f"{SALES}#revenue", "--valid-at", BEFORE, store=store)
    now = call("lineage", f"{SALES}#revenue", "--valid-at", IN_FORCE, store=store)
    nowhere = call("lineage", f"{ORDERS}#amount", "--direction", "up", "--valid-at", IN_FORCE, store=store)

    assert f"note: no edge of {SALES}#revenue is in force at this point, " in early.err
    assert f"at others: lineage-tt history {SALES}#revenue" in early.err
    assert (now.err, nowhere.err) == ("", "")


def test_nothing_that_could_fail_or_be_late_is_noted(store: Path) -> None:
    """No check was ever reported, no promise and no label stated: that none fails says nothing."""
    assert "note: no result of a check is known at this point" in call("root-cause", "--failed", store=store).err
    assert "note: no node has a promise at this point: give one with" in call("core", "list", store=store).err
    assert "note: no label is stated at this point" in call("labels", f"{SALES}#revenue", store=store).err


def test_a_later_point_since_which_something_is_new_is_noted(store: Path) -> None:
    """Nothing can be new since then."""
    said = call("rules", "--valid-at", IN_FORCE, "--since", "2024-03-01T00:00:00Z", store=store)

    assert "note: since names a later point than the one asked about" in said.err
    assert "since names" not in call("rules", "--since", IN_FORCE, store=store).err
    assert "since names" not in call("rules", "--since", "@v1", store=store).err


def test_an_export_says_what_it_needs_and_writes(store: Path, tmp_path: Path) -> None:
    """A folder that is missing was blamed on the store, and any name of a file was taken for CSV without a word."""
    missing = call("export", "edges", "--to", tmp_path / "no" / "e.csv", store=store)
    tabs = call("export", "edges", "--to", tmp_path / "e.tsv", store=store)
    closure = call("export", "closure", "--to", tmp_path / "c.csv", store=store)

    assert (missing.status, f"there is no folder {tmp_path / 'no'}" in missing.err) == (2, True)
    assert "note: e.tsv is written as csv: --format says otherwise" in tabs.err
    assert "hint: for example: lineage-tt export closure --to FILE NODE" in closure.err


def test_a_query_without_a_target_is_noted_by_extract(tmp_path: Path) -> None:
    """It was complete, with no edge."""
    (tmp_path / "q.sql").write_text("SELECT a FROM d.t")

    bare = call("extract", tmp_path / "q.sql")
    aimed = call("extract", tmp_path / "q.sql", "--target", "hive:d.o")

    assert (bare.status, bare.err) == (
        0,
        "note: a bare SELECT writes nothing: --target DATASET says where its rows go\n",
    )
    assert aimed.err == ""
