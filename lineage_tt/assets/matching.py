"""Matches what exists with what lineage names. Pure functions.

An asset is a dataset or a task: a node that lineage names, that a register lists, or both. Two names of one thing count
as one: what a register lists under one name is known under all names.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from lineage_tt.assets.types import AssetTypes

Status = Literal["matched", "unregistered", "unnamed"]
#: The value for a node whose type a register does not state.
NO_TYPE: Final = "-"
#: The most names, differing only in case, that are compared.
MAX_LIKE: Final = 50


class Asset(NamedTuple):
    """A node and what kind of thing it is.

    ``status``: ``matched`` if lineage names it and a register lists it, ``unregistered`` if only lineage names it,
    ``unnamed`` if only registers list it. ``types`` is its type and the types above; ``type_known`` says whether the
    type is built in or in the file. ``like`` are nodes on the other side whose names differ only in case.
    """

    node: str
    type: str
    type_known: bool
    types: tuple[str, ...]
    icon: str | None
    status: Status
    registers: tuple[str, ...]
    like: tuple[str, ...] = ()


class Disallowed(NamedTuple):
    """An edge in force between assets whose types do not allow it."""

    source: str
    source_type: str
    target: str
    target_type: str


def assets(
    types: AssetTypes,
    named: Iterable[str],
    stated: Mapping[str, str],
    registered: Mapping[str, Mapping[str, str]],
    aliases: Iterable[tuple[str, str]] = (),
) -> list[Asset]:
    """Return all assets, by node. ``named`` are those that lineage names, ``stated`` the types that facts state.

    ``registered`` are the nodes that registers list, each with the type that a register states, or ``NO_TYPE``.
    """
    in_lineage = set(named)
    groups = _groups(aliases)
    names = in_lineage | registered.keys()
    lists = {
        node: sorted({name for each in groups.get(node, (node,)) for name in registered.get(each, ())})
        for node in names
    }
    seen = {node: any(each in in_lineage for each in groups.get(node, (node,))) for node in names}
    left: dict[str, list[str]] = defaultdict(list)
    for node in names:
        if bool(lists[node]) != seen[node] and len(left[node.casefold()]) < MAX_LIKE:
            left[node.casefold()].append(node)
    result = []
    for node in sorted(names):
        kind = type_of(types, node, stated, registered)
        status: Status = "unnamed" if not seen[node] else "matched" if lists[node] else "unregistered"
        like = (
            [each for each in left[node.casefold()] if each != node and seen[each] != seen[node]]
            if status != "matched"
            else []
        )
        result.append(
            Asset(
                node,
                kind,
                kind in types,
                types.line(kind),
                types.icon(kind),
                status,
                tuple(lists[node]),
                tuple(sorted(like)),
            )
        )
    return result


def type_of(
    types: AssetTypes, node: str, stated: Mapping[str, str], registered: Mapping[str, Mapping[str, str]]
) -> str:
    """Return the type of a node: from a fact, else from a register, else by its name."""
    if node in stated:
        return stated[node]
    registered_types = [kind for _, kind in sorted(registered.get(node, {}).items()) if kind != NO_TYPE]
    return registered_types[0] if registered_types else types.type_of(node)


def disallowed(types: AssetTypes, edges: Iterable[tuple[str, str]], kinds: Mapping[str, str]) -> list[Disallowed]:
    """Return the pairs of assets whose types do not allow an edge, in order; ``kinds`` are their types."""
    result = []
    for source, target in sorted(set(edges)):
        one, other = kinds.get(source) or types.type_of(source), kinds.get(target) or types.type_of(target)
        if not types.allows(one, other):
            result.append(Disallowed(source, one, target, other))
    return result


def _groups(aliases: Iterable[tuple[str, str]]) -> dict[str, Sequence[str]]:
    """Return, for each node with other names, all names of the thing."""
    beside: dict[str, set[str]] = defaultdict(set)
    for one, other in aliases:
        beside[one].add(other)
        beside[other].add(one)
    groups: dict[str, Sequence[str]] = {}
    for start in beside:
        if start in groups:
            continue
        group, waiting = {start}, [start]
        while waiting:
            for each in beside[waiting.pop()] - group:
                group.add(each)
                waiting.append(each)
        members = sorted(group)
        groups.update(dict.fromkeys(members, members))
    return groups
