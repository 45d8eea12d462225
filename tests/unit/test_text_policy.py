"""What a store keeps of texts is what its policy allows, whichever way a message comes in; the lineage is the same."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson
import pytest

from ingest.pipeline import Ingester
from ingest.reconcile import reconcile
from ingest.resolve.reextract import re_extract
from ingest.resolve.resolver import SqlResolver
from lineage_tt import Store
from lineage_tt.cli.app import run
from lineage_tt.cli.receiving import Receiver
from lineage_tt.events import event_of
from lineage_tt.maintenance.check import check
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.format import PLAIN_FORMAT
from lineage_tt.model.messages import RejectedMessage, TaskChange
from lineage_tt.model.redaction.policy import TextPolicy, TextState, Tightened
from lineage_tt.model.redaction.texts import DROPPED_TEXT, MASKED_TEXT

CANARY = "c4n4ry"
AT = {"op": "online", "effective_at": "2024-01-01T00:00:00Z"}
SQL = {"dialect": "hive", "namespace": "n", "default_database": "d"}
STRICT = ["mask-literals", "drop-text"]


def message(event: str, task: str, sql: str, **fields: Any) -> dict[str, Any]:
    """A task's message with a text."""
    return AT | SQL | {"event_id": event, "task_id": task, "sql": sql} | fields


#: Messages with a canary in every place where a message may quote SQL.
MESSAGES: list[dict[str, Any] | str] = [
    message("1", "plain", f"INSERT INTO o SELECT a, concat(b, '{CANARY}') x FROM t WHERE c = '{CANARY}' -- {CANARY}"),
    message("2", "broken", f"INSERT INTO o SELECT FROM '{CANARY}' WHERE (("),
    message("3", "params", "INSERT INTO o SELECT a FROM t WHERE c = '${p}'", params={"p": CANARY}),
    message("4", "pivot", f"INSERT INTO p SELECT * FROM (SELECT y, q FROM t WHERE z = '{CANARY}') "
                          "PIVOT (sum(y) FOR q IN ('Mai', 'Juni'))", dialect="spark"),
    AT | {"event_id": "5", "task_id": "edges", "reason": f"SELECT '{CANARY}'", "conf": {"q": f"select '{CANARY}'"},
          "edges": [{"source": "n:a#x", "target": "n:b#y", "subtype": "TRANSFORMATION",
                     "expression": f"x || '{CANARY}'"}]},
    AT | {"event_id": "6", "kind": "fact", "node": "n:d.o", "key": "definition", "op": "set",
          "values": [f"select '{CANARY}'"]},
    AT | SQL | {"event_id": "7", "sql": f"select '{CANARY}'"},
    f'{{"event_id": "8", "sql": "select \'{CANARY}\'',
    message("1", "plain", f"SELECT '{CANARY}' AS other, 'than before' FROM somewhere"),
    AT | {"event_id": "9", "task_id": "bad", "edges": [{"source": f"select '{CANARY}'", "target": "n:b#y"}]},
]  # fmt: skip


def lines_of(messages: Sequence[dict[str, Any] | str]) -> list[bytes]:
    """Messages as they are sent."""
    return [(each if isinstance(each, str) else json.dumps(each)).encode() for each in messages]


def ingest(store: Store, messages: Sequence[dict[str, Any] | str], folder: Path, **options: Any) -> Any:
    """Ingest messages from a file of their own."""
    path = folder / f"{len(list(folder.iterdir()))}.jsonl"
    path.write_bytes(b"\n".join(lines_of(messages)))
    with Ingester(store, workers=1, **options) as ingester:
        return ingester.ingest_file(str(path))


def edges(store: Store) -> set[tuple[str, ...]]:
    """The edges in force without their expressions."""
    return {edge[:5] for edge in store.as_of().edges()}


def told(store: Store) -> str:
    """All that the store holds and tells: rows, events, dead letters."""
    rows = store.sql("SELECT log::VARCHAR, decode(rejected_bytes) FROM log")[1]
    events = [event_of(entry, store.id) for entry in store.changes()]
    return repr((rows, events, store.dead_letters(), store.log(), store.as_of().tasks()))


def made(folder: Path, policy: str) -> Store:
    """A store with a policy."""
    store = Store.create(folder / f"store-{policy}")
    if policy != "keep":
        store.set_text_policy(policy, "a test")
    return store


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


# --- the same text under another policy -------------------------------------------------------------------------------


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


@pytest.mark.parametrize("policy", STRICT)
def test_a_list_of_tasks_agrees_with_what_is_kept(tmp_path: Path, policy: str) -> None:
    """Reconciliation finds no difference in a text or an expression of which the store holds less; an edit it finds."""
    store = Store.create(tmp_path / "s")
    (tmp_path / "in").mkdir()
    ingest(store, [MESSAGES[0]], tmp_path / "in")
    store.set_text_policy(policy, "a test")
    ingest(store, MESSAGES[1:5], tmp_path / "in")
    at = store.instant("2024-02-01T00:00:00Z")
    from ingest.messages.native import parse_message

    listed = [parse_message(line) for line in lines_of(MESSAGES[:5])]

    assert reconcile(store, listed, at).repairs == []
    edited = [parse_message(line.replace(b"FROM t", b"FROM edited")) for line in lines_of(MESSAGES[:5])]
    assert {repair.message.task_id for repair in reconcile(store, edited, at).repairs} == {"plain", "params", "pivot"}


# --- what needs the text ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", ["keep", *STRICT])
def test_re_extraction_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str], policy: str) -> None:
    """A masked text says the same again; of a dropped one it is said that it is not there, and its edges stay."""
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


def test_a_star_of_a_dropped_text_stays_and_says_so(tmp_path: Path) -> None:
    """Its edges are those known before, its coverage partial with the reason; other tasks are not concerned."""
    store = made(tmp_path, "drop-text")
    (tmp_path / "in").mkdir()
    for each in STAR:
        ingest(store, [each], tmp_path / "in")
    store = Store.open(store.log_path.parent)

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


# --- the policy itself ------------------------------------------------------------------------------------------------


def test_the_policy_in_force_when_a_message_is_written_counts(tmp_path: Path) -> None:
    """Others who have the store open keep to a change of it at once, also for what they have planned already."""
    store, other = Store.create(tmp_path / "s"), Store.open(tmp_path / "s")
    other.append([TaskChange("0", "t0", "offline", 1)])
    asked = threading.Event()
    go_on = threading.Event()

    class Slow(SqlResolver):
        """Waits while somebody changes the policy."""

        def __call__(self, waiting: Any) -> Any:
            asked.set()
            assert go_on.wait(20)
            return super().__call__(waiting)

    def append() -> None:
        with Slow(1) as resolver:
            sent = TaskChange("1", "t", "online", 1, sql=f"SELECT '{CANARY}' AS a FROM t", dialect="hive",
                              namespace="n", target="n:o")  # fmt: skip
            other.append([sent], resolver=resolver)

    thread = threading.Thread(target=append)
    thread.start()
    assert asked.wait(20)
    store.set_text_policy("mask-literals", "a test")
    go_on.set()
    thread.join(60)
    store.refresh()

    assert store.sql("SELECT version, sql FROM log WHERE sql IS NOT NULL")[1] == [(3, "SELECT '?' AS a FROM t")]


def test_the_policy_is_recorded_and_may_be_loosened_for_the_future(tmp_path: Path) -> None:
    """Each change is a fact in the log, with who and why; what was masked stays so."""
    store = Store.create(tmp_path / "s")
    (tmp_path / "in").mkdir()
    assert (store.texts.policy, store.texts.spans) == (TextPolicy.KEEP, ())
    assert store.set_text_policy("mask-literals", "the audit", "ana") == 1
    ingest(store, [MESSAGES[0]], tmp_path / "in")
    assert store.set_text_policy("keep", "a mistake", "ben") == 3
    ingest(store, [message("2", "t", "SELECT 'x' AS a FROM t", target="n:d.z")], tmp_path / "in")

    log = [(entry.version, entry.actor, entry.reason) for entry in store.log() if entry.subject == "policy:texts"]
    assert log == [(1, "ana", "the audit"), (3, "ben", "a mistake")]
    assert [fact.value for fact in store.as_of().facts("policy:texts")] == ["keep"]
    assert [store.texts.at(version) for version in (1, 2, 3, 4)] == ["mask-literals", "mask-literals", "keep", "keep"]
    texts = dict(store.sql("SELECT version, sql FROM log WHERE sql IS NOT NULL")[1])
    assert texts[4] == "SELECT 'x' AS a FROM t"
    assert CANARY not in texts[2]
    for wrong in ("keep", "nothing"):
        with pytest.raises(InvalidRequestError):
            store.set_text_policy(wrong, "a test")


def test_nobody_sets_it_by_message(tmp_path: Path) -> None:
    """Its node is reserved."""
    store = Store.create(tmp_path / "s")
    (tmp_path / "in").mkdir()
    fact = AT | {
        "kind": "fact",
        "event_id": "f",
        "node": "policy:texts",
        "key": "texts",
        "op": "set",
        "values": ["keep"],
    }

    assert ingest(store, [fact], tmp_path / "in").reasons == {"reserved-node": 1}


def test_a_release_that_knows_no_policy_does_not_write_to_the_store(tmp_path: Path) -> None:
    """Each commit from the first policy on has a format that it refuses, also after the policy is to keep again."""
    store = Store.create(tmp_path / "s")
    store.append([TaskChange("0", "t", "offline", 1)])
    store.set_text_policy("drop-text", "a test")
    store.set_text_policy("keep", "a test")
    store.append([TaskChange("1", "t", "offline", 2)])

    formats = [
        next(line["commitInfo"]["lineage_tt"]["format"] for line in map(orjson.loads, path.read_bytes().splitlines())
             if "commitInfo" in line)
        for path in sorted((tmp_path / "s" / "log" / "_delta_log").glob("*.json"))
    ]  # fmt: skip
    assert formats == [PLAIN_FORMAT, PLAIN_FORMAT, 2, 2, 2]


def test_state_of_versions() -> None:
    """The strictest of what held when a version was written and what it was tightened to."""
    mask, drop, keep = TextPolicy.MASK, TextPolicy.DROP, TextPolicy.KEEP
    state = TextState(((5, mask), (9, keep), (12, drop)), Tightened(mask, 10, 7))

    assert [state.at(version) for version in (1, 5, 9, 10, 11, 12)] == [mask, mask, mask, mask, keep, drop]
    assert state.looser(12)
    assert not state._replace(tightened=Tightened(drop, 12, 8)).looser(12)
    assert TextState.of_meta({"texts": state.to_meta()}) == state
    assert TextState.of_meta({}) == TextState()


def test_a_message_built_in_python_keeps_to_the_policy(tmp_path: Path) -> None:
    """Explicit lineage, refused bytes."""
    store = made(tmp_path, "mask-literals")
    store.append([RejectedMessage(f'{{"sql": "select \'{CANARY}\'"}}'.encode(), "x", f"not 'select \"{CANARY}\"'")])

    assert CANARY not in told(store)
