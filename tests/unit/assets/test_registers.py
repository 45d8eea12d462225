"""Registers: full lists of what exists, as messages."""

from __future__ import annotations

import pytest

from lineage_tt.assets.registers import REGISTER, difference, listed
from lineage_tt.model.errors import InvalidRequestError


def test_files_of_registers() -> None:
    """Nodes, or JSON with types; comments and empty lines are left out."""
    lines = [b"\xef\xbb\xbf# glue", b"", b"hive:a", b' {"node": "hive:b", "type": "View", "more": 1}', b"task:load\r"]
    assert listed(lines, "f") == {"hive:a": "-", "hive:b": "view", "task:load": "-"}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"no namespace", "has no namespace"), (b"hive:a#x", "is a column"), (b"policy:texts", "keeps for itself"),
        (b"\xff\xfe", "line 2"), (b'{"node": 3}', "must be texts"),
        (b'{"node": "hive:a", "type": ""}', "must be texts"),
        (b'{"node": "hive:a", "tpye": "view"}', "'tpye' is not a key of an asset; did you mean type"),
        (b'{"node": "hive:a", "kind": "view"}', "did you mean type"),
        (b'{"node"', "line 2"), (b"hive:" + b"a" * 5000, "too long"), (b'{"node": "hive:z", "type": "view"}', "twice"),
    ],
)  # fmt: skip
def test_a_register_with_a_wrong_line_is_refused_whole(line: bytes, words: str) -> None:
    """Read in part it would say that all the rest is gone."""
    with pytest.raises(InvalidRequestError, match=words):
        listed([b"hive:z", line], "f")


def test_only_what_differs_is_a_message() -> None:
    """What comes, what has another type, and what goes; in order of the nodes."""
    known, wanted = {"n:a": "table", "n:b": "view", "n:c": "-"}, {"n:a": "table", "n:b": "table", "n:d": "-"}
    found = list(difference("glue", wanted, known, 5, actor="ann"))

    assert [(each.node, each.op, list(each.facts)) for each in found] == [
        ("n:b", "set", [("n:b", REGISTER + "glue", "table")]), ("n:c", "clear", []),
        ("n:d", "set", [("n:d", REGISTER + "glue", "-")]),
    ]  # fmt: skip
    assert {(each.effective_at, each.actor, each.fact_key) for each in found} == {(5, "ann", REGISTER + "glue")}
    assert list(difference("glue", known, known, 5)) == []
