"""Lineage as a tree of text. Each edge appears once, and each node is expanded once.

An edge that ends at a whole dataset affects its rows; such edges are under a branch ``rows of DATASET`` after
the first column of that dataset. A branch ``#column`` separates the edges of a dataset by its own column. A star
node ``dataset#*`` represents all columns of its dataset, which are below it. A star edge joined to a column is marked
``(by star)``.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from lineage_tt.cli.render.ink import Ink
from lineage_tt.model.answers import EdgeAsOf, Lineage, Step
from lineage_tt.model.edges import ALIAS, DIRECT, dataset_of, is_column, is_star, star_of

EXPRESSION_SHOWN = 100


@dataclass
class Branch:
    """A node of the tree: its lineage node, the edges that lead to it, and the branches below it."""

    node: str
    edges: list[EdgeAsOf] = field(default_factory=list)
    label: str = ""
    rank: int = 1  # own columns first, then edges, then rows
    repeated: bool = False
    by_star: bool = False
    below: list[Branch] = field(default_factory=list)


def grow(lineage: Lineage, direction: str) -> list[Branch]:
    """Return one tree for each start node from the edges of one direction."""
    steps = [step for step in lineage.steps if step.direction == direction]
    return _Grower(_leading_on(steps, direction), direction).grow(lineage.start)


def _leading_on(steps: list[Step], direction: str) -> list[Step]:
    """Return the steps without those to an alias of a whole dataset at which the walk does not continue."""
    if all(step.edge.subtype != ALIAS for step in steps):
        return steps
    down = direction == "down"
    ends = {step.edge.source if down else step.edge.target for step in steps if step.edge.subtype != ALIAS}
    leading = []
    for step in steps:
        end = step.edge.target if down else step.edge.source
        if step.edge.subtype != ALIAS or end in ends or end != dataset_of(end) or not _has_columns(steps, end):
            leading.append(step)
    return leading


def _has_columns(steps: list[Step], dataset: str) -> bool:
    """Whether an alias leads from or to a column of a dataset."""
    return any(
        step.edge.subtype == ALIAS and is_column(end) and dataset_of(end) == dataset
        for step in steps
        for end in (step.edge.source, step.edge.target)
    )


class _Grower:
    """Adds edges below nodes, nearest nodes first, until no edge is left."""

    def __init__(self, steps: list[Step], direction: str) -> None:
        self._up = direction == "up"
        self._at: dict[str, list[Step]] = defaultdict(list)
        self._columns: dict[str, set[str]] = defaultdict(set)
        for step in steps:
            near = self._near(step.edge)
            self._at[near].append(step)
            if near != dataset_of(near):
                self._columns[dataset_of(near)].add(near)
        self._leading_on = {*self._at, *map(star_of, self._columns), *(() if self._up else self._columns)}
        self._open: deque[Branch] = deque()
        self._placed: set[str] = set()

    def _near(self, edge: EdgeAsOf) -> str:
        return edge.target if self._up else edge.source

    def _far(self, edge: EdgeAsOf) -> str:
        return edge.source if self._up else edge.target

    def grow(self, start: tuple[str, ...]) -> list[Branch]:
        roots = [Branch(node) for node in start]
        self._placed.update(start)
        for root in roots:
            if root.node == dataset_of(root.node) or is_star(root.node):
                self._add_columns(root)
            self._open.append(root)
            if self._up:
                self._add_rows(root, dataset_of(root.node))
        while self._open:
            self._expand(self._open.popleft())
        return roots

    def _expand(self, branch: Branch) -> None:
        """Add below a branch every edge at its node that is not in the tree yet."""
        groups: dict[tuple[str, str, bool], list[EdgeAsOf]] = defaultdict(list)
        for step in self._at.pop(branch.node, ()):
            groups[self._far(step.edge), step.edge.task_id, step.by_star].append(step.edge)
        ordered = sorted(groups.items(), key=lambda item: (all(e.type != DIRECT for e in item[1]), item[0]))
        for (node, _, by_star), edges in ordered:
            child = Branch(node, edges, by_star=by_star)
            branch.below.append(child)
            if node in self._placed:
                child.repeated = node in self._leading_on
                continue
            self._placed.add(node)
            self._open.append(child)
            if self._up:
                self._add_rows(branch, dataset_of(node))
            if is_star(node) or (not self._up and node == dataset_of(node)):
                self._add_columns(child)
        branch.below.sort(key=lambda child: child.rank)

    def _add_rows(self, parent: Branch, dataset: str) -> None:
        """Add, once, the branch for the edges that affect a dataset's rows."""
        if dataset not in self._placed and dataset in self._at:
            self._placed.add(dataset)
            rows = Branch(dataset, label=f"rows of {dataset}", rank=2)
            parent.below.append(rows)
            self._open.append(rows)

    def _add_columns(self, parent: Branch) -> None:
        """Add a branch for each column of a dataset that has its own edges and is not in the tree yet."""
        dataset = dataset_of(parent.node)
        for column in sorted(self._columns[dataset] - self._placed):
            self._placed.add(column)
            branch = Branch(column, label=column.removeprefix(dataset), rank=0)
            parent.below.append(branch)
            self._open.append(branch)


def draw(root: Branch, ink: Ink) -> Iterator[str]:
    """Yield the lines of the branches below a root, with guides."""
    waiting = [(child, "", child is root.below[-1]) for child in reversed(root.below)]
    while waiting:
        branch, indent, last = waiting.pop()
        yield ink.faint(indent + ("└── " if last else "├── ")) + _label(branch, ink)
        deeper = indent + ("    " if last else "│   ")
        waiting.extend((child, deeper, child is branch.below[-1]) for child in reversed(branch.below))


def _label(branch: Branch, ink: Ink) -> str:
    if branch.label:
        return ink.faint(branch.label)
    words = [ink.plain(branch.node), ink.kind(", ".join(dict.fromkeys(e.subtype or e.type for e in branch.edges)))]
    written = dict.fromkeys(" ".join(e.expression.split()) for e in branch.edges if e.type == DIRECT and e.expression)
    for expression in written:
        if expression != branch.node.rpartition("#")[2]:
            cut = expression if len(expression) <= EXPRESSION_SHOWN else expression[:EXPRESSION_SHOWN] + "…"
            words.append(ink.plain(cut))
    words.append(ink.faint(f"[{branch.edges[0].task_id} v{max(e.version for e in branch.edges)}]"))
    if branch.by_star and branch.edges[0].subtype != ALIAS:
        words.append(ink.faint("(by star)"))
    if branch.repeated:
        words.append(ink.faint("(continued elsewhere)"))
    return "  ".join(words)
