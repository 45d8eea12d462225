"""Field mapping: another platform's messages become task changes by a TOML file."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

from ingest.messages.mapping import FieldMapping, load_mapping
from ingest.messages.parsing import parse_line
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.messages import Message, NodeChange, RejectedMessage, TaskChange

MAPPING = r"""
ignore = { kind = ["heartbeat", 7] }

[fields]
event_id = { template = "{job.id}-{seq}" }
task_id = "job.id"
op = { field = "action", map = { create = "online", drop = "offline" }, default = "update" }
effective_at = { field = "at", unit = "ms" }
actor = { field = "who", default = "unknown" }

[edges]
field = "edges"
source = { field = "0", pattern = '(.*)\.(.*)', template = "hive:{1}#{2}" }
target = { field = "1", pattern = '(.*)\.(.*)', template = "hive:{1}#{2}" }
"""
MESSAGE = {
    "job": {"id": "j1"}, "seq": 3, "action": "create", "at": 1_767_225_600_000,
    "edges": [["ods.a.x", "dw.b.y"]], "colour": "blue",
}  # fmt: skip


@pytest.fixture
def mapping(tmp_path: Path) -> FieldMapping:
    """A mapping that uses every kind of rule."""
    (tmp_path / "m.toml").write_text(MAPPING)
    return load_mapping(tmp_path / "m.toml")


def apply(mapping: FieldMapping, **fields: object) -> Message | None:
    """Map the sample message with some fields changed."""
    return parse_line(mapping, json.dumps(MESSAGE | fields).encode(), 0)


def test_every_rule_finds_its_value(mapping: FieldMapping) -> None:
    """Paths, templates, patterns, translations, units and defaults each give their field."""
    change = apply(mapping)

    assert isinstance(change, TaskChange)
    assert (change.event_id, change.task_id, change.op, change.actor) == ("j1-3", "j1", "online", "unknown")
    assert change.effective_at == 1_767_225_600_000_000
    assert change.lineage is not None
    assert change.lineage.edges[0][:2] == ("hive:ods.a#x", "hive:dw.b#y")


def test_what_no_rule_names_is_kept_as_an_attribute(mapping: FieldMapping) -> None:
    """Fields of the platform that the store has no place for are not lost."""
    change = apply(mapping)

    assert isinstance(change, TaskChange)
    assert json.loads(change.attributes or "") == {"colour": "blue"}


@pytest.mark.parametrize("kind", ["heartbeat", 7])
def test_messages_to_ignore_give_nothing(mapping: FieldMapping, kind: object) -> None:
    """A message that the mapping names as no task change leaves no trace."""
    assert apply(mapping, kind=kind) is None


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"edges": [["nodots", "dw.b.y"]]}, "does not match"),
        ({"at": "soon"}, "not a number"),
        ({"action": "explode"}, "op"),
        ({"edges": 5}, "int"),
        ({"seq": None}, "event_id"),
    ],
)
def test_a_message_that_does_not_fit_is_refused_with_its_bytes(
    mapping: FieldMapping, fields: dict[str, object], word: str
) -> None:
    """A mapping that finds no sensible value refuses the message; nothing is guessed."""
    refused = apply(mapping, **fields)

    assert isinstance(refused, RejectedMessage)
    assert word in refused.detail
    assert json.loads(refused.raw) == MESSAGE | fields


def test_a_time_beyond_every_number_is_the_messages_fault(mapping: FieldMapping) -> None:
    """1e999 is read as infinity, which was an error of our own where it was scaled."""
    refused = parse_line(mapping, json.dumps(MESSAGE | {"at": 7}).replace(": 7,", ": 1e999,").encode(), 0)

    assert isinstance(refused, RejectedMessage)
    assert (refused.code, refused.detail.partition(":")[0]) == (
        "invalid-message",
        "inf is not a number of seconds, milliseconds or microseconds",
    )


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("[fields]\nnonsense = 'a'", "nonsense"),
        ("[fields]\nop = { fild = 'a' }", "fild"),
        ("[fields]\nop = { pattern = '(' , field = 'a', template = 'b' }", "op"),
        ("[fields]\neffective_at = { field = 'a', unit = 'fortnights' }", "unit"),
        ("fields = 3", "fields"),
        ("[fields", "TOML"),
    ],
)
def test_a_wrong_mapping_file_is_named_with_what_is_wrong(tmp_path: Path, text: str, word: str) -> None:
    """Mistakes in the mapping come to light when it is read, not at the first message."""
    (tmp_path / "m.toml").write_text(text)

    with pytest.raises(InvalidRequestError, match=word):
        load_mapping(tmp_path / "m.toml")


def test_a_mapping_travels_to_another_process(mapping: FieldMapping) -> None:
    """Long files are validated in a second process, so a mapping can be pickled."""
    again = pickle.loads(pickle.dumps(mapping))

    assert apply(again) == apply(mapping)


@pytest.mark.parametrize("name", ["bqetl_stream", "bqetl_stream_occurred"])
def test_shipped_mappings_are_found_by_name(name: str) -> None:
    """A mapping that comes with the package is loaded by its bare name."""
    line = {
        "event_id": "e", "task_id": "p.d.t", "op": "offline", "recorded_at": "2024-01-02T00:00:00Z",
        "occurred_at": "2024-01-01T00:00:00Z", "dialect": "bigquery", "target": "p.d.t", "sql": None,
    }  # fmt: skip

    change = parse_line(load_mapping(name), json.dumps(line).encode(), 0)

    assert isinstance(change, TaskChange)
    assert change.default_database == "p"
    assert change.target == "bigquery:p.d.t"


def test_a_refused_message_names_its_task_and_what_the_mapping_found_missing(tmp_path: Path) -> None:
    """Ids come through the mapping; a field that the message lacks is named, with the near one that it has."""
    (tmp_path / "m.toml").write_text('[fields]\nevent_id = "id"\ntask_id = "job"\nop = "acton"\nsql = "text"')
    mapping = load_mapping(tmp_path / "m.toml")

    refused = parse_line(mapping, b'{"id": "e1", "job": "j1", "action": "online"}', 0)

    assert isinstance(refused, RejectedMessage)
    assert (refused.event_id, refused.task_id) == ("e1", "j1")
    expected = "op: is missing (the mapping takes it from 'acton', which the message lacks; did you mean action?)"
    assert refused.detail == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[fields]\nevnt_id = 'x'", "evnt_id: no such field of a task change; did you mean event_id?"),
        ("[fields]\nop = 'x'\n[edge]\nfield = 'e'", "edge: there is no such key here; did you mean edges?"),
        ("[fields]\nop = { feild = 'x' }", "fields.op.feild: there is no such key here; did you mean field?"),
        ("ignore = 3\n[fields]\nop = 'x'", "ignore: must be an object"),
        ("[edges]\nfield = 'e'", "fields: is missing"),
    ],
)
def test_a_wrong_mapping_is_explained_in_our_words(tmp_path: Path, text: str, words: str) -> None:
    """A key that does not exist is named with the nearest that does; no class of a library is."""
    (tmp_path / "m.toml").write_text(text)

    with pytest.raises(InvalidRequestError) as raised:
        load_mapping(tmp_path / "m.toml")

    assert words in str(raised.value)


def test_a_field_of_an_edge_that_no_rule_takes_is_named_if_an_edge_has_such_a_one(tmp_path: Path) -> None:
    """Edges of the type INDIRECT became DIRECT where [edges] had no rule for it; the platform's own are left alone."""
    (tmp_path / "m.toml").write_text(
        '[fields]\nop = { value = "update" }\n[edges]\nfield = "links"\nsource = "from"\ntarget = "to"\n'
    )
    edge = {"from": "a:b#c", "to": "a:d#c", "typ": "INDIRECT", "weight": 1}
    message = {"event_id": "e", "task_id": "t", "effective_at": "2026-01-01T00:00:00Z", "links": [edge], "params": {}}
    mapping = load_mapping(tmp_path / "m.toml")
    change = parse_line(mapping, json.dumps({**message, "retracts": "x"}).encode(), 0)
    plain = parse_line(mapping, json.dumps({**message, "links": [{"from": "a:b", "to": "a:c"}]}).encode(), 0)

    assert isinstance(change, TaskChange)
    assert isinstance(plain, TaskChange)
    assert change.without_effect == [
        "'links.0.typ' is not kept and has no effect: [edges] of the mapping has no rule for type"
    ]
    assert plain.without_effect == ()


def test_unknown_fields_of_mapped_columns_are_named() -> None:
    """As those of native messages are."""
    columns = [{"name": "x", "typ": "STRING"}]
    line = {"kind": "dataset", "event_id": "e", "dataset": "p.d.t", "op": "define", "columns": columns}
    change = parse_line(
        load_mapping("bqetl_stream"), json.dumps({**line, "recorded_at": "2024-01-02T00:00:00Z"}).encode(), 0
    )

    assert isinstance(change, NodeChange), change
    assert change.without_effect == ["'columns.0.typ' is not kept and has no effect; did you mean type?"]


@pytest.mark.parametrize(
    ("table", "words"),
    [("ignore = { kind = [] }", "kind has no values, so that no message fits"),
     ("dataset = { when = {}, fields = { op = 'op' } }", "when is empty, so that no message fits"),
     ("dataset = { when = { kind = [] }, fields = { op = 'op' } }", "kind has no values")],
)  # fmt: skip
def test_conditions_that_no_message_fits_are_refused(tmp_path: Path, table: str, words: str) -> None:
    """They were taken, and the rules under them never counted."""
    (tmp_path / "m.toml").write_text(f"{table}\n[fields]\nop = 'op'")
    with pytest.raises(InvalidRequestError, match=words):
        load_mapping(tmp_path / "m.toml")


def test_a_misspelt_name_in_keep_is_a_problem_of_the_messages(tmp_path: Path) -> None:
    """The field was lost. A kept field that a message lacks is none, nor are numbered ones."""
    (tmp_path / "m.toml").write_text(f'keep = ["color", "tag1", "other"]\n{MAPPING}')
    mapping = load_mapping(tmp_path / "m.toml")
    change = apply(mapping, tag2="x")

    assert isinstance(change, TaskChange)
    assert list(change.without_effect) == ["keep names 'color', which the message lacks; did you mean colour?"]
    change = apply(mapping, color="red", tag1="x")
    assert isinstance(change, TaskChange)
    assert (list(change.without_effect), change.attributes) == ([], '{"color": "red", "tag1": "x"}')
