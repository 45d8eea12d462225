"""A poison message costs itself alone: at each door it is one dead letter, and its neighbours come in."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from ingest.messages import parsing
from ingest.messages.mapping import load_mapping
from ingest.messages.native import parse_message
from ingest.messages.parsing import parse_line
from ingest.pipeline import Ingester
from lineage_tt import Store
from lineage_tt.cli.app import run
from lineage_tt.cli.receiving import Receiver
from lineage_tt.model.errors import LineageError, UnavailableError
from lineage_tt.model.facts import Field
from lineage_tt.model.format import chain_checksum
from lineage_tt.model.messages import Lineage, NodeChange, RejectedMessage, TaskChange
from lineage_tt.model.names import MAX_NAME_BYTES
from lineage_tt.write import rows
from lineage_tt.write.admission import catch_all
from lineage_tt.write.batch import MAX_REPLACED
from lineage_tt.write.planning import log_queries, placing, plan

#: Where each step of placing a message is.
STEPS: dict[str, Any] = {"task_row": rows, "stars_of": placing, "chain_checksum": log_queries}

FACT = {"kind": "fact", "event_id": "p", "node": "n:a", "key": "k", "op": "set", "effective_at": 1, "values": ["v"]}
TASK = {
    "event_id": "p",
    "task_id": "t",
    "op": "online",
    "effective_at": 1,
    "edges": [{"source": "n:a", "target": "n:b"}],
}
TABLE = {"kind": "dataset", "event_id": "p", "dataset": "n:a", "op": "define", "effective_at": 1}
LONG = "x" * (MAX_NAME_BYTES + 1)


def said(base: dict[str, Any], **fields: Any) -> bytes:
    """A message with some fields changed."""
    return json.dumps(base | fields).encode()


#: Each with the code of its dead letter.
POISON: dict[str, tuple[bytes, str]] = {
    "kind is a list": (b'{"kind":[]}', "invalid-message"),
    "kind is an object": (b'{"kind":{}}', "invalid-message"),
    "kind is a number": (b'{"kind":1e400}', "invalid-message"),
    "field id 2**63": (said(TABLE, columns=[{"name": "c", "field_id": 2**63}]), "invalid-message"),
    "field id 2**64 - 1": (said(TABLE, columns=[{"name": "c", "field_id": 2**64 - 1}]), "invalid-message"),
    "field id 2**70": (said(TABLE, columns=[{"name": "c", "field_id": 2**70}]), "invalid-message"),
    "surrogate in a value": (said(FACT, values=["\ud800"]), "invalid-message"),
    "surrogate in a key": (said(FACT, key="\udfff"), "invalid-message"),
    "surrogate in an extra field": (said(FACT, extra="\ud800"), "invalid-message"),
    "surrogate in the name of a field": (said(TASK, **{"\ud800": 1}), "invalid-message"),
    "surrogate in a parameter": (said(TASK, edges=None, sql="s", params={"\ud800": "1"}), "invalid-message"),
    "surrogate encoded in UTF-8": (said(FACT, values=["?"]).replace(b"?", b"\xed\xa0\x80"), "malformed-json"),
    "column as a fact": (said(FACT, key="column", values=["not json"]), "invalid-message"),
    "long task": (said(TASK, task_id=LONG), "name-too-long"),
    "long event": (said(TASK, event_id=LONG), "name-too-long"),
    "long in bytes": (said(TASK, task_id="\u20ac" * 1400), "name-too-long"),
    "long node": (said(FACT, node="n:" + "\u20ac" * 1400), "name-too-long"),
    "long end of an edge": (said(TASK, edges=[{"source": "n:a", "target": "n:" + "\u20ac" * 1400}]), "name-too-long"),
    "long column": (said(TABLE, columns=[{"name": "\u20ac" * 1400}]), "name-too-long"),
    "long actor": (said(TASK, actor=LONG), "name-too-long"),
}


def good(number: int) -> bytes:
    """A message that is in order."""
    return said(TASK, event_id=f"g{number}", task_id=f"good{number}")


def result(store: Store) -> tuple[list[str], list[str]]:
    """The accepted event ids, and the codes of the dead letters, in order."""
    entries = store.log()
    return [str(e.event_id) for e in entries if not e.rejected_code], [
        e.rejected_code for e in entries if e.rejected_code
    ]


@pytest.mark.parametrize(("raw", "code"), POISON.values(), ids=POISON)
def test_in_a_file(tmp_path: Path, raw: bytes, code: str) -> None:
    """The bytes are kept whole."""
    (tmp_path / "f.jsonl").write_bytes(b"\n".join([good(1), raw, good(2)]))
    store = Store.create(tmp_path / "s")
    with Ingester(store) as ingester:
        ingester.ingest_file(str(tmp_path / "f.jsonl"))

    assert (["g1", "g2"], [code]) == result(store)
    assert raw == store.dead_letters()[0].raw


def test_over_http(tmp_path: Path) -> None:
    """One receipt for each message, whatever is beside it."""
    store = Store.create(tmp_path / "s")
    raw = [raw for poison, _ in POISON.values() for raw in (poison, good(0))]
    receiver = Receiver(str(tmp_path / "s"), None, 1)
    try:
        outcomes = receiver(raw)
    finally:
        receiver.close()

    assert [code for _, code in POISON.values()] == [o.code for o in outcomes[::2]]
    assert ["accepted"] + ["duplicate"] * (len(POISON) - 1) == [o.status for o in outcomes[1::2]]
    assert store.refresh() == len(POISON) + 1


def test_through_a_mapping(tmp_path: Path) -> None:
    """Numbers that no integer holds, and kinds that are none."""
    (tmp_path / "m.toml").write_text(
        '[fields]\nevent_id = "id"\ntask_id = "t"\nop = { value = "offline" }\n'
        'effective_at = { field = "at", unit = "s" }\n'
    )
    mapping = load_mapping(tmp_path / "m.toml")
    for raw in (
        b'{"at": 1e400}',
        b'{"at": 1e308}',
        b'{"id": "\\ud800", "at": 1}',
        b'{"at": 1, "kind": []}',
        b'{"at": []}',
    ):
        found = parse_line(mapping, raw, 3)
        assert isinstance(found, RejectedMessage)
        assert (found.raw, found.position, found.code == catch_all.CODE) == (raw, 3, False)


PYTHON = {
    "surrogate in a name": TaskChange("\ud800", "t", "offline", 1),
    "surrogate in a node": NodeChange("e", "fact", "n:\ud800", "set", 1, fact_key="k"),
    "surrogate in a value": NodeChange("e", "fact", "n:a", "set", 1, fact_key="k", facts=[("n:a", "k", "\ud800")]),
    "surrogate in an edge": TaskChange(
        "e", "t", "online", 1, lineage=Lineage.of([("n:\ud800", "n:b", "DIRECT", "IDENTITY", "")])
    ),
    "surrogate in the reason": TaskChange("e", "t", "offline", 1, reason="\ud800"),
    "counter of 64 bits": TaskChange("e", "t", "offline", 1, source_version=2**63),
    "instant out of range": TaskChange("e", "t", "offline", 2**62),
    "field id": NodeChange("e", "dataset", "n:a", "define", 1, fields=[Field("c", field_id=2**63)]),
    "a text for a time": TaskChange("e", "t", "offline", "now"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("message", PYTHON.values(), ids=PYTHON)
def test_in_python(tmp_path: Path, message: TaskChange) -> None:
    """What the format cannot hold is refused by the store itself, whoever appends."""
    store = Store.create(tmp_path / "s")
    receipts = store.append([TaskChange("g1", "g", "offline", 1), message, TaskChange("g2", "g", "offline", 2)])

    assert [receipt.status for receipt in receipts] == ["accepted", "rejected", "accepted"]
    assert store.dead_letters()[0].raw


def test_no_field_id_is_left(tmp_path: Path) -> None:
    """The greatest id is accepted; the column that would need a greater one is refused, and its own id helps."""
    store = Store.create(tmp_path / "s")
    most = 2**63 - 1

    def define(event: str, *fields: Field) -> str:
        return store.append([NodeChange(event, "dataset", "n:a", "define", 1, fields=fields)])[0].status

    assert define("1", Field("a", field_id=most)) == "accepted"
    assert define("2", Field("a"), Field("b")) == "rejected"
    assert define("3", Field("a"), Field("b", field_id=7)) == "accepted"
    assert [(c.column, c.field_id) for c in store.as_of().columns("n:a")] == [("a", most), ("b", 7)]


def test_a_store_with_a_field_id_too_large_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As an earlier release could leave it: the column has no id, and others are given theirs."""
    store = Store.create(tmp_path / "s")
    with monkeypatch.context() as patched:
        patched.setattr("lineage_tt.write.admission.rules.MAX_INTEGER", 2**64)
        patched.setattr("lineage_tt.model.facts.MAX_INTEGER", 2**64)
        store.append([NodeChange("1", "dataset", "n:a", "define", 1, fields=[Field("a", field_id=2**63)])])
    store = Store.open(tmp_path / "s")
    store.append([NodeChange("2", "dataset", "n:b", "define", 1, fields=[Field("b")])])

    assert [(c.column, c.field_id) for c in store.as_of().columns()] == [("a", None), ("b", 1)]
    assert store.append([NodeChange("3", "dataset", "n:a", "define", 2, fields=[Field("a")])])[0].status == "accepted"
    assert [c.field_id for c in store.as_of().columns("n:a")] == [1]


class Bug(Exception):  # noqa: N818
    """What nobody foresaw."""


def test_a_bug_in_reading_costs_one_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The last net: the message is a dead letter, the bug is logged and counted, and its words are not stored."""

    def parse(raw: bytes, position: int | None) -> Any:
        if b"poison" in raw:
            raise Bug("a secret of the message")
        return real(raw, position)

    real = parse_message
    monkeypatch.setattr(parsing, "parse_message", parse)
    before = catch_all.counted()
    (tmp_path / "f.jsonl").write_bytes(b"\n".join([good(1), b'{"poison": 1}', good(2)]))
    store = Store.create(tmp_path / "s")
    with caplog.at_level(logging.ERROR), Ingester(store) as ingester:
        summary = ingester.ingest_file(str(tmp_path / "f.jsonl"))

    assert summary.reasons == {"internal-error": 1}
    assert result(store) == (["g1", "g2"], ["internal-error"])
    (letter,) = store.dead_letters()
    assert letter.detail.startswith("Bug at parsing.py:")
    assert "secret" not in letter.detail
    assert catch_all.counted() - before == 1
    assert [r.name for r in caplog.records] == ["lineage_tt.bugs"]


class Poisoned:
    """Makes one step of the write path fail on chosen messages."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, step: str, names: Sequence[str]) -> None:
        real = getattr(STEPS[step], step)

        def failing(*given: Any, **options: Any) -> Any:
            if any(name in repr(given[:2]) for name in names):
                raise Bug(step)
            return real(*given, **options)

        monkeypatch.setattr(STEPS[step], step, failing)


@pytest.mark.parametrize("step", STEPS)
def test_a_bug_in_placing_costs_one_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    """Wherever it strikes in a batch, the others are placed as if it had never come."""
    messages = [
        TaskChange(f"e{n}", f"t{n}", "online", n, lineage=Lineage.of([("n:a", f"n:b{n}", "DIRECT", "IDENTITY", "")]))
        for n in range(1, 6)
    ]
    store = Store.create(tmp_path / "s")
    if step == "chain_checksum":  # asked once more for each row, to find the one to blame
        monkeypatch.setattr("lineage_tt.write.batch.chain_checksum", _failing_at("t3", chain_checksum))
        monkeypatch.setattr(log_queries, "chain_checksum", _failing_at("t3", chain_checksum))
    elif step == "task_row":
        Poisoned(monkeypatch, step, ["task_id='t3'"])
    else:
        Poisoned(monkeypatch, step, ["n:b3"])
    receipts = store.append(messages)

    assert [r.status for r in receipts] == ["accepted", "accepted", "rejected", "accepted", "accepted"]
    assert [r.version for r in receipts] == [1, 2, 3, 4, 5]
    assert messages[2].event_id == store.dead_letters()[0].event_id
    assert sorted(edge.target for edge in store.as_of().edges()) == ["n:b1", "n:b2", "n:b4", "n:b5"]
    assert run(["--store", str(tmp_path / "s"), "check"]) == 0


def _failing_at(name: str, real: Any) -> Any:
    def failing(previous: bytes, row: Sequence[Any]) -> bytes:
        if name in row and "accepted" in row:
            raise Bug("checksum")
        done: bytes = real(previous, row)
        return done

    return failing


@pytest.mark.long
def test_a_bug_that_all_meet_costs_a_bounded_number_of_attempts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A batch in which many fail is appended in halves: every message has its dead letter, in order."""
    made: list[int] = []
    real = plan.Plan.__init__

    def counting(self: Any, *given: Any) -> None:
        made.append(1)
        real(self, *given)

    monkeypatch.setattr(plan.Plan, "__init__", counting)
    Poisoned(monkeypatch, "task_row", ["task_id="])
    store = Store.create(tmp_path / "s")
    count = 8 * MAX_REPLACED
    receipts = store.append([TaskChange(f"e{n}", f"t{n}", "offline", 1) for n in range(count)])

    assert ["rejected"] * count == [receipt.status for receipt in receipts]
    assert [f"e{n}" for n in range(count)] == [letter.event_id for letter in store.dead_letters()]
    assert len(made) < 3 * count


def test_a_failure_around_a_message_is_not_its_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that fails, or lack of memory, refuses nothing: the batch can be sent again."""
    store = Store.create(tmp_path / "s")
    for error in (OSError(5, "broken"), MemoryError(), UnavailableError("no")):
        with monkeypatch.context() as patched:
            patched.setattr(rows, "task_row", _raising(error))
            with pytest.raises(LineageError):
                store.append([TaskChange("e", "t", "offline", 1)])
    assert store.append([TaskChange("e", "t", "offline", 1)])[0].status == "accepted"


def _raising(error: Exception) -> Any:
    def fail(*_: Any, **__: Any) -> Any:
        raise error

    return fail


def test_a_bug_in_the_resolver_costs_one_message(tmp_path: Path) -> None:
    """Texts are parsed together; where that fails, each is parsed alone."""

    def resolver(waiting: Sequence[tuple[TaskChange, Any]]) -> list[Lineage]:
        if any(message.sql == "poison" for message, _ in waiting):
            raise Bug("resolver")
        return [Lineage.of([("n:a", f"n:{message.sql}", "DIRECT", "IDENTITY", "")]) for message, _ in waiting]

    store = Store.create(tmp_path / "s")
    texts = ["one", "poison", "two", "three"]
    receipts = store.append([TaskChange(f"e{t}", t, "online", 1, sql=t) for t in texts], resolver=resolver)

    assert [receipt.status for receipt in receipts] == ["accepted", "rejected", "accepted", "accepted"]
    assert sorted(edge.target for edge in store.as_of().edges()) == ["n:one", "n:three", "n:two"]


def test_a_name_found_in_sql_is_bounded_too(tmp_path: Path) -> None:
    """A text may name what no message could."""
    store = Store.create(tmp_path / "s")
    long = "n:" + "x" * 5000

    def resolver(waiting: Sequence[tuple[TaskChange, Any]]) -> list[Lineage]:
        return [Lineage.of([("n:a", long, "DIRECT", "IDENTITY", "")]) for _ in waiting]

    assert store.append([TaskChange("e", "t", "online", 1, sql="x")], resolver=resolver)[0].status == "rejected"
    assert result(store) == ([], ["name-too-long"])


def test_a_long_name_does_not_make_the_log_longer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In a store of an earlier release: the cells beside a very long one are not padded to its width."""
    store = Store.create(tmp_path / "s")
    store.append([TaskChange(f"e{n}", f"t{n}", "offline", 1) for n in range(200)])
    from lineage_tt.cli.render.ink import Ink
    from lineage_tt.cli.render.pages import log_page

    entries = store.log()
    entries[7] = entries[7]._replace(task_id="x" * 1_000_000)
    printed = sum(map(len, log_page(entries, Ink())))

    assert 1_000_000 < printed < 1_250_000
