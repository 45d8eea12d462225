"""What is wrong with a message, in our own words; and fields whose names resemble known ones."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ingest.messages.wording import advice, misspelled, nearest, problem_of

KNOWN = ("sql", "dialect", "owners", "columns", "effective_at", "default_database", "task_id")


@pytest.mark.parametrize(
    ("error", "words"),
    [({"type": "missing", "loc": ("edges", 0, "source"), "msg": "m"}, "edges.0.source: is missing"),
     ({"type": "int_type", "loc": ("x",), "msg": "m"}, "x: must be a whole number"),
     ({"type": "literal_error", "loc": ("op",), "msg": "m", "ctx": {"expected": "'a' or 'b'"}},
      "op: must be 'a' or 'b'"),
     ({"type": "value_error", "loc": (), "msg": "Value error, give a zone"}, "give a zone"),
     ({"type": "unheard_of", "loc": ("x",), "msg": "Its own words"}, "x: Its own words"),
     ({"type": "extra_forbidden", "loc": ("a", "feild"), "msg": "m"},
      "a.feild: there is no such key here; did you mean field?")],
)  # fmt: skip
def test_an_error_says_where_and_what(error: dict[str, Any], words: str) -> None:
    """A key that is not known is compared with those that are."""
    assert problem_of(error, ["field", "value"]) == words


@pytest.mark.parametrize(("name", "meant"), [("owner", "owners"), ("qurey", ""), ("dialct", "dialect"), ("", "")])
def test_the_nearest_name_may_have_been_meant(name: str, meant: str) -> None:
    """Where any is near."""
    assert nearest(name, KNOWN) == (f"; did you mean {meant}?" if meant else "")


@pytest.mark.parametrize(
    ("unknown", "meant"),
    [("effectiveAt", "effective_at"), ("effective-at", "effective_at"), ("owner", "owners"), ("query", "sql"),
     ("schema", "columns"), ("db", "default_database"), ("Task ID", "task_id"), ("team", None), ("x" * 61, None)],
)  # fmt: skip
def test_a_field_may_be_a_known_one_in_another_spelling(unknown: str, meant: str | None) -> None:
    """In camel case, with a hyphen, under the name that other tools use."""
    assert misspelled([unknown], KNOWN, [unknown]) == ([(unknown, meant)] if meant else [])


def test_a_field_that_the_message_has_is_not_suggested() -> None:
    """It is an attribute then; nothing is looked for where nothing is unknown."""
    assert misspelled(["query"], KNOWN, ["query", "sql"]) == []
    assert misspelled([], KNOWN, ["sql"]) == ()


def test_advice_names_at_most_three() -> None:
    """Of a message that is JSON; of others there is none."""
    fields = dict.fromkeys(("query", "owner", "effectiveAt", "schema"), 1)

    assert advice(json.dumps(fields).encode(), KNOWN).count("did you mean") == 3
    assert advice(b'{"query": 1}', KNOWN) == "; the field 'query' is not known; did you mean sql?"
    assert [advice(raw, KNOWN) for raw in (b"{", b"[1]", b"[" * 100_000, b'{"sql": 1}')] == [""] * 4
