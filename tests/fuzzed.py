"""Fuzzed messages between valid ones, and the assertions on a store that received them over any interface."""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from lineage_tt import Store
from lineage_tt.maintenance.check import check
from lineage_tt.model.redaction.credentials import mask_bytes
from lineage_tt.write.admission import catch_all

#: Number of messages for each interface; ``scripts/faults messages`` sends 100,000.
COUNT = int(os.environ.get("LINEAGE_TT_FUZZED", "1500"))
SEED = int(os.environ.get("LINEAGE_TT_SEED", "20261123"))
#: Maximum seconds that an interface may take for all messages.
SECONDS = 120 + COUNT // 100

TASK = {
    "event_id": "e", "task_id": "t", "op": "online", "effective_at": 1,
    "edges": [{"source": "n:a#x", "target": "n:b#y", "type": "DIRECT", "subtype": "IDENTITY", "expression": "x"}],
    "actor": "a", "reason": "r", "params": {"p": "1"}, "owners": ["o"], "labels": ["l"], "source_version": 1,
}  # fmt: skip
SQL = {
    "event_id": "e", "task_id": "s", "op": "update", "effective_at": "2024-05-01T00:00:00Z",
    "sql": "INSERT INTO d.t SELECT x.a AS b FROM d.s AS x", "dialect": "hive", "namespace": "hive",
}  # fmt: skip
TABLE = {
    "kind": "dataset", "event_id": "e", "dataset": "n:a", "op": "define", "effective_at": 1,
    "columns": [{"name": "x", "type": "STRUCT<y INT>", "fields": [{"name": "y", "field_id": 7, "labels": ["l"]}]}],
    "labels": ["l"], "owners": ["o"], "description": "d",
}  # fmt: skip
FACT = {
    "kind": "fact", "event_id": "e", "node": "n:a#x", "key": "label", "op": "set", "effective_at": 1, "values": ["v"],
}  # fmt: skip
#: Values that replace the value of a field, as JSON texts, because Python cannot represent some of them.
HOSTILE = [
    "null", "true", "[]", "{}", "[[]]", '[{"name": "x"}]', '""', '"x"', "0", "-1", "1.5", "1e400", "-1e400", "NaN",
    str(2**31), str(2**53), str(2**63 - 1), str(2**63), str(2**64 - 1), str(2**64), str(-(2**63)), "9" * 400,
    '"\\ud800"', '"\\udfff\\ud800"', '"\\ud83d\\ude00"', '"\\u0000"', '"\\u001b[31m"', '"\\u202e"', '"\\u009b"',
    '"' + "x" * 5000 + '"', '"n:' + "\u20ac" * 2000 + '"', '"subscription:x"', '"token:x"', '"policy:x#y"', '"task:"',
    '"n:a#"', '"#"', '":"', '"n:a#b#c"', '"=1+1"', '"2024-05-01"', '"9999-12-31T23:59:59.999999-23:59"', '"column"',
    '"0001-01-01T00:00:00+23:59"', '"retract"', '"dataset"', '"fact"', '"task"', '["kind"]', '{"\\ud800": 1}',
    "[" * 60 + "]" * 60, "[" * 3000 + "]" * 3000, '"' + "SELECT " + "(" * 40 + "1" + ")" * 40 + '"',
]  # fmt: skip


def good(number: int) -> bytes:
    """Return a valid message of its own task."""
    edge = {"source": f"good:a#c{number}", "target": f"good:b{number % 50}#d"}
    given = {"event_id": f"good{number}", "task_id": f"good{number}", "op": "online", "effective_at": number + 1}
    return json.dumps(given | {"edges": [edge]}).encode()


def lines(count: int = COUNT, seed: int = SEED) -> list[bytes]:
    """Return ``count`` messages, alternately valid and fuzzed; none is blank or contains a line end.

    The second message is valid SQL of its own task, so that a text is in force whatever the fuzzed messages do.
    """
    print("seed", seed)
    rng = random.Random(seed)
    messages = [good(n) if n % 2 == 0 else fuzzed(rng, n) for n in range(count)]
    messages[1] = json.dumps(SQL | {"event_id": "f1", "task_id": "text", "effective_at": 1}).encode()
    return messages


def fuzzed(rng: random.Random, number: int) -> bytes:
    """Return one invalid or unusual message."""
    base = rng.choices((TASK, SQL, TABLE, FACT), (5, 1, 3, 3))[0] | {"event_id": f"f{number}"}
    text = json.dumps(base)
    way = rng.randrange(10)
    if way < 6:
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            text = _with_hostile_value(rng, text)
        return text.encode("utf-8", "surrogatepass")
    if way == 6:
        return _cut(rng, text.encode())
    if way == 7:
        return _flipped(rng, text.encode())
    if way == 8:
        key = rng.choice([*base, "extra", "kind", "\u202e"])
        return (text[:-1] + f', "{key}": {rng.choice(HOSTILE)}}}').encode()
    return rng.choice(HOSTILE).encode()


def _with_hostile_value(rng: random.Random, text: str) -> str:
    """Replace one value, at any depth, by a hostile text."""
    mark = "\uffffplace\uffff"
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):  # an earlier replacement cannot be parsed by Python
        return text
    places = list(_places(document))
    if not places:
        return text
    holder, key = rng.choice(places)
    holder[key] = mark
    return json.dumps(document, ensure_ascii=False).replace(f'"{mark}"', rng.choice(HOSTILE), 1)


def _places(value: Any, depth: int = 0) -> Iterator[tuple[Any, Any]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in list(items):
        yield value, key
        if depth < 6:
            yield from _places(below, depth + 1)


def _cut(rng: random.Random, data: bytes) -> bytes:
    return data[: rng.randrange(1, len(data))]


def _flipped(rng: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 4, 20))):
        changed[rng.randrange(len(changed))] = rng.choice([b for b in range(256) if b not in b"\r\n"])
    return bytes(changed)


def assert_each_is_accounted_for(folder: Path, given: Sequence[bytes]) -> None:
    """Assert that each message is a version or a duplicate, valid messages are complete, and no bug occurred."""
    store = Store.open(folder)
    entries = store.log()
    letters = store.dead_letters()
    bugs = [(letter.detail[:100], letter.raw[:500]) for letter in letters if letter.code == catch_all.CODE]
    assert bugs[:3] == []
    raw = Counter(letter.raw for letter in letters)
    assert [message[:500] for message, times in raw.items() if times > 1] == []
    assert [message[:500] for message in set(raw) - set(map(mask_bytes, given))] == []
    own = [entry for entry in entries if entry.derived_from is None]
    accepted = {str(entry.event_id) for entry in own if not entry.rejected_code}
    wanted = {f"good{number}" for number in range(0, len(given), 2)}
    assert sorted(wanted - accepted)[:5] == []
    edges = {(edge.task_id, edge.source, edge.target) for edge in store.as_of(10**15).edges()}
    stated = {(f"good{n}", f"good:a#c{n}", f"good:b{n % 50}#d") for n in range(0, len(given), 2)}
    assert sorted(stated - edges)[:5] == []
    assert [finding for finding in check(folder) if finding.kind == "damage"] == []
    view = store.as_of(10**15)
    assert len(view.tasks()) >= len(wanted)
    assert {column.dataset for column in view.columns()} >= {"hive:d.t"}
    assert {fact.key for fact in view.facts()} >= {"label", "owner"}
    assert {entry.event_id for entry in store.changes()} >= wanted


def assert_counts(received: int, accepted: int, rejected: int, duplicates: int, given: Sequence[bytes]) -> None:
    """Assert that each message was accepted, became a dead letter, or was a duplicate."""
    assert received == len(given)
    assert accepted + rejected + duplicates == len(given)
    assert rejected > len(given) // 10, "the fuzzing does nothing"
    assert accepted >= (len(given) + 1) // 2
