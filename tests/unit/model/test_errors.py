"""Errors tell a caller what to do: exit status, kind, and a hint in the text."""

from __future__ import annotations

import pytest

from lineage_tt.model import errors

ALL = [
    errors.InvalidRequestError("m"), errors.UnknownNodeError("n:a"), errors.NotInForceError("t"),
    errors.VersionNotReachedError("m"), errors.ConflictError("m"), errors.UnavailableError("m"),
    errors.BeyondHorizonError("m"), errors.GapError(3, 7, 9), errors.CorruptError("m"),
]  # fmt: skip


@pytest.mark.parametrize("error", ALL, ids=lambda error: type(error).__name__)
def test_only_a_wrong_call_exits_with_2(error: errors.LineageError) -> None:
    """Scripts tell a call to fix (2) from a state to wait for or restore (3)."""
    assert error.exit_status == (2 if error.kind == "invalid request" else 3)


def test_each_kind_of_the_table_is_that_of_a_class() -> None:
    """The module's table lists the kinds that programs see, and no other."""
    table = [line for line in (errors.__doc__ or "").splitlines() if line.rstrip().endswith((" 2", " 3"))]

    assert {line[:18].strip() for line in table} == {error.kind for error in ALL}
    assert {(line[:18].strip(), int(line[-1])) for line in table} == {(e.kind, e.exit_status) for e in ALL}


def test_an_unknown_node_names_the_nearest_or_how_to_list_them() -> None:
    """Near names are a question; without any the hint says where names come from."""
    assert str(errors.UnknownNodeError("n:a", ("n:b", "n:c"))) == "unknown node 'n:a' (did you mean n:b or n:c?)"
    assert "lineage-tt sql" in str(errors.UnknownNodeError("n:a"))


def test_a_gap_names_the_missing_versions_and_where_to_start() -> None:
    """After version 3, with everything up to 7 gone: 4 to 7 are missing, the state at 9 is there."""
    assert str(errors.GapError(3, 7, 9, where="the topic")) == (
        "versions 4 to 7 are no longer in the topic (start from the state at version 9, then read the changes after 9)"
    )


def test_a_damaged_store_is_checked() -> None:
    """What is corrupt names the command that says what to restore."""
    assert errors.CorruptError("bad").hint == "run: lineage-tt check"
