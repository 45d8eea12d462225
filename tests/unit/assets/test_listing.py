"""Asset types and registers in a store: stated as facts, asked as of any point."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from board_types import FILE

from lineage_tt import Store
from lineage_tt.assets import listing, matching
from lineage_tt.assets.types import BUILT_IN
from lineage_tt.curation.statements import add_alias, annotate, state_edge
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.facts import Field
from lineage_tt.model.messages import NodeChange
from lineage_tt.testing import task_change

START = 1_767_225_600_000_000
HOUR = 3_600_000_000


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
    return {asset.node: (asset.type, asset.status, asset.registers) for asset in found.assets}


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
    with pytest.raises(InvalidRequestError, match=r"mine\.toml: there is no table"):
        listing.set_types(store, b"[type.a]", reason="boards", name="mine.toml")


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
    assert found.not_a_type("lakehouse") == found.not_a_type("table") == found.not_a_type(None) == []
    assert found.not_a_type("Lakehuse") == ["there is no type 'Lakehuse' here; did you mean lakehouse?"]
    assert found.not_a_type("zz") == ["there is no type 'zz' here"]
    assert [asset.node for asset in listing.selected(found.assets, unknown=True)] == ["hive:ods.a"]
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
    like = {asset.node: asset.like for asset in listing.assets_of(store, store.basis(START)).assets if asset.like}
    assert like == {"hive:ODS.A": ("hive:ods.a",), "hive:ods.a": ("hive:ODS.A",)}


def test_another_name_of_a_registered_thing_is_registered(tmp_path: Path) -> None:
    """An alias joins what the register and lineage call it; declared datasets are known to the catalog."""
    store = store_of(tmp_path)
    listing.register(store, "glue", {"s3://lake:a": "-"}, at=START)
    add_alias(store, "hive:ods.a", "s3://lake:a", at=START)
    store.append([NodeChange("1", "dataset", "bi:board/1", "define", START, fields=[Field("x", field_id=1)])])

    assert kinds(store)["hive:ods.a"] == ("table", "matched", ("glue",))
    assert kinds(store)["bi:board/1"] == ("dashboard", "matched", ("catalog",))


def test_a_list_that_comes_late_leaves_the_later_one_as_it_is(tmp_path: Path) -> None:
    """What only the list of January has was still listed in March, whose list was known and lacks it."""
    store = Store.create(tmp_path)
    listing.register(store, "glue", {"hive:a": "-", "hive:c": "table"}, at=START + 60)
    assert listing.register(store, "glue", {"hive:b": "-", "hive:c": "view"}, at=START) == (2, 0, 0)

    found = [{node: kind for node, (kind, *_) in kinds(store, START + at).items()} for at in (0, 59, 60, 99)]
    january, march = {"hive:b": "table", "hive:c": "view"}, {"hive:a": "table", "hive:c": "table"}
    assert found == [january, january, march, march]


@pytest.mark.long
def test_a_register_lists_what_its_last_file_lists(tmp_path: Path) -> None:
    """Random lists in any order: as of each time the register is that list; a list again is not a version."""
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    draw = random.Random(seed)
    store = Store.create(tmp_path)
    lists = [{f"hive:t{draw.randrange(8)}": draw.choice(["table", "view", "-"]) for _ in range(6)} for _ in range(6)]
    for number, wanted in draw.sample(list(enumerate(lists)), len(lists)):
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
    annotate(store, "task:load", "parent", ["dag"], at=START)
    assert kinds(store)["task:load"][0] == "task"  # that is not a task
    annotate(store, "task:load", "parent", ["task:dag"], at=START)

    assert kinds(store)["task:load"][0] == "sub-task"


@pytest.mark.parametrize("name", ["", "catalog", "a b", "../x", "x" * 100])
def test_names_of_registers(tmp_path: Path, name: str) -> None:
    """A name is a word, and not that of what catalogs declare."""
    with pytest.raises(InvalidRequestError, match="not a name of a register"):
        listing.register(Store.create(tmp_path), name, {})


def test_an_empty_store_has_no_assets(tmp_path: Path) -> None:
    """Before the first version there is nothing but the built-in types."""
    store = Store.create(tmp_path)
    found = listing.assets_of(store, store.basis())

    assert (found.assets, [row["name"] for row in found.type_objects()]) == ([], list(BUILT_IN))
    assert json.dumps(found.type_objects())
