"""How figures are grouped: by namespace, layer or owner."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, Literal

from lineage_tt.model.edges import name_of, split_dataset
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.facts import OWNER

if TYPE_CHECKING:
    from lineage_tt.governance.ports import PointGraph

By = Literal["all", "namespace", "layer", "owner"]
BY: Final = ("all", "namespace", "layer", "owner")
#: The group of what has no namespace, layer or owner.
NONE: Final = "(none)"

#: Returns the groups of a dataset.
Groups = Callable[[str], tuple[str, ...]]


def groups_of(graph: PointGraph, by: By) -> Groups:
    """Return a function that returns a dataset's groups; a dataset with several owners counts for each.

    If a dataset's name has several parts, the first one is its layer: ``ods`` for ``hive:ods.orders``.
    Raises InvalidRequestError for an unknown way of grouping.
    """
    if by == "all":
        return lambda dataset: ("all",)
    if by == "namespace":
        return lambda dataset: (_namespace(dataset),)
    if by == "layer":
        return lambda dataset: (layer_of(dataset),)
    if by == "owner":
        owners = _owners(graph)
        return lambda dataset: owners.get(dataset, (NONE,))
    raise InvalidRequestError(f"no figures by {by!r}", hint=f"give {', '.join(BY)}")


def layer_of(dataset: str) -> str:
    """Return the layer of a dataset, ``NONE`` if its name has only one part."""
    first, dot, _ = name_of(dataset).replace("/", ".").partition(".")
    return first if dot and first else NONE


def _namespace(dataset: str) -> str:
    try:
        return split_dataset(dataset)[0]
    except ValueError:
        return NONE


def _owners(graph: PointGraph) -> Mapping[str, tuple[str, ...]]:
    owners: dict[str, set[str]] = defaultdict(set)
    for fact in graph.facts(OWNER):
        owners[fact.node].add(fact.value)
    return {node: tuple(sorted(names)) for node, names in owners.items()}
