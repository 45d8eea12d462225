"""Contents as bytes with a fingerprint, and the messages that they become."""

from __future__ import annotations

from typing import Any

import pytest

from ingest.events.openlineage.datasets import Content
from ingest.events.openlineage.statement import Statement
from ingest.events.runs import contents
from lineage_tt.model.facts import Field
from lineage_tt.model.messages import Lineage, NodeChange, Problem, TaskChange

EDGE = ("d:a#x", "d:b#y", "DIRECT", "IDENTITY", "")
OTHER = ("d:c#x", "d:b#y", "DIRECT", "IDENTITY", "")
ABOUT: dict[str, Any] = {"cause": "run r"}


def packed(*edges: Any, facts: Any = (), **more: Any) -> tuple[bytes, bytes]:
    """A task's content."""
    return contents.pack_statement(Statement("t", Lineage(edges=list(edges), ordered=True, **more), list(facts), True))


def problem(subject: str, detail: str = "", code: str = "opaque-call") -> dict[str, Any]:
    """A lineage with a problem."""
    return {"problems": [Problem(code, detail, subject)], "coverage": "partial"}


def test_subjects_of_tasks_and_facets_are_told_apart() -> None:
    """A task may be called like anything."""
    task, facet = contents.task_subject("facet"), contents.facet_subject("schema", "d:a")

    assert (contents.is_task(task), contents.is_task(facet)) == (True, False)
    assert contents.facet_subject("schema", "d:a") != contents.facet_subject("schemad", ":a")
    assert contents.member_name(("fact", "d:a", "owner")).split("\x1f") == ["fact", "d:a", "owner"]


def test_a_content_becomes_the_message_that_it_was_made_of() -> None:
    """With all that the statement says of edges, columns, types and problems."""
    lineage = Lineage(edges=[EDGE], ordered=True, coverage="partial", problems=[Problem("syntax", "words", "d:b", 3)],
                      outputs=[("d:b", ("y",))], filled=[("d:e", ("z",))], types=[("d:b", (("y", "int"),))],
                      parser="p")  # fmt: skip
    facts = [("d:b", "owner", "ada"), ("task:t", "label", "pii")]
    _, bytes_ = contents.pack_statement(Statement("t", lineage, facts, True))
    found = contents.task_change("e", "t", 7, bytes_, **ABOUT)

    assert (found.event_id, found.task_id, found.op, found.effective_at, found.cause) == (
        "e",
        "t",
        "update",
        7,
        "run r",
    )
    assert found.lineage == lineage
    assert (found.facts, found.cleared) == (facts, ["owner", "description", "priority"])


def test_a_content_with_one_more_problem_is_another_one() -> None:
    """It is not complete; its edges are the same."""
    fingerprint, bytes_ = packed(EDGE, OTHER)
    other, with_more = contents.with_problem(bytes_, Problem("parallel-runs", "words"))

    assert contents.meaning(other) != contents.meaning(fingerprint)
    assert contents.edges_of(with_more) == contents.edges_of(bytes_) == {EDGE, OTHER}
    lineage = contents.task_change("e", "t", 7, with_more, **ABOUT).lineage
    assert lineage is not None
    assert (lineage.coverage, [each.code for each in lineage.problems]) == ("partial", ["parallel-runs"])


def test_no_content_of_a_task_ends_it() -> None:
    """From that time on."""
    assert contents.task_change("e", "t", 7, None, **ABOUT) == TaskChange("e", "t", "offline", 7, cause="run r")


def test_words_make_no_other_content() -> None:
    """Neither the parser that read a text nor how a problem is put; they are in the end of the fingerprint alone."""
    one, other = packed(EDGE, **problem("d:a", "x"), parser="p")[0], packed(EDGE, **problem("d:a", "y"), parser="q")[0]

    assert contents.meaning(one) == contents.meaning(other)
    assert (one != other, contents.is_same(one, other), contents.is_same(one, one)) == (True, False, True)
    assert contents.meaning(None) is None


@pytest.mark.parametrize(
    "other",
    [packed(EDGE, **problem("d:z")), packed(EDGE, **problem("d:a", code="syntax")), packed(EDGE),
     packed(OTHER, **problem("d:a")),
     packed(EDGE, **problem("d:a"), outputs=[("d:b", ("y",))]),
     packed(EDGE, **problem("d:a"), facts=[("d:a", "owner", "x")])],
)  # fmt: skip
def test_what_is_said_makes_another_content(other: tuple[bytes, bytes]) -> None:
    """Also of what something is not known."""
    assert contents.meaning(packed(EDGE, **problem("d:a"))[0]) != contents.meaning(other[0])


def test_what_differs_between_runs_in_a_name_makes_no_other_content() -> None:
    """A problem of a table that carries the date of its run is the same each day."""
    days = [packed(EDGE, **problem(f"d:tmp_2026-01-0{day}"))[0] for day in (1, 2)]

    assert contents.meaning(days[0]) == contents.meaning(days[1])
    assert contents.meaning(packed(EDGE, **problem("d:tmp"))[0]) == contents.meaning(days[0])


def test_fingerprints_of_earlier_releases_are_compared_without_words() -> None:
    """They noted none; nothing is the same as nothing alone."""
    now = packed(EDGE)[0]
    before = now[: contents.DIGEST]

    assert contents.is_same(before, now)
    assert contents.is_same(None, None)
    assert not contents.is_same(None, now)
    assert not contents.is_same(before, packed(OTHER)[0])


def test_a_union_has_all_edges_and_the_rest_of_the_latest() -> None:
    """Each edge once; where one of them was not sure, all is partial, with the problems of all."""
    latest = packed(EDGE, outputs=[("d:b", ("y",))])
    fingerprint, bytes_ = contents.union(
        [latest[1], packed(OTHER, EDGE, **problem("d:z"), outputs=[("d:b", ("w",))])[1]]
    )
    found = contents.task_change("e", "t", 0, bytes_).lineage

    assert found is not None
    assert (list(found.edges), found.outputs, found.coverage) == ([EDGE, OTHER], [("d:b", ("y",))], "partial")
    assert found.problems == [Problem("opaque-call", "", "d:z")]
    assert contents.union([latest[1]])[0] == latest[0]
    assert contents.union([packed(OTHER)[1], latest[1]])[0] != fingerprint


def test_the_members_of_a_facet_are_packed_in_order() -> None:
    """Each by the fingerprint of its content."""
    members = {"b": b"\x01\xff", "a": b""}

    assert contents.pack_members(members) == contents.pack_members(dict(reversed(members.items())))
    assert contents.members_of(contents.pack_members(members)[1]) == members
    assert contents.pack_members(members)[0] != contents.pack_members({**members, "a": b"\x02"})[0]


def test_columns_become_the_message_that_defines_them() -> None:
    """A column of one name has one id; of what is not stated there is nothing any more."""
    fields = (Field("x", "int"), Field("y"))
    _, bytes_ = contents.pack_content(
        Content("define", fields, (("d:a", "description", "all"), ("d:a#x", "owner", "ada")))
    )
    found = contents.node_change("e", "dataset\x1fd:a\x1f", 7, bytes_, **ABOUT)

    assert isinstance(found, NodeChange)
    assert (found.kind, found.node, found.op, found.effective_at, found.fact_key) == (
        "dataset",
        "d:a",
        "define",
        7,
        None,
    )
    assert (tuple(found.fields), found.ids_by_name, found.cause) == (fields, True, "run r")
    assert found.cleared == ["owner", "label", "priority"]


def test_a_fact_becomes_the_message_that_sets_or_clears_it() -> None:
    """A node may have a key with any sign in it; columns that nobody states are dropped."""
    _, bytes_ = contents.pack_content(Content("set", (), (("d:a", "k\x1f", "v"),)))
    found = contents.node_change("e", "fact\x1fd:a\x1fk\x1f", 7, bytes_)
    gone = contents.node_change("e", "fact\x1fd:a\x1fowner", 7, None)
    dropped = contents.node_change("e", "dataset\x1fd:a\x1f", 7, None)

    assert isinstance(found, NodeChange)
    assert isinstance(gone, NodeChange)
    assert isinstance(dropped, NodeChange)
    assert (found.fact_key, found.op, found.facts, found.cleared) == ("k\x1f", "set", [("d:a", "k\x1f", "v")], ())
    assert [(each.kind, each.op, each.fact_key) for each in (gone, dropped)] == [
        ("fact", "clear", "owner"), ("dataset", "drop", None),
    ]  # fmt: skip


def test_other_names_are_edges_of_a_task_of_their_own() -> None:
    """None of them ends it."""
    _, bytes_ = contents.pack_content(Content("set", (), (("d:a", "alias", "h:t"), ("d:a", "alias", "d:a"))))
    found = contents.node_change("e", "fact\x1fd:a\x1falias", 7, bytes_, **ABOUT)
    gone = contents.node_change("e", "fact\x1fd:a\x1falias", 8, None)

    assert isinstance(found, TaskChange)
    assert isinstance(gone, TaskChange)
    assert found.lineage is not None
    assert {each for edge in found.lineage.edges for each in edge[:2]} >= {"d:a", "h:t"}
    assert (list(found.facts), found.cause) == ([("d:a", "alias", "h:t")], "run r")
    assert (found.task_id, found.op, gone.op) == (gone.task_id, "update", "offline")


def test_a_retraction_withdraws_what_an_event_said() -> None:
    """Of a task, of other names, of a fact, or of columns."""
    task = contents.retraction("e", contents.task_subject("t"), "old", **ABOUT)
    assert task == TaskChange("e", "t", "retract", retracts="old", cause="run r")

    alias = contents.retraction("e", "fact\x1fd:a\x1falias", "old")
    made = contents.node_change("e", "fact\x1fd:a\x1falias", 0, None)
    assert isinstance(alias, TaskChange)
    assert isinstance(made, TaskChange)
    assert alias.task_id == made.task_id

    fact, columns = (contents.retraction("e", each, "old") for each in ("fact\x1fd:a\x1fowner", "dataset\x1fd:a\x1f"))
    assert fact == NodeChange("e", "fact", "d:a", "retract", fact_key="owner", retracts="old")
    assert columns == NodeChange("e", "dataset", "d:a", "retract", retracts="old")
