"""What exists and what lineage names, one beside the other."""

from __future__ import annotations

from board_types import FILE

from lineage_tt.assets.matching import NO_TYPE, assets, disallowed, type_of
from lineage_tt.assets.types import AssetTypes

TYPES = AssetTypes.parse(FILE)


def test_a_node_is_on_one_side_or_on_both() -> None:
    """With the registers that list it, and its type and those above."""
    found = assets(TYPES, ["n:a", "n:b"], {}, {"n:b": {"glue": "-", "atlas": "view"}, "n:c": {"glue": "board"}})

    assert [(each.node, each.status, each.registers, each.type) for each in found] == [
        ("n:a", "unregistered", (), "table"), ("n:b", "matched", ("atlas", "glue"), "view"),
        ("n:c", "unnamed", ("glue",), "board"),
    ]  # fmt: skip
    assert (found[2].types, found[2].icon, found[2].type_known) == (("board", "dashboard"), "chart", True)


def test_two_names_of_one_thing_count_as_one() -> None:
    """However many names lie between them."""
    pairs = [("n:a", "n:b"), ("n:c", "n:b")]
    found = {each.node: each.status for each in assets(TYPES, ["n:a"], {}, {"n:c": {"glue": "-"}}, pairs)}

    assert found == {"n:a": "matched", "n:c": "matched"}


def test_names_that_differ_in_case_alone_are_pointed_out() -> None:
    """On the other side, and not where the name itself is matched."""
    found = {each.node: each.like for each in assets(TYPES, ["n:a", "n:x"], {}, {"n:A": {"g": "-"}, "n:x": {"g": "-"}})}

    assert found == {"n:a": ("n:A",), "n:A": ("n:a",), "n:x": ()}


def test_a_type_is_stated_or_registered_or_told_by_the_name() -> None:
    """In this order; a register that does not say it says nothing."""
    registered = {"n:a": {"b": "view", "a": NO_TYPE}, "bi:board/1": {"a": NO_TYPE}}

    assert type_of(TYPES, "n:a", {"n:a": "model"}, registered) == "model"
    assert type_of(TYPES, "n:a", {}, registered) == "view"
    assert type_of(TYPES, "bi:board/1", {}, registered) == "board"
    assert not assets(TYPES, ["n:a"], {"n:a": "odd"}, {})[0].type_known


def test_a_pair_that_types_do_not_allow_is_listed_once() -> None:
    """Types that are not given are told by the names."""
    edges = [("kafka:x", "bi:board/1"), ("kafka:x", "bi:board/1"), ("n:a", "bi:board/1"), ("q", "n:a")]
    found = disallowed(TYPES, edges, {"q": "board"})

    assert [(each.source, each.source_type, each.target) for each in found] == [
        ("kafka:x", "topic", "bi:board/1"), ("q", "board", "n:a"),
    ]  # fmt: skip
