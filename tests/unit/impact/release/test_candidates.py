"""Candidates as they are read, as they travel, and as the messages that a deployment would send."""

from __future__ import annotations

from typing import Any

import pytest
from plain_base import candidate

from lineage_tt.impact.release.candidates import Candidate, distinct, fields_without_effect, read_candidate
from lineage_tt.model.edges import Edge
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.facts import Field

SQL = {"task_id": "t", "sql": "SELECT 1", "dialect": "trino"}
COLUMNS: dict[str, Any] = {"kind": "dataset", "dataset": "n:a", "columns": [{"name": "x"}]}


def test_a_message_of_the_native_format_is_a_candidate() -> None:
    """What only a message has is passed over, its time is named; whether a task is new is for the base to say."""
    given = {**SQL, "kind": "task", "op": "online", "event_id": "e", "effective_at": "2024-01-01T00:00:00Z", "odd": 1}

    known: dict[str, Any] = {"dialect": "trino", "namespace": "trino", "unused": ("effective_at",)}
    assert read_candidate(given) == Candidate("t", "update", "SELECT 1", **known)


def test_defaults_fill_what_is_not_said() -> None:
    """A namespace that nobody states is that of the dialect; None says nothing, neither here nor there."""
    defaults = {"dialect": "spark", "namespace": None, "default_database": "dw"}

    made = read_candidate({"task_id": "t", "sql": "SELECT 1", "target": None, "params": {"é": "1"}}, defaults)
    own = read_candidate({**SQL, "namespace": "n", "default_database": ""}, defaults)

    assert made == Candidate(
        "t", sql="SELECT 1", dialect="spark", namespace="spark", default_database="dw", params={"é": "1"}
    )
    assert (own.dialect, own.namespace, own.default_database) == ("trino", "n", "")


def test_a_task_that_goes_offline_needs_no_text() -> None:
    """What it would say is passed over and noted; its file and what it was are kept."""
    made = read_candidate({**SQL, "op": "offline", "path": "a.sql", "earlier": {"sql": "SELECT 2", "dialect": "hive"}})

    earlier = Candidate("t", sql="SELECT 2", dialect="hive", namespace="hive")
    assert made == Candidate("t", "offline", path="a.sql", earlier=earlier, unused=("sql", "dialect"))


@pytest.mark.parametrize(
    ("message", "fields"),
    [
        ({"op": "offline", "edges": [], "namespace": "", "params": {}, "target": None}, ("edges",)),
        ({"edges": [], "dialect": "spark", "target": "n:a", "sql": None, "path": "a"}, ("dialect", "target")),
        ({"sql": "SELECT 1", "dialect": "spark", "params": {"a": "b"}}, ()),
    ],
)
def test_fields_that_say_nothing_are_listed(message: dict[str, Any], fields: tuple[str, ...]) -> None:
    """A text of a task that ends, and how to read a text where there is none."""
    assert fields_without_effect(message) == fields


def test_the_earlier_text_is_of_the_same_task_and_has_none_before_it() -> None:
    """Whatever it says itself; it is read under the same defaults."""
    given = {"task_id": "t", "sql": "SELECT 1", "earlier": {"task_id": "x", "sql": "SELECT 2", "earlier": {"sql": 7}}}

    earlier = read_candidate(given, {"dialect": "spark"}).earlier

    assert earlier == Candidate("t", sql="SELECT 2", dialect="spark", namespace="spark")


def test_edges_are_sorted_distinct_and_have_their_usual_kinds() -> None:
    """DIRECT is IDENTITY, INDIRECT is FILTER, where no subtype is given; no dialect is needed."""
    given = [{"source": "n:b#x", "target": "n:c"}, {"source": "n:a#x", "target": "n:c", "type": "INDIRECT"},
             {"source": "n:b#x", "target": "n:c", "type": "DIRECT", "subtype": "IDENTITY", "expression": ""},
             {"source": "n:b#x", "target": "n:c", "subtype": "AGGREGATION", "expression": "sum(x)"}]  # fmt: skip

    assert read_candidate({"task_id": "t", "edges": given}).edges == (
        Edge("n:a#x", "n:c", "INDIRECT", "FILTER"),
        Edge("n:b#x", "n:c", "DIRECT", "AGGREGATION", "sum(x)"),
        Edge("n:b#x", "n:c"),
    )
    assert read_candidate({"task_id": "t", "edges": []}).edges == ()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("t", "is a JSON object"),
        ({"kind": "fact", "node": "n:a"}, "has kind 'fact'"),
        ({"sql": "SELECT 1"}, "has no task_id"),
        ({**SQL, "task_id": ""}, "has no task_id"),
        ({**SQL, "task_id": 7}, "has no task_id"),
        ({**SQL, "op": "retract"}, "'t' has op 'retract'"),
        ({**SQL, "sql": 7}, "sql of the candidate 't' is not a text"),
        ({**SQL, "target": ["x"]}, "target of the candidate 't' is not a text"),
        ({"task_id": "t"}, "needs either sql or edges"),
        ({**SQL, "edges": []}, "needs either sql or edges"),
        ({"task_id": "t", "sql": "SELECT 1"}, "has no dialect"),
        ({**SQL, "params": {"day": 1}}, "params of the candidate 't' is not an object of texts"),
        ({**SQL, "params": ["day"]}, "params of the candidate 't' is not an object of texts"),
        ({**SQL, "earlier": "SELECT 2"}, "earlier of the candidate 't' is not a JSON object"),
        ({"task_id": "t", "edges": "n:a"}, "edges of the candidate 't' is not a list"),
        ({"task_id": "t", "edges": [{"source": "n:a"}]}, "has no source and target"),
        ({"task_id": "t", "edges": [{"source": "a", "target": "n:b"}]}, "has no source and target"),
        ({"task_id": "t", "edges": ["n:a"]}, "has no source and target"),
        ({"task_id": "t", "edges": [{"source": "n:a", "target": "n:b", "subtype": "FILTER"}]}, "subtype 'FILTER'"),
        ({"task_id": "t", "edges": [{"source": "n:a", "target": "n:b", "type": "direct"}]}, "type 'direct'"),
        ({"kind": "dataset", "dataset": "a", "columns": [{"name": "x"}]}, "has dataset 'a'"),
    ],
)  # fmt: skip
def test_what_is_no_candidate_is_refused_with_its_field(given: Any, words: str) -> None:
    """The words say which candidate it is, and of what."""
    with pytest.raises(InvalidRequestError, match=words):
        read_candidate(given)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({**SQL, "taget": "bi:x"}, "the candidate 't' has a field 'taget', which is not known; did you mean target"),
        ({**SQL, "defaultDatabase": "dw"}, "'defaultDatabase', which is not known; did you mean default_database"),
        ({**SQL, "opp": "offline"}, "did you mean op"),
        ({"task_id": "t", "sqll": "SELECT 1"}, "did you mean sql"),
        ({**SQL, "earlier": {"sql": "SELECT 2", "dialct": "hive"}}, "did you mean dialect"),
        ({"task_id": "t", "edges": [{"source": "n:a", "target": "n:b", "subtyp": "JOIN"}]}, "an edge of the candidate"),
        ({"kind": "dataset", "dataset": "n:a", "columns": [{"name": "x", "fields": [{"name": "y", "typ": "INT"}]}]},
         "a column of the candidate 'n:a' has a field 'typ'"),
        ({"task_id": "t", "op": "offline", "dataset": "n:a"}, "'t' has kind task, and also dataset"),
        ({**COLUMNS, **SQL}, "has kind dataset, and also sql and task_id"),
        ({**COLUMNS, "op": "drop"}, "op 'drop', and also columns"),
        ({**SQL, "earlier": {**SQL, "edges": []}}, "needs either sql or edges"),
    ],
)  # fmt: skip
def test_a_field_that_would_be_ignored_is_refused(given: Any, words: str) -> None:
    """A release was judged without what the field says, as if it were not there; now the nearest name is named."""
    with pytest.raises(InvalidRequestError, match=words):
        read_candidate(given)


def test_fields_of_messages_are_no_misspellings() -> None:
    """``labels`` or ``field_id`` say nothing about lineage, and resemble nothing that is missing."""
    more = {"owners": ["ana"], "labels": ["pii"], "description": "d", "priority": 1, "source_version": 3, "reason": "r"}
    columns = [{"name": "x", "field_id": 7, "description": "d", "labels": ["pii"]}]

    assert read_candidate({**SQL, **more}).sql == "SELECT 1"
    assert read_candidate({"kind": "dataset", "dataset": "n:a", "columns": columns, **more}).fields == (Field("x"),)


@pytest.mark.parametrize(
    "sent",
    [
        candidate("t", "SELECT 1", target="bi:x", params={"day": "1"}, path="é.sql"),
        candidate("t", None, ("n:a#x", "n:b", "INDIRECT", "JOIN", "a = b"), ("n:a#x", "n:b#x")),
        Candidate("t", "offline", path="a.sql", earlier=candidate("t", "SELECT 1")),
        Candidate.of_dataset({"dataset": "hive:ods.a", "op": "drop"}, "a.json"),
        Candidate.of_dataset({"dataset": "hive:ods.a", "columns": [
            {"name": "id", "type": "INT", "mode": "REQUIRED", "renamed_from": "key"},
            {"name": "who", "fields": [{"name": "name", "fields": [{"name": "last", "type": "STRING"}]}]},
            {"name": "name"}]}),
    ],
    ids=["sql", "edges", "offline", "drop", "define"],
)  # fmt: skip
def test_a_candidate_arrives_at_a_server_as_it_was(sent: Candidate) -> None:
    """Structs in structs, too."""
    assert read_candidate(sent.to_json()) == sent


def test_a_message_says_what_the_candidate_does() -> None:
    """A text is to be read, edges are the lineage, offline has none; a dataset has its columns and their types."""
    sql, edges, gone = (each.message(5) for each in (
        candidate("t", "SELECT 1", target="bi:x", params={"day": "1"}),
        candidate("t", None, ("n:b", "n:c"), ("n:a", "n:c"), ("n:b", "n:c")), Candidate("t", "offline"),
    ))  # fmt: skip
    fields = (Field("id", "INT"), Field("who", "RECORD"), Field("who.name", "STRING", nested=True))
    declared = Candidate("dataset:n:a", dataset="n:a", fields=fields).message(5).lineage

    assert (sql.sql, sql.dialect, sql.namespace, sql.default_database) == ("SELECT 1", "spark", "hive", "dw")
    assert (sql.target, sql.params, sql.effective_at, sql.lineage) == ("bi:x", {"day": "1"}, 5, None)
    assert edges.lineage is not None
    assert edges.lineage.ordered_edges() == [Edge("n:a", "n:c"), Edge("n:b", "n:c")]
    assert gone.lineage is not None
    assert (gone.op, list(gone.lineage.ordered_edges()), gone.lineage.coverage) == ("offline", [], "complete")
    assert declared is not None
    assert (declared.outputs, list(declared.ordered_edges())) == ([("n:a", ("id", "who"))], [])


def test_two_candidates_of_one_task_are_refused() -> None:
    """Both places are named; what came from no file came from standard input."""
    one, other, third = candidate("t", "SELECT 1", path="a.sql"), candidate("t", "SELECT 1"), candidate("u", "SELECT 1")

    assert distinct([one, third]) == [one, third]
    with pytest.raises(InvalidRequestError, match=r"'t' is mapped twice: a\.sql and standard input"):
        distinct([one, third, other])
