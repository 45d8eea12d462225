"""What a store keeps of texts is what its policy allows, whichever way a message comes in; the lineage is the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from policy_texts import CANARY, MESSAGES, STRICT, edges, ingest, lines_of, made, message, told

from lineage_tt import Store
from lineage_tt.cli.receiving import Receiver
from lineage_tt.maintenance.check import check
from lineage_tt.model.redaction.policy import TextPolicy
from lineage_tt.model.redaction.texts import DROPPED_TEXT, MASKED_TEXT


@pytest.mark.long
@pytest.mark.parametrize("policy", STRICT)
def test_nothing_that_came_by_file_holds_what_is_not_kept(tmp_path: Path, policy: str) -> None:
    """Texts, comments, parameters, words, expressions, facts, dead letters, events; edges and counts are the same."""
    kept, strict = made(tmp_path, "keep"), made(tmp_path, policy)
    (tmp_path / "in").mkdir()

    one, other = (ingest(store, MESSAGES, tmp_path / "in") for store in (kept, strict))

    assert CANARY in told(kept)
    assert CANARY not in told(strict)
    assert (
        (one.accepted, one.rejected, one.duplicates) == (other.accepted, other.rejected, other.duplicates) == (6, 4, 0)
    )
    assert edges(kept) == edges(strict)
    states = [
        store.sql("SELECT event_id, coverage, outputs, stars, list_transform(problems, lambda p: (p.code, p.subject)) "
                  "FROM log WHERE kind = 'task' ORDER BY version")[1]
        for store in (kept, strict)
    ]  # fmt: skip
    assert states[0] == states[1]
    assert check(strict.log_path.parent) == []


@pytest.mark.long
def test_what_mask_literals_keeps(tmp_path: Path) -> None:
    """The text with all that names something; expressions, words and dead letters without values."""
    store = made(tmp_path, "mask-literals")
    (tmp_path / "in").mkdir()
    ingest(store, MESSAGES, tmp_path / "in")

    texts = dict(store.sql("SELECT event_id, sql FROM log WHERE sql IS NOT NULL")[1])
    assert texts["1"] == "INSERT INTO o SELECT a, concat(b, '?') x FROM t WHERE c = '?' -- ?"
    assert texts["2"] == "INSERT INTO o SELECT FROM '?' WHERE (("
    assert "IN ('Mai', 'Juni')" in texts["4"]
    assert "z = '?'" in texts["4"]
    assert {e.expression for e in store.as_of().edges() if e.task_id == "edges"} == {"x || ?"}
    assert MASKED_TEXT in next(letter.raw.decode() for letter in store.dead_letters() if letter.event_id == "7")
    assert [letter.raw.decode() for letter in store.dead_letters() if letter.code == "malformed-json"] == [DROPPED_TEXT]


@pytest.mark.long
def test_what_drop_text_keeps(tmp_path: Path) -> None:
    """No text, and digests of expressions: a change of one is still seen."""
    store = made(tmp_path, "drop-text")
    (tmp_path / "in").mkdir()
    ingest(store, MESSAGES, tmp_path / "in")
    ingest(store, [message("n", "plain", "INSERT INTO o SELECT a, upper(b) AS x FROM t WHERE c = 1", op="update")],
           tmp_path / "in")  # fmt: skip

    assert store.sql("SELECT DISTINCT sql, params FROM log")[1] == [(None, None)]
    found = [e.expression for e in store.history("n:d.t#b", "n:d.o#x")]
    assert len(set(found)) == 2
    assert all(expression.startswith("~") for expression in found)


@pytest.mark.long
@pytest.mark.parametrize("policy", STRICT)
def test_over_http(tmp_path: Path, policy: str) -> None:
    """What the service answers to a sender, too, quotes nothing that is not kept."""
    store = made(tmp_path, policy)
    receiver = Receiver(str(store.log_path.parent), None, 1)
    try:
        outcomes = receiver(lines_of(MESSAGES))
        again = receiver(lines_of(MESSAGES))
    finally:
        receiver.close()
    store.refresh()

    assert [outcome.status for outcome in outcomes].count("accepted") == 6
    assert {outcome.status for outcome in again} == {"duplicate"}
    assert CANARY not in repr(outcomes)
    assert CANARY not in told(store)


@pytest.mark.long
def test_a_history_import(tmp_path: Path) -> None:
    """The record of the policy does not end the import of a history: it has its time."""
    store = Store.create(tmp_path / "s")
    (tmp_path / "in").mkdir()
    past = [each | {"recorded_at": "2020-01-01T00:00:00Z"} for each in MESSAGES[:4] if isinstance(each, dict)]
    ingest(store, past[:1], tmp_path / "in", system_times="recorded_at")
    store.set_text_policy("mask-literals", "a test")

    found = ingest(store, past[1:], tmp_path / "in", system_times="recorded_at")

    assert (found.accepted, found.rejected) == (3, 0)
    rows = store.sql(f"SELECT version FROM log WHERE log::VARCHAR LIKE '%{CANARY}%'")[1]
    assert rows == [(1,)]
    assert store.texts.at(1) is TextPolicy.KEEP
