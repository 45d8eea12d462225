"""Which nodes pass a filter on a walk."""

from __future__ import annotations

import pyarrow as pa
import pytest

from lineage_tt.graph.arrays.dictionary import Dictionary
from lineage_tt.graph.walks.filters import Filter, mask_of
from lineage_tt.model.errors import InvalidRequestError

NODES = ("hive:dw.orders", "hive:dw.orders#id", "hive:ods.orders#id", "kafka:dw.orders#id", "hive:dw.o[1]#x")


def passing(where: Filter, carrying: tuple[str, ...] = ()) -> set[str]:
    """The nodes that pass; the nodes ``carrying`` carry any label asked for."""
    names = Dictionary()
    names.nodes.intern(pa.array(NODES, pa.large_string()))
    names.note_datasets()
    nodes = len(names.nodes)
    mask = mask_of(where, names, nodes, nodes + 3, lambda _: set(carrying))

    assert not mask[nodes:].any()
    return {node for place, node in enumerate(names.nodes.arrow().to_pylist()) if mask[place]} & set(NODES)


@pytest.mark.parametrize(
    ("where", "nodes"),
    [(Filter(("kafka",)), {NODES[3]}), (Filter(("haf", "hive")), {*NODES} - {NODES[3]}),
     (Filter((), ("hive:dw.*",)), {NODES[0], NODES[1], NODES[4]}), (Filter((), ("hive:?w.orders",)), {*NODES[:2]}),
     (Filter((), ("*:dw.orders",)), {NODES[0], NODES[1], NODES[3]}), (Filter((), ("hive:dw.o[[]1]",)), {NODES[4]}),
     (Filter((), ("hive:dw",)), set()), (Filter(("hive",), ("*.orders",)), {*NODES[:3]})],
    ids=lambda value: str(sorted(value) if isinstance(value, set) else value),
)  # fmt: skip
def test_a_node_passes_by_the_name_of_its_dataset(where: Filter, nodes: set[str]) -> None:
    """A pattern matches the whole name, and columns pass with their dataset; each kind given must match."""
    assert passing(where) == nodes


def test_a_point_in_a_namespace_is_only_a_point() -> None:
    """Values are exact where they are not patterns."""
    assert passing(Filter(("hiv.",))) == set()


def test_a_label_of_a_dataset_counts_for_its_columns() -> None:
    """A column's own label counts for it alone; a node that the graph does not have is passed over."""
    assert passing(Filter((), (), ("pii",)), ("hive:dw.orders", "hive:ods.orders#id", "n:none")) == {*NODES[:3]}


def test_exclude_turns_the_filter_round() -> None:
    """Exactly the others pass."""
    where = Filter((), ("hive:dw.*",))

    assert passing(where._replace(exclude=True)) == {*NODES} - passing(where)


def test_an_empty_filter_is_the_callers_mistake() -> None:
    """It would let everything pass, or with ``exclude`` nothing; lists become tuples."""
    with pytest.raises(InvalidRequestError, match="the filter is empty"):
        Filter(exclude=True).checked()
    assert Filter(["hive"]).checked() == Filter(("hive",))  # type: ignore[arg-type]
