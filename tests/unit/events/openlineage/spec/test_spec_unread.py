"""What of an event's facets and parts cannot be read, in words."""

from __future__ import annotations

from typing import Any

import pytest

from ingest.events.openlineage.spec import facets as f
from ingest.events.openlineage.spec.unread import node, of_facet, of_parts, of_shape, one
from lineage_tt.model.messages import Problem


def test_problems_of_a_shape_are_found_once() -> None:
    """A shape is the digest of its body: the same shape has the same problems."""
    body: dict[str, Any] = {"dataset": {"namespace": "db", "name": "a", "facets": {"tags": []}}}
    found = of_shape(b"a shape", body)

    assert [each.code for each in found] == ["unreadable-facet"]
    assert of_shape(b"a shape", {}) is found
    assert of_shape(b"another", {}) == ()


def test_a_facet_that_can_be_read_has_no_problem() -> None:
    """Nor does one that is not there, or that was deleted; keys of the producer's own are none."""
    for facets in ({}, None, {"tags": None}, {"tags": {"_deleted": True}}, {"tags": {"tags": [{"key": "a", "z": 1}]}}):
        assert list(of_facet(facets, "tags", f.Tags)) == []


def test_words_that_events_choose_are_clipped() -> None:
    """A name may be megabytes."""
    (found,) = of_facet({"tags": {"tags": [{"key": 7}]}}, "tags", f.Tags, node({"namespace": "db", "name": "x" * 999}))

    assert len(found.detail) < 200
    (parts,) = of_parts({"inputz": [], "known": 1}, also={"known"})
    assert parts == Problem("unknown-field", "'inputz' has no effect; did you mean inputs?")


def test_one_is_made_of_several() -> None:
    """The code is that of the first."""
    assert one([]) is None
    assert one([Problem("a", "b"), Problem("c", "d")]) == ("a", "b; d")


@pytest.mark.parametrize(
    ("namespace", "name", "words"),
    [("a:b", "t", "the dataset 't' of 'a:b' is shown as 'b:t' of 'a'"), ("s3://x", "1:y", "'y' of 's3://x:1'"),
     ("kafka://a:1,b:2", "t", None), ("a b", "t:u", None)],
)  # fmt: skip
def test_a_name_that_is_taken_apart_elsewhere_is_a_problem(namespace: str, name: str, words: str | None) -> None:
    """A colon joins namespace and name, and a few namespaces have one where none is expected."""
    body = {"inputs": [{"namespace": namespace, "name": name, "facets": None}]}
    found = of_shape(f"{namespace} {name}".encode(), body)

    assert [each.code for each in found] == ([] if words is None else ["ambiguous-name"])
    assert words is None or words in found[0].detail
