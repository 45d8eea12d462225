"""Heat in the naive model: what is downstream of a node, counted over lists of edges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lineage_tt.model.edges import ALIAS, EdgeAsOf, dataset_of, is_star


def same_things(edges: Iterable[EdgeAsOf]) -> dict[str, str]:
    """Return for each node with aliases the first of all its names, in order of names."""
    groups: dict[str, set[str]] = {}
    for edge in edges:
        if edge.subtype == ALIAS:
            both = groups.get(edge.source, {edge.source}) | groups.get(edge.target, {edge.target})
            for name in both:
                groups[name] = both
    return {name: min(group) for name, group in groups.items()}


def without_aliases(edges: Sequence[EdgeAsOf]) -> list[EdgeAsOf]:
    """Return the edges without aliases, with the first name of each node."""
    one = same_things(edges)
    whole = {dataset_of(name): dataset_of(least) for name, least in one.items()}

    def name(node: str) -> str:
        if node in one:
            return one[node]
        dataset, mark, column = node.partition("#")
        return whole.get(dataset, dataset) + mark + column

    kept = [edge for edge in edges if edge.subtype != ALIAS]
    return [edge._replace(source=name(edge.source), target=name(edge.target)) for edge in kept]


def behind(
    edges: Sequence[EdgeAsOf], node: str, owners: dict[str, set[str]], *, far: bool
) -> tuple[int, int, int, int]:
    """Return how many columns, tables, tasks and people are downstream of a table (with its columns) or a column."""
    own = dataset_of(node)
    frontier = {node}
    if node == own:
        frontier |= {end for edge in edges for end in (edge.source, edge.target) if dataset_of(end) == own}
    met: set[str] = set()
    passed: set[EdgeAsOf] = set()
    seen = set(frontier)
    while frontier:
        out = [edge for edge in edges if edge.source in frontier or dataset_of(edge.source) in frontier]
        passed |= {edge for edge in out if not dataset_of(edge.source) == dataset_of(edge.target) == own}
        ends = {edge.target for edge in out}
        met |= {end for end in ends if dataset_of(end) != own}
        frontier = (ends - seen) if far else set()
        seen |= ends
    tasks = {edge.task_id for edge in passed}
    tables = {dataset_of(end) for end in met}
    people = {who for table in tables for who in owners.get(table, ())}
    people |= {who for task in tasks for who in owners.get(f"task:{task}", ())}
    columns = {end for end in met if "#" in end and not is_star(end)}
    return len(columns), len(tables), len(tasks), len(people)
