"""Columns that a release renames together with their readers: a text that used the old name uses the new one.

A column counts as renamed if exactly one new column has the same sources in the same way as the old one. Sources may be
renamed themselves, so the search is repeated until a round adds nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from lineage_tt.impact.base.closure import STAR
from lineage_tt.impact.release.declaring import renames_of
from lineage_tt.impact.release.release import Change, Release
from lineage_tt.model.edges import EXCEPT, EdgeTuple, column_of, dataset_of, leaves_out, left_out
from lineage_tt.model.facts import names_of

#: The most rounds: a rename is followed over at most this many tasks of one release; after them, columns are reported
#: as removed.
MAX_ROUNDS: Final = 64
#: Old node → new node.
Renames = Mapping[str, str]


def find_renames(release: Release) -> None:
    """Find what the release renames, and store it in ``release.renames``."""
    for _ in range(MAX_ROUNDS):
        renames = dict(release.renames)
        for change in release.changes.values():
            if change.op != "offline" and not change.unreadable:
                renames.update(_of_change(release, change))
        if renames == release.renames:
            break
        release.renames = renames
    written = {edge.target for edge in release.edges_into({dataset_of(node) for node in release.renames})}
    release.renames = {old: new for old, new in release.renames.items() if old not in written}


def _of_change(release: Release, change: Change) -> dict[str, str]:
    result = {}
    for dataset in change.writes() & change.writes_before():
        old, new = columns_of(release, change, dataset)
        for name, match in matches(release, change, dataset, *apart(old, new)).items():
            result[f"{dataset}#{name}"] = f"{dataset}#{match}"
    return result


def columns_of(release: Release, change: Change, dataset: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return a dataset's columns before and after: from the catalog if the text defines them, otherwise from edges."""
    outputs = dict(change.lineage.outputs)
    if dataset in outputs:
        before = names_of(release.before.get(dataset) or ())
        return before or _of_edges(change.before_edges, dataset), tuple(outputs[dataset])
    known = {*_of_edges(change.before_edges, dataset), *newly_left_out(change, dataset)}
    return tuple(sorted(known)), _of_edges(change.edges, dataset)


def newly_left_out(change: Change, dataset: str) -> set[str]:
    """Return the columns that a star over unknown columns brought before the change, and no star brings after it."""
    star = f"{dataset}#{STAR}"
    before, after = ([edge for edge in edges if edge[1] == star] for edges in (change.before_edges, change.edges))
    listed = [set(left_out(edge[4])) if edge[4].startswith(EXCEPT) else set() for edge in after]
    gone = set.intersection(*listed) if listed else set()
    brought = {name for name in gone if any(not leaves_out(edge, f"{dataset}#{name}") for edge in before)}
    return brought - set(_of_edges(change.edges, dataset))


def _of_edges(edges: Iterable[EdgeTuple], dataset: str) -> tuple[str, ...]:
    names = {column_of(edge[1]) for edge in edges if dataset_of(edge[1]) == dataset}
    return tuple(sorted(name for name in names if name not in (None, STAR)))


def is_open(edges: Iterable[EdgeTuple], dataset: str) -> bool:
    """Whether a star over unknown columns fills a dataset, so that it may have columns that nobody can name."""
    return any(edge[1] == f"{dataset}#{STAR}" for edge in edges)


def apart(old: Sequence[str], new: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the columns that are gone and those that are new; the case of letters does not matter."""
    lower_old, lower_new = {name.lower() for name in old}, {name.lower() for name in new}
    return [name for name in old if name.lower() not in lower_new], [n for n in new if n.lower() not in lower_old]


def matches(
    release: Release, change: Change, dataset: str, removed: Sequence[str], added: Sequence[str]
) -> dict[str, str]:
    """Return the added column that each removed column has become, where that can be determined."""
    left, result = list(added), {}
    stated = renames_of(change, dataset)
    for name in removed:
        if stated.get(name) in left:
            left.remove(stated[name])
            result[name] = stated[name]
    for name in removed if not change.declares else ():
        match = _match(release.renames, change, dataset, name, left)
        if match is not None:
            left.remove(match)
            result[name] = match
    return result


def _match(renames: Renames, change: Change, dataset: str, name: str, added: Sequence[str]) -> str | None:
    """Return the only new column with the same sources as the old one, None if there is not exactly one."""
    before = [edge for edge in change.before_edges if edge[1] == f"{dataset}#{name}"]
    followed = any(edge[0] in renames for edge in before)  # then expressions use the new names
    had = _sources(followed_by(before, renames), followed)
    if not had:
        return None
    after: dict[str, list[EdgeTuple]] = defaultdict(list)
    for edge in change.edges:
        after[edge[1]].append(edge)
    match = [other for other in added if _sources(after[f"{dataset}#{other}"], followed) == had]
    return match[0] if len(match) == 1 else None


def _sources(edges: Iterable[EdgeTuple], followed: bool) -> set[tuple[str, ...]]:
    return {(edge[0], *edge[2:4], "" if followed else edge[4]) for edge in edges}


def followed_by(edges: Iterable[EdgeTuple], renames: Renames) -> list[EdgeTuple]:
    """Return edges with the names that their ends have after the release."""
    return [(renames.get(e[0], e[0]), renames.get(e[1], e[1]), *e[2:]) for e in edges]


def by_dataset(renames: Renames) -> dict[str, dict[str, str]]:
    """Return the renames in the form that the comparison of texts needs: dataset → lower-case old name → new name."""
    result: dict[str, dict[str, str]] = defaultdict(dict)
    for old, new in renames.items():
        result[dataset_of(old)][(column_of(old) or "").lower()] = column_of(new) or ""
    return dict(result)
