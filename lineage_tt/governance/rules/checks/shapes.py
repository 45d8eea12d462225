"""Shapes of the graph: circles, paths that rejoin, chains of views."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_tt.governance.points.components import components
from lineage_tt.governance.rules.settings import Settings
from lineage_tt.governance.rules.tables import Tables
from lineage_tt.governance.rules.violation import Breach


def circles(children: dict[int, list[int]]) -> list[list[int]]:
    """Return the strongly connected components of more than one node."""
    ordered = {start: children[start] for start in sorted(children)}
    return [members for members in components(ordered) if len(members) > 1]


def cycle(tables: Tables, settings: Settings) -> Iterator[Breach]:
    """Tables that depend on each other in a cycle."""
    for members in circles(tables.children):
        first, *others = tables.names(members)
        tasks = {task for number in members for task in tables.writers[number]}
        yield Breach(first, tuple(others), f"{len(members)} tables are made of one another", tuple(sorted(tasks)))


def rejoining_of_upstream_concepts(tables: Tables, settings: Settings) -> Iterator[Breach]:
    """A table is made from A and from B, where B is made only from A and nobody else reads B."""
    for target, parents in tables.parents.items():
        for middle in parents:
            (*above,) = tables.parents.get(middle, ())
            if len(above) == 1 and above[0] in parents and tables.children[middle] == [target]:
                others = (tables.name[above[0]], tables.name[middle])
                detail = f"{others[1]} is made of {others[0]} alone, and read only here, beside it"
                yield Breach(tables.name[target], others, detail, tuple(tables.writers[target]))


def chained_views_dependencies(tables: Tables, settings: Settings) -> Iterator[Breach]:
    """A view is made from views of views: each query computes all of them."""
    views = {number for number in tables.name if tables.is_view(number, settings.views)}
    length: dict[int, int] = {}
    for start in sorted(views):
        work = [(start, False)]
        open_now: set[int] = set()
        while work:
            number, done = work.pop()
            above = [parent for parent in tables.parents.get(number, ()) if parent in views]
            if done:
                open_now.discard(number)
                length[number] = 1 + max((length.get(parent, 0) for parent in above), default=0)
            elif number not in length and number not in open_now:
                open_now.add(number)
                work.append((number, True))
                work += [(parent, False) for parent in above]
    for number in (each for each in tables.name if each in views):
        if length[number] > settings.max_view_chain:
            detail = f"a chain of {length[number]} views, more than {settings.max_view_chain}"
            yield Breach(tables.name[number], (), detail, tuple(tables.writers.get(number, ())))
