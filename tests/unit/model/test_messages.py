"""The values that the store takes in: what makes two messages the same one, and what a lineage says of columns."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from lineage_tt.model.facts import Field
from lineage_tt.model.messages import DIGEST_BYTES, Lineage, NodeChange, TaskChange, content_digest, evidence_in

EDGE = ("n:a#x", "n:b#y", "DIRECT", "IDENTITY", "")
OTHER = ("n:a#z", "n:b#y", "DIRECT", "IDENTITY", "")
TASK = TaskChange("e", "t", "update", 5, sql="select 1", params={"day": "1", "hour": "2"})
NODE = NodeChange("e", "dataset", "n:a", "define", 5, fields=[Field("x", "int")], facts=[("n:a", "owner", "ann")])


def test_messages_of_one_subject_make_one_timeline() -> None:
    """A task is its own subject; facts of one node under two keys are two."""
    fact = NodeChange("e", "fact", "n:a", "set", 5, fact_key="label")

    assert (TASK.subject, NODE.subject, fact.subject) == ("t", ("dataset", "n:a", ""), ("fact", "n:a", "label"))


@pytest.mark.parametrize(
    "said",
    [{"op": "online"}, {"effective_at": 6}, {"source_version": 0}, {"sql": "select 2"}, {"dialect": "hive"},
     {"namespace": "n"}, {"default_database": "d"}, {"target": "n:b"}, {"params": {"day": "1"}},
     {"lineage": Lineage([EDGE])}, {"facts": [("n:a", "label", "x")]}, {"cleared": ["owner"]}, {"retracts": "f"}],
    ids=lambda said: next(iter(said)),
)  # fmt: skip
def test_each_field_that_says_something_counts(said: dict[str, Any]) -> None:
    """A second message under one event id that says otherwise is a conflict, not a repetition."""
    assert content_digest(replace(TASK, **said)) != content_digest(TASK)


@pytest.mark.parametrize(
    "beside",
    [{"actor": "ann"}, {"reason": "r"}, {"recorded_at": 9}, {"position": 3}, {"raw": b"{}"}, {"attributes": "{}"},
     {"cause": "c"}, {"params": {"hour": "2", "day": "1"}}],
    ids=lambda said: next(iter(said)),
)  # fmt: skip
def test_what_is_beside_the_content_does_not(beside: dict[str, Any]) -> None:
    """The same message arrives from two places at two times, its variables in any order."""
    assert content_digest(replace(TASK, **beside)) == content_digest(TASK)


def test_edges_and_facts_count_in_any_order_and_once() -> None:
    """But columns of a dataset count in their order: it is what the message says."""
    one = replace(TASK, sql=None, lineage=Lineage([OTHER, EDGE, EDGE]))
    two = replace(TASK, sql=None, lineage=Lineage.of([EDGE, OTHER]))
    x, y = Field("x"), Field("y")

    assert content_digest(one) == content_digest(two)
    assert len(content_digest(one)) == DIGEST_BYTES
    assert content_digest(replace(NODE, fields=[x, y])) != content_digest(replace(NODE, fields=[y, x]))
    assert content_digest(replace(NODE, cleared=["label"])) != content_digest(NODE)


def test_edges_are_sorted_once() -> None:
    """A lineage that is known to be in order is given as it is."""
    made = Lineage.of([OTHER, EDGE, OTHER])

    assert made.ordered_edges() == [EDGE, OTHER]
    assert made.ordered_edges() is made.edges
    assert Lineage([OTHER, EDGE, OTHER]).ordered_edges() == [EDGE, OTHER]


def test_types_of_the_text_come_before_those_known_before() -> None:
    """Only types with parts say anything of columns; a dataset without declared types keeps what was known."""
    declared = Lineage(outputs=[("n:b", ("s", "i"))], types=[("n:b", (("s", "struct<a:int>"), ("i", "int")))])
    plain = Lineage(outputs=[("n:b", ("s",))])
    before = {"n:b": (("s", "struct<a:int>"),)}

    assert declared.shapes({"n:b": (("s", "map<int,int>"),)}) == [("n:b", (("s", "struct<a:int>"), "i"))]
    assert plain.shapes(before) == [("n:b", (("s", "struct<a:int>"),))]
    assert plain.shapes() == [("n:b", ("s",))]
    assert plain.type_facts() == []
    assert [fact[0] for fact in declared.type_facts()] == ["n:b#s", "n:b#i"]


def test_outputs_that_may_have_more_columns_end_in_a_star() -> None:
    """So the log tells a dataset whose columns are all known from one that is filled by names."""
    made = Lineage(outputs=[("n:b", ("x",))], filled=[("n:c", ("y", "z"))])

    assert made.logged_outputs() == [("n:b", ("x",)), ("n:c", ("y", "z", "*"))]


@pytest.mark.parametrize(
    ("attributes", "evidence"),
    [(None, None), ("", None), ("[1]", None), ("{}", None), ('{"evidence": "https://é"}', "https://é")],
)
def test_evidence_is_an_attribute_of_an_object_alone(attributes: str | None, evidence: str | None) -> None:
    """Attributes are any JSON: those that are not an object have no evidence."""
    assert evidence_in(attributes) == evidence
