"""``lineage-tt diff``, ``history``, ``blame``."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import ORDERS, REPORT, SALES, call, make_store, spawn

JANUARY, FEBRUARY = "2024-01-15T00:00:00Z", "2024-02-15T00:00:00Z"
EDGE = f"{ORDERS}#amount -> {SALES}#revenue"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small store."""
    return make_store(tmp_path_factory.mktemp("overtime") / "store")


def test_diff_groups_minus_and_plus_by_task(store: Path) -> None:
    """Text shows - and + lines under the task whose edges they are."""
    said = spawn("diff", "--from", JANUARY, "--to", FEBRUARY, f"{SALES}#revenue", store=store)

    assert said.status == 0
    assert [
        "--- as of 2024-01-15T00:00:00Z, version 6 (known at 2024-03-01T00:05:00Z)",
        "+++ as of 2024-02-15T00:00:00Z, version 6 (known at 2024-03-01T00:05:00Z)",
        "",
        "sales",
        f"- {EDGE}  AGGREGATION  SUM(amount)",
        f"+ {EDGE}  AGGREGATION  SUM(amount) / 100",
        "",
        "1 edge removed, 1 edge added",
    ] == said.out.splitlines()


@pytest.mark.parametrize("point", [f"{FEBRUARY}@v2", f"{FEBRUARY}@2024-03-01T00:01:30Z"])
def test_diff_takes_points_of_both_times(store: Path, point: str) -> None:
    """A point names what was known by a version or by a system time after its @."""
    said = call("diff", "--from", point, "--to", f"{FEBRUARY}@v3", "--format", "json", store=store)

    assert [said.json["basis"][end]["version"] for end in ("from", "to")] == [2, 3]
    assert [edge["expression"] for edge in said.result["removed"]] == ["SUM(amount)"]
    assert [edge["expression"] for edge in said.result["added"]] == ["SUM(amount) / 100"]


@pytest.mark.parametrize("point", ["2024-01-15", "2024-01-15T00:00:00Z@", "yesterday@v1"])
def test_a_point_that_cannot_be_read_is_a_wrong_call(store: Path, point: str) -> None:
    """A time without a zone, or nothing after the @, is refused with the way to write it."""
    said = call("diff", "--from", point, store=store)

    assert said.status == 2
    assert "hint: write" in said.err


def test_history_shows_both_intervals(store: Path) -> None:
    """History tells when an edge was in force and when that was believed, for one edge."""
    said = call("history", EDGE, store=store).out
    beliefs = call("history", EDGE, "--format", "json", store=store).result

    assert (
        "v1, closed by v3: in force 2024-01-01T00:00:00Z → open, "
        "believed 2024-03-01T00:00:00Z → 2024-03-01T00:02:00Z" in said
    )
    assert len(beliefs) == 3
    assert {EDGE} == {f"{b['source']} -> {b['target']}" for b in beliefs}
    assert tuple(beliefs[0][k] for k in ("version", "closing_version", "system_to")) == (1, 3, "2024-03-01T00:02:00Z")


def test_history_of_a_dataset_covers_its_columns(store: Path) -> None:
    """A dataset stands for all its columns."""
    found = call("history", SALES, "--format", "json", store=store).result

    assert {f"{SALES}#id", f"{SALES}#revenue", SALES, REPORT} == {b["target"] for b in found}


def test_blame_names_the_message(store: Path) -> None:
    """Blame of an edge, written as one word or two, names version, task and event."""
    one = spawn("blame", EDGE, "--valid-at", FEBRUARY, store=store)
    two = spawn("blame", *EDGE.split(" -> "), "--valid-at", FEBRUARY, "--format", "json", store=store)

    assert "by version 3: update of task sales, event sales/update/" in one.out
    [found] = two.result
    assert (
        found["message"]["version"],
        found["message"]["op"],
        found["edge"]["expression"],
    ) == (3, "update", "SUM(amount) / 100")
    assert two.json["basis"]["valid_at"] == FEBRUARY


def test_blame_of_an_edge_not_in_force_is_empty(store: Path) -> None:
    """Where both nodes are known but no such edge is in force, the answer says so."""
    said = call("blame", f"{ORDERS}#amount", REPORT, store=store)

    assert (said.status, "no such edge is in force" in said.out) == (0, True)


def test_blame_of_a_node_is_a_wrong_call(store: Path) -> None:
    """One node is not an edge."""
    assert call("blame", SALES, store=store).status == 2
