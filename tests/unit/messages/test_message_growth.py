"""Short messages that would grow into far more than they are: rejected in words, in time and memory of their size."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from ingest.events.files import events_in
from ingest.events.openlineage import describing
from ingest.events.openlineage.reading import parse_event
from ingest.messages.lines import Lines
from ingest.messages.native import parse_message
from ingest.messages.parsing import parse_line
from lineage_tt import Store
from lineage_tt.model.messages import NodeChange, RejectedMessage
from lineage_tt.testing import task_change

MIB = 1 << 20


def dataset(columns: list[dict[str, Any]]) -> bytes:
    """A message that defines columns."""
    said = {
        "kind": "dataset",
        "op": "define",
        "event_id": "e",
        "dataset": "n:d",
        "effective_at": "2024-01-01T00:00:00Z",
    }
    return json.dumps(said | {"columns": columns}).encode()


def nested(levels: int, name: str, leaves: int) -> list[dict[str, Any]]:
    """One struct in another, and many fields in the innermost."""
    columns: list[dict[str, Any]] = [{"name": f"c{number}"} for number in range(leaves)]
    for _ in range(levels):
        columns = [{"name": name, "fields": columns}]
    return columns


@pytest.mark.long
def test_a_key_that_occurs_twice_is_named_at_once() -> None:
    """Of 400,000 keys the last one is there twice; to compare each with all others would take hours."""
    pairs = ",".join(f'"k{number}":""' for number in range(400_000))
    task = b'"event_id":"e","task_id":"t","op":"online","effective_at":"2024-01-01T00:00:00Z"'
    text = b'"sql":"SELECT 1","dialect":"hive","namespace":"h"'
    found = parse_message(b'{%s,%s,"params":{%s,"k399999":""}}' % (task, text, pairs.encode()))

    assert isinstance(found, RejectedMessage)
    assert "'k399999' occurs more than once" in found.detail


@pytest.mark.long
def test_paths_of_struct_fields_do_not_outgrow_their_message() -> None:
    """Each field's node repeats the names above it: 100,000 fields under 100 kB of names would be 10 GB."""
    raw = dataset(nested(30, "x" * 4000, 100_000))
    tracemalloc.start()
    found = parse_message(raw)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert isinstance(found, RejectedMessage)
    assert "paths have more than" in found.detail
    assert most < 20 * len(raw) + 64 * MIB


def test_deep_and_wide_structs_that_people_have_are_taken() -> None:
    """Twenty levels of short names with a thousand fields are a message as others."""
    found = parse_message(dataset(nested(20, "level", 1000)))

    assert isinstance(found, NodeChange)
    assert len(found.fields) == 1020


@pytest.mark.long
def test_a_schema_facet_with_long_paths_counts_as_none() -> None:
    """An event's schema is bounded in the same way; the rest of the event holds."""
    facets = {"schema": {"fields": nested(30, "x" * 4000, 100_000)}}

    assert describing.schema_fields(facets) == ()
    assert [each.name for each in describing.schema_fields({"schema": {"fields": nested(3, "a", 9)}})] == ["a"]


@pytest.mark.parametrize("policy", ["keep", "mask-literals", "drop-text"])
@pytest.mark.parametrize("levels", [50, 300, 700, 990, 5000])
@pytest.mark.parametrize("pair", ["[]", ['{"a":', "}"], ['{"sql":[', "]}"]], ids=["lists", "objects", "texts"])
def test_a_deep_message_with_a_credential_is_one_dead_letter(
    tmp_path: Path, policy: str, levels: int, pair: list[str]
) -> None:
    """JSON that is nested deeper than a program can follow, with a password in it, ended the ingest of all others."""
    store = Store.create(tmp_path / "store")
    if policy != "keep":
        store.set_text_policy(policy, "a test")
    said = '{"kind":"nothing","password":"hunter2","url":"http://a:hunter2@h/","x":%s}'
    deep = parse_line(None, (said % (pair[0] * levels + '"SELECT 1"' + pair[1] * levels)).encode(), 1)
    assert deep is not None
    found = store.append([deep, task_change("t", "online", 0, [("n:a#x", "n:b#x")])])

    assert [each.status for each in found] == ["rejected", "accepted"]
    assert [letter.code for letter in store.dead_letters()] != ["internal-error"]
    assert b"hunter2" not in b"".join(letter.raw for letter in store.dead_letters())
    assert [each.status for each in store.append([deep])] == ["duplicate"]


@pytest.mark.parametrize("levels", [50, 300, 990, 5000])
def test_a_deep_event_is_refused_in_words(levels: int) -> None:
    """An event of OpenLineage with a deep facet is taken, or refused with a reason: it is not a bug of ours."""
    said = (
        '{"eventTime":"2024-01-01T00:00:00Z","eventType":"COMPLETE","producer":"p","schemaURL":"s","run":{"runId":"r"},'
        '"job":{"namespace":"n","name":"j","facets":{"f":%s}},"inputs":[],"outputs":[{"namespace":"n","name":"o"}]}'
    )
    found = parse_event((said % ("[" * levels + "]" * levels)).encode())

    assert isinstance(found, RejectedMessage) == (levels > 250)
    assert getattr(found, "code", "") != "internal-error"


@pytest.mark.parametrize("levels", [300, 990])
def test_a_deep_event_in_an_array_is_refused_alone(tmp_path: Path, levels: int) -> None:
    """A file that is one array: the events beside a deep one are read, and each deep one has a refusal of its own."""
    deep = "[" * levels + "]" * levels
    (tmp_path / "events.json").write_text(f'[{{"a": 1}},\n{{"x": {deep}}},\n{{"y": {deep}}}, {{"b": 2}}]')
    with Lines(str(tmp_path / "events.json")) as lines:
        found = list(events_in(lines))

    refused = [each for each in found if isinstance(each, RejectedMessage)]
    assert [found[0], found[3]] == [b'{"a":1}', b'{"b":2}']
    assert [each.position for each in refused] == [1, 2]
    assert len({each.raw for each in refused}) == 2
