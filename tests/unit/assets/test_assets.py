"""Asset types and registers: what is reported by names, what somebody states, and what lineage and registers know."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from lineage_tt import Store
from lineage_tt.assets import listing, matching
from lineage_tt.assets.registers import listed
from lineage_tt.assets.types import BUILT_IN, AssetTypes
from lineage_tt.curation.statements import add_alias, annotate, state_edge
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.facts import Field
from lineage_tt.model.messages import NodeChange
from lineage_tt.testing import task_change

START = 1_767_225_600_000_000
HOUR = 3_600_000_000
FILE = b"""
[types.board]
parent = "dashboard"
identity = ["bi:board/*"]
icon = "chart"
fed_by = ["table"]
feeds = []

[types.fact]
parent = "table"
identity = ["*:dw.fct_*"]

[types.small-board]
parent = "board"
"""


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
        ("types = 3", "types is no table"),
        ("[kinds.x]", "no table 'kinds'"),
        ("[types.Board]", "types.Board is the name of a type"),
        ("[types.x]\nparent = 'y'", "there is no type 'y'"),
        ("[types.x]\nparent = 'y'\n[types.y]\nparent = 'x'", "is above itself"),
        ("[types.x]\nparent = 'x'", "is above itself"),
        ("[types.table]\nparent = 'view'", "built-in"),
        ("[types.x]\nicon = 3", "icon"),
        ("[types.x]\nidentity = 'a'", "identity is no list"),
        ("[types.x]\nidentity = ['']", "identity is no list"),
        ("[types.x]\nfeeds = ['nothing']", "there is no type 'nothing'"),
        ("[types.x]\ncolour = 'red'", "colour is not known"),
        ("[types", "is not TOML"),
        ("\x00", "is not TOML"),
        ("types = [1]", "types is no table"),
        ("[types]\nx = 1", "types.x is no table"),
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


Known = dict[str, tuple[str, str, tuple[str, ...]]]


def store_of(folder: Path) -> Store:
    """A store in which one table feeds a board."""
    store = Store.create(folder)
    store.append(
        [
            task_change(
                "load", "online", START, [("hive:ods.a#x", "hive:dw.fct_b#x"), ("hive:dw.fct_b#x", "bi:board/1#x")]
            )
        ]
    )
    return store


def kinds(store: Store, at: int = START + HOUR, version: int | None = None) -> Known:
    """Type, status and registers of each asset at a point."""
    found = listing.assets_of(store, store.basis(at, version=version))
    return {asset.node: (asset.type, asset.status, asset.registers) for asset in found.found}


def test_types_are_versioned_as_all_else_is(tmp_path: Path) -> None:
    """They hold from a valid time on, and what was known before stays answerable."""
    store = store_of(tmp_path)
    known = store.version
    listing.set_types(store, FILE, reason="boards", at=START + 10)
    listing.set_types(store, b"", reason="none", at=START + 20)

    assert kinds(store, START + 9)["bi:board/1"][0] == "dashboard"
    assert kinds(store, START + 10)["bi:board/1"][0] == "board"
    assert kinds(store, START + 20)["bi:board/1"][0] == "dashboard"
    assert kinds(store, START + 10, known)["bi:board/1"][0] == "dashboard"
    with pytest.raises(InvalidRequestError, match="reason"):
        listing.set_types(store, FILE, reason=" ")


def test_nobody_else_writes_the_types(tmp_path: Path) -> None:
    """A message about the node of types is rejected as all about reserved nodes are."""
    store = store_of(tmp_path)
    fact = (listing.NODE, listing.KEY, "[]")
    receipt = store.append([NodeChange("1", "fact", listing.NODE, "set", START, fact_key=listing.KEY, facts=[fact])])[0]

    assert receipt.status == "rejected"


def test_unknown_types_are_accepted_and_listed(tmp_path: Path) -> None:
    """A fact may name a type that nobody declared."""
    store = store_of(tmp_path)
    annotate(store, "hive:ods.a", "asset_type", ["Lakehouse"], at=START)
    found = listing.assets_of(store, store.basis(START))

    assert found.unknown_types == ["lakehouse"]
    assert [asset.node for asset in listing.selected(found.found, unknown=True)] == ["hive:ods.a"]
    assert {row["name"]: row["assets"] for row in found.type_objects() if not row["known"]} == {"lakehouse": 1}


def test_what_only_one_side_knows_is_listed(tmp_path: Path) -> None:
    """A register and lineage, one beside the other; a name that differs in case alone is pointed out."""
    store = store_of(tmp_path)
    listing.register(store, "glue", {"hive:dw.fct_b": "-", "hive:ODS.A": "table", "hive:old": "view"}, at=START)

    assert kinds(store) == {
        "bi:board/1": ("dashboard", "unregistered", ()), "hive:ODS.A": ("table", "unnamed", ("glue",)),
        "hive:dw.fct_b": ("table", "matched", ("glue",)), "hive:ods.a": ("table", "unregistered", ()),
        "hive:old": ("view", "unnamed", ("glue",)), "task:load": ("task", "unregistered", ()),
    }  # fmt: skip
    like = {asset.node: asset.like for asset in listing.assets_of(store, store.basis(START)).found if asset.like}
    assert like == {"hive:ODS.A": ("hive:ods.a",), "hive:ods.a": ("hive:ODS.A",)}


def test_another_name_of_a_registered_thing_is_registered(tmp_path: Path) -> None:
    """An alias joins what the register and lineage call it; declared datasets are known to the catalog."""
    store = store_of(tmp_path)
    listing.register(store, "glue", {"s3://lake:a": "-"}, at=START)
    add_alias(store, "hive:ods.a", "s3://lake:a", at=START)
    store.append([NodeChange("1", "dataset", "bi:board/1", "define", START, fields=[Field("x", field_id=1)])])

    assert kinds(store)["hive:ods.a"] == ("table", "matched", ("glue",))
    assert kinds(store)["bi:board/1"] == ("dashboard", "matched", ("catalog",))


@pytest.mark.long
def test_a_register_lists_what_its_last_file_lists(tmp_path: Path) -> None:
    """Random lists one after the other: as of each time the register is that list; a list again is no version."""
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    draw = random.Random(seed)
    store = Store.create(tmp_path)
    lists = [{f"hive:t{draw.randrange(8)}": draw.choice(["table", "view", "-"]) for _ in range(6)} for _ in range(6)]
    for number, wanted in enumerate(lists):
        listing.register(store, "glue", wanted, at=START + number)
        before = store.version
        assert listing.register(store, "glue", wanted, at=START + number) == (0, 0, 0)
        assert store.version == before
    for number, wanted in enumerate(lists):
        at = kinds(store, START + number)
        assert {node: kind for node, (kind, _, names) in at.items() if names} == {
            node: "table" if kind == "-" else kind for node, kind in wanted.items()
        }


def test_edges_that_types_do_not_allow(tmp_path: Path) -> None:
    """A topic feeds a board; once a person rejects the edge, it is none."""
    store = store_of(tmp_path)
    listing.set_types(store, FILE, reason="boards", at=START)
    store.append([task_change("other", "online", START, [("kafka:prod/x", "bi:board/1")])])
    (found,) = listing.assets_of(store, store.basis(START)).disallowed
    assert found == matching.Disallowed("kafka:prod/x", "topic", "bi:board/1", "board")

    state_edge(store, "reject", "kafka:prod/x", "bi:board/1", at=START)
    assert listing.assets_of(store, store.basis(START)).disallowed == []


def test_a_sub_task_is_one(tmp_path: Path) -> None:
    """A task that another one starts is of the type sub-task."""
    store = store_of(tmp_path)
    annotate(store, "task:load", "parent", ["task:dag"], at=START)

    assert kinds(store)["task:load"][0] == "sub-task"


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
        (b'{"node"', "line 2"), (b"hive:" + b"a" * 5000, "too long"), (b'{"node": "hive:z", "type": "view"}', "twice"),
    ],
)  # fmt: skip
def test_a_register_with_a_wrong_line_is_refused_whole(line: bytes, words: str) -> None:
    """Read in part it would say that all the rest is gone."""
    with pytest.raises(InvalidRequestError, match=words):
        listed([b"hive:z", line], "f")


@pytest.mark.parametrize("name", ["", "catalog", "a b", "../x", "x" * 100])
def test_names_of_registers(tmp_path: Path, name: str) -> None:
    """A name is a word, and not that of what catalogs declare."""
    with pytest.raises(InvalidRequestError, match="no name of a register"):
        listing.register(Store.create(tmp_path), name, {})


def test_an_empty_store_has_no_assets(tmp_path: Path) -> None:
    """Before the first version there is nothing but the built-in types."""
    store = Store.create(tmp_path)
    found = listing.assets_of(store, store.basis())

    assert (found.found, [row["name"] for row in found.type_objects()]) == ([], list(BUILT_IN))
    assert json.dumps(found.type_objects())
