"""What is checked of a message before the log is read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from lineage_tt.model.facts import COLUMN, Field
from lineage_tt.model.messages import Lineage, NodeChange, RejectedMessage, TaskChange
from lineage_tt.model.names import MAX_INTEGER, MAX_NAME_BYTES, RESERVED
from lineage_tt.model.times import FIRST, LAST
from lineage_tt.write.admission.rules import admitted, lineage_problem

TASK = TaskChange("e", "t", "update", 5, sql="select 1")
NODE = NodeChange("e", "fact", "n:a", "set", 5, fact_key="owner", facts=[("n:a", "owner", "ann")])
LONG = "x" * (MAX_NAME_BYTES + 1)
OWN = f"{RESERVED[0]}x"
SURROGATE = "\ud800"


def edges(source: str = "n:a#x", target: str = "n:b#y") -> Lineage:
    """The lineage of one edge."""
    return Lineage([(source, target, "DIRECT", "IDENTITY", "")])


def test_what_a_reader_has_admitted_is_not_checked_again() -> None:
    """The first process of an ingest trusts what the second one checked when it parsed the message."""
    message = replace(TASK, sql=None, lineage=edges(), admitted=True)

    assert admitted(message) is message
    assert message.digest is None


def code_of(message: TaskChange | NodeChange) -> str | None:
    """The code with which a message is rejected, None where it is admitted."""
    found = admitted(message)
    return found.code if isinstance(found, RejectedMessage) else None


@pytest.mark.parametrize("message", [TASK, replace(TASK, sql=None, lineage=edges()), NODE])
def test_a_sound_message_is_admitted_with_its_digest(message: TaskChange | NodeChange) -> None:
    """The digest is computed once, with the checks of the message's texts."""
    message = replace(message)

    assert admitted(message) is message
    assert message.digest is not None


@pytest.mark.parametrize(
    "said",
    [{"event_id": LONG}, {"task_id": LONG}, {"actor": LONG}, {"target": f"n:{LONG}"}, {"namespace": LONG},
     {"lineage": edges(source=f"n:{LONG}#x")}, {"lineage": edges(target=f"n:{LONG}")},
     {"facts": [(LONG, "owner", "a")]}],
    ids=lambda said: next(iter(said)),
)  # fmt: skip
def test_a_name_that_is_too_long_is_rejected(said: dict[str, Any]) -> None:
    """The limit holds for each field that names something."""
    assert code_of(replace(TASK, **said)) == "name-too-long"


def test_a_name_of_the_greatest_length_is_admitted() -> None:
    """The bound is of bytes of UTF-8, not of characters."""
    assert code_of(replace(TASK, event_id="x" * MAX_NAME_BYTES)) is None
    assert code_of(replace(TASK, event_id="é" * (MAX_NAME_BYTES // 2))) is None
    assert code_of(replace(TASK, event_id="é" * (MAX_NAME_BYTES // 2 + 1))) == "name-too-long"


@pytest.mark.parametrize(
    "message",
    [replace(NODE, node=OWN), replace(NODE, facts=[(OWN, "owner", "a")]), replace(TASK, target=OWN),
     replace(TASK, facts=[(OWN, "owner", "a")]), replace(TASK, lineage=edges(source=OWN)),
     replace(TASK, lineage=edges(target=OWN))],
)  # fmt: skip
def test_a_reserved_node_is_the_products_own(message: TaskChange | NodeChange) -> None:
    """A user's message about a reserved node is rejected; the product's own is admitted."""
    assert code_of(message) == "reserved-node"
    if isinstance(message, NodeChange):
        assert admitted(message, own=True) is message


@pytest.mark.parametrize(
    "message",
    [replace(TASK, source_version=MAX_INTEGER + 1), replace(TASK, position=-(2**63) - 1),
     replace(TASK, effective_at=FIRST - 1), replace(TASK, produced_at=LAST + 1), replace(TASK, recorded_at=LAST + 1),
     replace(NODE, kind="dataset", fields=[Field("a", field_id=0)]), replace(NODE, fact_key=COLUMN),
     replace(TASK, reason=SURROGATE), replace(TASK, sql=SURROGATE), replace(TASK, params={"a": SURROGATE}),
     replace(TASK, lineage=edges(source=f"n:{SURROGATE}")), replace(NODE, facts=[("n:a", "owner", SURROGATE)])],
)  # fmt: skip
def test_what_the_log_cannot_hold_is_rejected(message: TaskChange | NodeChange) -> None:
    """Numbers beyond 64 bits, instants out of range, lone surrogates, and columns as plain facts are rejected."""
    assert code_of(message) == "invalid-message"


def test_the_ends_of_the_ranges_are_admitted() -> None:
    """The first and the last instant, and the largest numbers, are admitted."""
    assert code_of(replace(TASK, effective_at=FIRST, produced_at=LAST, source_version=MAX_INTEGER)) is None


def test_a_rejection_is_made_fit_for_the_log() -> None:
    """The log takes a rejection with its detail cut, and without an id that the log cannot hold."""
    letter = RejectedMessage(b"{", "syntax", "x" * 5000 + SURROGATE, LONG, SURROGATE, recorded_at=LAST + 1)
    found = admitted(letter)

    assert isinstance(found, RejectedMessage)
    assert (len(found.detail), found.event_id, found.task_id, found.recorded_at) == (2000, None, None, None)
    kept = admitted(RejectedMessage(b"{", "syntax", SURROGATE, "e", "t"))
    assert isinstance(kept, RejectedMessage)
    assert (kept.detail, kept.event_id, kept.task_id) == ("\\ud800", "e", "t")


def test_credentials_in_names_are_masked_but_in_the_products_own() -> None:
    """A subscription keeps its webhook's URL as it is, since it is called by it."""
    secret = replace(NODE, node="n:s3://h/p?sig=s3cr3tW0rd", facts=[])

    assert "s3cr3tW0rd" not in repr(admitted(secret))
    assert admitted(secret, own=True) is secret


def test_lineage_that_a_parser_found_is_held_to_the_same_bounds() -> None:
    """Names in edges and outputs have the limit of names in messages, the longest column of a dataset included."""
    assert lineage_problem(edges()) is None
    assert lineage_problem(Lineage(outputs=[("n:b", ("y",)), ("n:c", ())])) is None
    for bad, code in (
        (edges(target=OWN), "reserved-node"),
        (Lineage(outputs=[(OWN, ("y",))]), "reserved-node"),
        (Lineage(outputs=[("n:b", ("y", LONG))]), "name-too-long"),
    ):
        problem = lineage_problem(bad)
        assert problem is not None
        assert problem[0] == code
