"""Texts that a store keeps less of, when they are needed again: sent twice, listed, resolved again, replayed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from policy_texts import AT, CANARY, MESSAGES, SQL, STRICT, edges, ingest, lines_of, made, message

from ingest.messages.native import parse_message
from ingest.pipeline import Ingester
from ingest.reconcile import reconcile
from ingest.resolve.reextract import re_extract
from lineage_tt import Store
from lineage_tt.cli.app import run


@pytest.mark.long
@pytest.mark.parametrize("first", ["keep", *STRICT])
@pytest.mark.parametrize("second", ["keep", *STRICT])
def test_a_message_that_is_sent_again_counts_once(tmp_path: Path, first: str, second: str) -> None:
    """Whatever the policy was when it came first; one with other content is refused as before."""
    store = made(tmp_path, first)
    (tmp_path / "in").mkdir()
    ingest(store, MESSAGES, tmp_path / "in")
    if first != second:
        store.set_text_policy(second, "a test")
    before = store.version

    found = ingest(store, MESSAGES, tmp_path / "in")

    assert (found.duplicates, store.version) == (len(MESSAGES), before)
    other = ingest(store, [message("1", "plain", "INSERT INTO o SELECT other FROM t")], tmp_path / "in")
    assert other.reasons == {"conflicting-duplicate": 1}


@pytest.mark.parametrize("policy", STRICT)
def test_a_text_whose_literals_differ_is_the_same_where_they_are_not_kept(tmp_path: Path, policy: str) -> None:
    """An event that is sent again with another literal counts once: nobody could tell it apart later."""
    store = made(tmp_path, policy)
    (tmp_path / "in").mkdir()
    ingest(store, [message("1", "t", "SELECT a FROM t WHERE b = 'x' AND c > 1", target="n:d.o")], tmp_path / "in")

    found = ingest(store, [message("1", "t", "SELECT a FROM t WHERE b = 'y' AND c > 2", target="n:d.o")],
                   tmp_path / "in")  # fmt: skip

    assert found.duplicates == 1


@pytest.mark.long
@pytest.mark.parametrize("policy", STRICT)
def test_a_list_of_tasks_agrees_with_what_is_kept(tmp_path: Path, policy: str) -> None:
    """Reconciliation finds no difference in a text or an expression of which the store holds less; an edit it finds."""
    store = Store.create(tmp_path / "s")
    (tmp_path / "in").mkdir()
    ingest(store, [MESSAGES[0]], tmp_path / "in")
    store.set_text_policy(policy, "a test")
    ingest(store, MESSAGES[1:5], tmp_path / "in")
    at = store.instant("2024-02-01T00:00:00Z")
    listed = [parse_message(line) for line in lines_of(MESSAGES[:5])]

    assert reconcile(store, listed, at).repairs == []
    edited = [parse_message(line.replace(b"FROM t", b"FROM edited")) for line in lines_of(MESSAGES[:5])]
    assert {repair.message.task_id for repair in reconcile(store, edited, at).repairs} == {"plain", "params", "pivot"}


@pytest.mark.long
@pytest.mark.parametrize("policy", ["keep", *STRICT])
def test_re_extraction_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str], policy: str) -> None:
    """A masked text says the same again; of a dropped one it is reported that it is not there, and its edges stay."""
    store = made(tmp_path, policy)
    (tmp_path / "in").mkdir()
    ingest(store, MESSAGES, tmp_path / "in")
    before = edges(store)

    found = re_extract(store, everything=True, workers=1)

    assert found.corrections == 0
    assert edges(store) == before
    assert found.dropped == (4 if policy == "drop-text" else 0)
    run(["--store", str(store.log_path.parent), "re-extract", "--all", "--no-progress"])
    assert ("does not keep the text" in capsys.readouterr().out) == (policy == "drop-text")


def columns(event: str, at: str, *names: str) -> dict[str, Any]:
    """A message that says which columns the table t has."""
    listed = [{"name": name} for name in names]
    return {"kind": "dataset", "op": "define", "event_id": event, "dataset": "n:d.t", "columns": listed,
            "effective_at": at}  # fmt: skip


STAR = [
    columns("c1", "2023-01-01T00:00:00Z", "a", "b", CANARY),
    message("1", "star", f"INSERT INTO o SELECT * FROM t WHERE a = '{CANARY}'"),
    message("2", "named", f"INSERT INTO p SELECT t.a FROM t JOIN u ON u.k = '{CANARY}'"),
    columns("c2", "2024-03-01T00:00:00Z", "a", "b", CANARY, "e"),
]


@pytest.mark.long
@pytest.mark.parametrize("policy", ["keep", "mask-literals"])
def test_a_star_is_resolved_again_from_a_masked_text(tmp_path: Path, policy: str) -> None:
    """As from the text itself; a column called like a literal of the other statement does not concern that."""
    store = made(tmp_path, policy)
    (tmp_path / "in").mkdir()
    for each in STAR:
        ingest(store, [each], tmp_path / "in")

    derived = store.sql("SELECT task_id, coverage FROM log WHERE derived_from IS NOT NULL")[1]
    assert derived == [("star", "complete")]
    assert "n:d.t#e" in {edge.source for edge in store.as_of().edges() if edge.task_id == "star"}


@pytest.mark.long
def test_a_star_of_a_dropped_text_stays_and_says_so(tmp_path: Path) -> None:
    """Its edges are those known before, its coverage partial with the reason; other tasks are not concerned."""
    store = made(tmp_path, "drop-text")
    (tmp_path / "in").mkdir()
    for each in STAR:
        ingest(store, [each], tmp_path / "in")
    store = Store.open(str(store.log_path.parent))

    derived = store.sql("SELECT task_id, coverage, problems[1].code FROM log WHERE derived_from IS NOT NULL")[1]
    assert derived == [("star", "partial", "text-dropped")]
    found = {edge.source for edge in store.as_of().edges() if edge.task_id == "star" and edge.type == "DIRECT"}
    assert found == {"n:d.t#a", "n:d.t#b", f"n:d.t#{CANARY}"}
    before = store.version
    ingest(store, [message("x", "other", "INSERT INTO q SELECT 1")], tmp_path / "in")
    assert store.version == before + 1


@pytest.mark.parametrize("policy", STRICT)
def test_a_dead_letter_without_its_text_is_not_sent_through_again(tmp_path: Path, policy: str) -> None:
    """It says so, and where it came from; one that never had a text is replayed as ever."""
    store = made(tmp_path, policy)
    (tmp_path / "in").mkdir()
    retract = AT | {"event_id": "r", "task_id": "t", "op": "retract", "retracts": "e"}
    ingest(store, [AT | SQL | {"event_id": "7", "sql": "select 1"}, retract], tmp_path / "in")
    ingest(store, [AT | {"event_id": "e", "task_id": "t", "edges": []}], tmp_path / "in")

    with Ingester(store, workers=1) as ingester:
        found = ingester.replays([letter for letter in store.dead_letters() if letter.waits])

    assert [each.status for each in found] == ["rejected", "accepted"]
    assert "send the message itself again" in str(found[0].detail)
    assert "0.jsonl at 0" in str(found[0].detail)
