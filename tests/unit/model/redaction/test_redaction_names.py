"""Credentials in names: masked where a message or a parser gives them, and nothing else is touched."""

from __future__ import annotations

from typing import Any

import pytest

from lineage_tt.model.facts import Field
from lineage_tt.model.messages import Lineage, NodeChange, Problem, TaskChange
from lineage_tt.model.redaction.names import (
    masked_edges,
    masked_facts,
    masked_lineage,
    masked_problem,
    masked_problems,
    with_masked_names,
)

SECRET = "s3cr3tW0rd"
URL = f"s3://h/p?sig={SECRET}"
EDGE = ("n:a#x", "n:b#y", "DIRECT", "IDENTITY", "")


def test_a_message_without_credentials_is_itself() -> None:
    """Also where its bytes show at once that there can be none."""
    plain = TaskChange("e", "t", "update", 5, namespace="n", lineage=Lineage([EDGE]), facts=[("n:a", "owner", "ann")])
    bytes_say_so = TaskChange("e", "t", "update", 5, target=f"n:{URL}", raw=b'{"plain": 1}')

    assert with_masked_names(plain) is plain
    assert with_masked_names(bytes_say_so) is bytes_say_so


@pytest.mark.parametrize("field", ["namespace", "default_database", "target"])
def test_names_of_a_task_are_masked(field: str) -> None:
    """Each of its fields that names a place; the rest of the message stays."""
    said: dict[str, Any] = {field: URL}
    masked = with_masked_names(TaskChange("e", "t", "update", 5, sql="select 1", **said))

    assert SECRET not in getattr(masked, field)
    assert getattr(masked, field).startswith("s3://h/p?sig=")
    assert (masked.event_id, masked.task_id, masked.sql) == ("e", "t", "select 1")


def test_a_dataset_and_its_facts_are_masked() -> None:
    """Its fields are names of columns, which hold no credentials."""
    message = NodeChange(
        "e", "dataset", f"n:{URL}", "define", 5, fields=[Field("a")], facts=[(f"n:{URL}", "owner", "ann")]
    )
    masked = with_masked_names(message)

    assert SECRET not in repr(masked)
    assert masked.facts == [(masked.node, "owner", "ann")]
    assert masked.fields == [Field("a")]


def test_edges_that_differ_in_a_signature_alone_are_one() -> None:
    """They are one dataset; edges without credentials stay the same list."""
    two = [(f"n:s3://h/p?sig={value}{SECRET}", *EDGE[1:]) for value in ("a", "b")]
    plain = [EDGE]

    assert len(masked_edges(two)) == 1
    assert masked_edges(plain) is plain
    assert SECRET not in repr(masked_edges([(*EDGE[:4], f"read('{URL}')")]))


def test_facts_are_masked_in_node_and_value() -> None:
    """Plain facts stay the same list."""
    plain = [("n:a", "description", "rows where a = b")]

    assert masked_facts(plain) is plain
    assert SECRET not in repr(masked_facts([("n:a", "description", f"see {URL} please"), ("n:a", "home", URL)]))


def test_what_a_parser_found_is_masked_whole() -> None:
    """What it asked for, too: the answer is kept beside it. Of two datasets that become one the last counts."""
    names = [f"n:s3://h/p?sig={value}{SECRET}" for value in "ab"]
    plain = Lineage([EDGE], outputs=[("n:b", ("y",))])
    found = masked_lineage(
        Lineage(
            [(names[0], *EDGE[1:])],
            problems=[Problem("p", f"no {names[0]}", names[0])],
            outputs=[(names[0], ("x",)), (names[1], ("y",))],
            lookups=[(names[0], None)],
            stars=names,
            filled=[(names[0], ("x",))],
        )
    )

    assert masked_lineage(plain) is plain
    assert SECRET not in repr(found)
    assert [columns for _, columns in found.outputs] == [("y",)]
    assert len(found.stars) == 1


def test_a_problem_keeps_its_code_and_place() -> None:
    """Only words and subject name datasets."""
    masked = masked_problem(Problem("p", f"no {URL}", f"n:{URL}", 3, 4))

    assert (masked.code, masked.line, masked.column) == ("p", 3, 4)
    assert SECRET not in repr(masked)


@pytest.mark.parametrize(
    "detail",
    [
        f"Expecting ), near: CALL '{SECRET}'",
        f"Expecting ), near: CALL '{SECRET[:6]}",
        f"Expecting ), near: {SECRET[3:]}') AND b",
        f"no value for {SECRET}",
    ],
)
def test_a_problem_that_quotes_a_text_shows_none_of_its_credentials(detail: str) -> None:
    """Also where the quotation does not show what the value is, or begins or ends inside of it."""
    sql = f"SELECT crypt('{SECRET}', gen_salt('bf')) FROM ("
    given = [Problem("syntax", detail, SECRET), Problem("syntax", "Expecting )", "n:a")]

    found = masked_problems(given, sql, sql.replace(SECRET, "***"))

    assert "***" in found[0].detail
    assert SECRET[3:6] not in repr(found)
    assert found[1] == given[1]
    assert masked_problems(given, sql, sql) == given
