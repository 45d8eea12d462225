"""Messages over HTTP: durable before they are acknowledged, each once, refused ones kept, committed together."""

from __future__ import annotations

import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from services import Served, await_, online, problem, serving

from lineage_tt import Store

SQL = {
    "event_id": "s1", "task_id": "etl/sql", "op": "online", "effective_at": "2024-01-01T00:00:00Z", "dialect": "hive",
    "namespace": "hive", "sql": "INSERT INTO dw.orders SELECT amt * 2 AS amount FROM ods.orders",
}  # fmt: skip


def receipts(answer: httpx.Response) -> list[dict[str, Any]]:
    """The receipts of a good answer."""
    assert answer.status_code == 202, answer.text
    result: list[dict[str, Any]] = answer.json()["result"]["receipts"]
    return result


def version_of(served: Served) -> int:
    """The version that the service answers at."""
    version: int = served.get("/v1/stats").json()["basis"]["version"]
    return version


def test_each_message_has_its_receipt(taking: Served, taking_store: Path) -> None:
    """Accepted, refused and repeated messages in one request, in order; refused ones are kept, byte for byte."""
    odd = '{"task_id":  "kept", "odd": [1, {"a": "]},\\"{["}]}'
    before = version_of(taking)
    body = (
        "["
        + ", ".join(
            [httpx.Request("POST", "http://x", json=online("receipt", ("hive:a#b", "hive:c#d"))).content.decode(), odd]
        )
        + "]"
    )
    answer = taking.client.post("/v1/messages", content=body, headers={"content-type": "application/json"})
    accepted, refused = receipts(answer)

    assert (accepted["status"], accepted["version"], accepted["changes"], accepted["task_id"]) == (
        "accepted",
        before + 1,
        1,
        "receipt",
    )
    assert (refused["status"], refused["version"], refused["code"]) == ("rejected", before + 2, "invalid-message")
    assert "event_id" in refused["detail"]
    assert Store.open(taking_store).dead_letter(before + 2).raw == odd.encode()
    again = receipts(taking.client.post("/v1/messages", content=body, headers={"content-type": "application/json"}))
    assert [(r["status"], r["code"]) for r in again] == [("duplicate", None), ("duplicate", "rejected-before")]
    assert version_of(taking) == before + 2


def test_a_refusal_of_the_log_is_told_too(taking: Served) -> None:
    """Other content under a known event is refused by the log itself; the receipt says why."""
    taking.send(online("refused", ("hive:a#b", "hive:c#d")))
    (refused,) = receipts(taking.send(online("refused", ("hive:a#b", "hive:x#y"))))

    assert (refused["status"], refused["code"]) == ("rejected", "conflicting-duplicate")
    assert refused["detail"]


def test_sql_becomes_lineage(taking: Served) -> None:
    """SQL is parsed in worker processes; the answer is there as soon as the message is acknowledged."""
    (receipt,) = receipts(taking.send(SQL))
    answer = taking.get("/v1/lineage", params={"node": "hive:dw.orders#amount", "version": receipt["version"]})

    assert [edge["source"] for edge in answer.json()["result"]["edges"]] == ["hive:ods.orders#amt"]


def test_lines_are_messages_of_their_own(taking: Served) -> None:
    """JSON Lines: a line that is not JSON is a dead letter, the others go in."""
    lines = b'{"event_id": "1", "task_id": "line", "op": "offline", "effective_at": 0}\n\nno json\n'
    found = receipts(
        taking.client.post("/v1/messages", content=lines, headers={"content-type": "application/x-ndjson"})
    )

    assert [(r["status"], r["code"]) for r in found] == [("accepted", None), ("rejected", "malformed-json")]


def test_an_idempotency_key_is_good_once(taking: Served) -> None:
    """The same key and body: the same receipts, and nothing new; another body under it: 409."""
    message = online("keyed", ("hive:a#b", "hive:c#d"))
    before = version_of(taking)
    first = taking.send(message, **{"idempotency-key": "k1"})
    again = taking.send(message, **{"idempotency-key": "k1"})

    assert receipts(again) == receipts(first)
    assert again.headers["idempotency-replayed"] == "true"
    assert "idempotency-replayed" not in first.headers
    other = taking.send(online("keyed too", ("hive:a#b", "hive:c#d")), **{"idempotency-key": "k1"})
    problem(other, 409, "idempotency-key-reused")
    assert version_of(taking) == before + 1


def test_a_key_sent_twice_at_once_is_taken_once(taking: Served) -> None:
    """Two requests with one key at the same moment: one is taken, both get its receipts."""
    message = online("at once", ("hive:a#b", "hive:c#d"))
    before = version_of(taking)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: taking.send(message, **{"idempotency-key": "k"}), range(8)))

    assert [receipts(answer)[0]["version"] for answer in answers] == [before + 1] * 8
    assert {receipts(answer)[0]["status"] for answer in answers} == {"accepted"}
    assert version_of(taking) == before + 1


def test_requests_that_come_together_are_committed_together(served: Served, tmp_path: Path) -> None:
    """Two hundred requests from sixteen clients: all are in, in fewer commits; each is told its own version."""
    messages = [online(f"t{n}", (f"hive:a{n}#b", f"hive:c{n}#d")) for n in range(200)]
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(served.send, messages))
    store = Store.open(tmp_path / "store")
    found = {entry.version: entry.task_id for entry in store.log()}

    assert sorted(found) == list(range(1, 201))
    for message, answer in zip(messages, answers, strict=True):
        (receipt,) = receipts(answer)
        assert found[receipt["version"]] == message["task_id"] == receipt["task_id"]
    assert len(store.opened_log.files()) < 150


def test_one_clients_writes_are_read_by_it(taking: Served) -> None:
    """A write followed by a read at its version sees it, and without a version too (I10)."""
    for turn in range(8):
        (receipt,) = receipts(taking.send(online(f"read {turn}", (f"hive:r{turn}#a", f"hive:r{turn}#b"))))
        for asked in ({"version": receipt["version"]}, {}):
            answer = taking.get("/v1/lineage", params={"node": f"hive:r{turn}#a"} | asked)
            assert [edge["version"] for edge in answer.json()["result"]["edges"]] == [receipt["version"]]


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_what_was_acknowledged_is_there_after_the_end(tmp_path: Path, how: signal.Signals) -> None:
    """Ended under load: every 202 is in the log once, and what is sent again does not come twice (N1, N3)."""
    acknowledged: dict[str, int] = {}
    with serving(tmp_path / "s", "--no-graph", "--workers", "1") as served:

        def feed(worker: int) -> None:
            with httpx.Client(base_url=served.base, timeout=30) as client:
                for number in range(1000):
                    task = f"w{worker}/{number}"
                    try:
                        answer = client.post("/v1/messages", json=online(task, ("hive:a#b", f"hive:c#d{worker}")))
                    except httpx.HTTPError:
                        return
                    if answer.status_code != 202:
                        return
                    acknowledged[task] = answer.json()["result"]["receipts"][0]["version"]

        workers = [threading.Thread(target=feed, args=(number,)) for number in range(4)]
        for worker in workers:
            worker.start()
        await_(lambda: len(acknowledged) > 40, 60)
        served.process.send_signal(how)
        status = served.process.wait(15)
        for worker in workers:
            worker.join(30)
    held = {str(entry.task_id): entry.version for entry in Store.open(tmp_path / "s").log()}

    assert status == (0 if how == signal.SIGTERM else -9)
    assert {task: held.get(task) for task in acknowledged} == acknowledged
    assert len(held) <= len(acknowledged) + 4
    with serving(tmp_path / "s", "--no-graph", "--workers", "1") as served:
        again = [online(task, ("hive:a#b", f"hive:c#d{task[1]}")) for task in held]
        assert {r["status"] for r in receipts(served.send(*again))} == {"duplicate"}


def test_a_full_disk_is_503_and_then_goes_on(tmp_path: Path) -> None:
    """Where the store cannot be written, messages get 503, questions are answered, and it recovers by itself."""
    with serving(tmp_path / "s", "--workers", "1", "--no-graph") as served:
        served.send(online("t", ("hive:a#b", "hive:c#d")))
        log = tmp_path / "s" / "log"
        aside = tmp_path / "s" / "aside"
        log.rename(aside)
        problem(served.send(online("u", ("hive:a#b", "hive:c#d"))), 503, "unavailable")
        aside.rename(log)
        assert receipts(served.send(online("u", ("hive:a#b", "hive:c#d"))))[0]["version"] == 2


def test_field_mappings_apply(tmp_path: Path) -> None:
    """``--mapping`` reads messages in another shape, as ``ingest`` does."""
    rules = 'event_id = "id"\ntask_id = "job"\nop = { value = "offline" }\neffective_at = "at"\n'
    (tmp_path / "m.toml").write_text(f"[fields]\n{rules}", encoding="utf-8")
    with serving(tmp_path / "s", "--workers", "1", "--no-graph", "--mapping", str(tmp_path / "m.toml")) as served:
        (receipt,) = receipts(served.send({"id": "1", "job": "j", "at": "2024-01-01T00:00:00Z"}))

    assert (receipt["status"], receipt["task_id"]) == ("accepted", "j")
