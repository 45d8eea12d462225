"""Asset types: how a file says them, and how a node is known by its name."""

from __future__ import annotations

import pytest
from board_types import FILE

from lineage_tt.assets.types import BUILT_IN, AssetTypes
from lineage_tt.model.errors import InvalidRequestError


def test_types_are_told_by_the_first_identity_that_fits() -> None:
    """The file goes before the built-in rules, and what nothing fits is a table."""
    types = AssetTypes.parse(FILE)

    told = {
        "bi:board/1": "board", "bi:sheet/1": "dashboard", "hive:dw.fct_x": "fact", "hive:dw.dim_x": "table",
        "kafka:prod/x": "topic", "s3://lake:a": "file", "task:t": "task", "dbt:metric.shop.m": "metric",
        "dbt:exposure.shop.e": "dashboard", "filer:a": "table",
    }  # fmt: skip
    assert {node: types.type_of(node) for node in told} == told
    assert {each.name for each in types} == {*BUILT_IN, "board", "fact", "small-board"}


def test_a_type_has_what_is_above_it() -> None:
    """Icon and allowed edges come from the nearest type that says something."""
    types = AssetTypes.parse(FILE)

    assert types.line("small-board") == ("small-board", "board", "dashboard")
    assert (types.icon("small-board"), types.icon("table")) == ("chart", None)
    assert types.allows("fact", "small-board")  # a fact is a table
    assert not types.allows("topic", "small-board")
    assert not types.allows("board", "table")
    assert types.allows("topic", "what nobody declared")
    assert AssetTypes.unpack(types.pack()).pack() == types.pack()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("types = 3", "types is not a table"),
        ("[kinds.x]", "no table 'kinds'"),
        ("[types.Board]", "types.Board is the name of a type"),
        ("[types.x]\nparent = 'y'", "there is no type 'y'"),
        ("[types.x]\nparent = 'y'\n[types.y]\nparent = 'x'", "is above itself"),
        ("[types.x]\nparent = 'x'", "is above itself"),
        ("[types.table]\nparent = 'view'", "built-in"),
        ("[types.x]\nicon = 3", "icon"),
        ("[types.x]\nidentity = 'a'", "identity is not a list"),
        ("[types.x]\nidentity = ['']", "identity is not a list"),
        ("[types.x]\nfeeds = ['nothing']", "there is no type 'nothing'"),
        ("[types.x]\ncolour = 'red'", "colour is not known"),
        ("[types", "is not TOML"),
        ("\x00", "is not TOML"),
        ("types = [1]", "types is not a table"),
        ("[types]\nx = 1", "types.x is not a table"),
    ],
)
def test_a_wrong_file_says_what_is_wrong(text: str, words: str) -> None:
    """The error names the place, and says what to give."""
    with pytest.raises(InvalidRequestError, match=words.replace(".", r"\.")) as caught:
        AssetTypes.parse(text.encode())
    assert caught.value.hint or "TOML" in words


def test_patterns_of_a_hostile_file_are_matched_in_time() -> None:
    """Many stars over a long name once cost exponential time in other products."""
    types = AssetTypes.parse(b"[types.x]\nidentity = ['" + b"*a" * 90 + b"b']")

    assert types.type_of("hive:" + "a" * 4000) == "table"
