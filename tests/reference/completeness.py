"""Completeness in the naive model: tasks on a walk that are not complete, and nodes at which it stops for that."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from reference.model import EdgeValue, Model, TaskEdge, Unsure
from reference.walks import ShownEdge, dataset, far_end, is_column


class Lacking(NamedTuple):
    """A task in force whose coverage is not complete, and what it is known to read and write."""

    task: str
    version: int
    edges: frozenset[EdgeValue]
    unsure: Unsure

    def named(self, code: str) -> set[str]:
        """Return the datasets that its problems with a code name."""
        return {subject for given, subject in self.unsure.problems if given == code and subject}

    def reads(self) -> set[str]:
        """Return the datasets that it reads."""
        return {dataset(edge[0]) for edge in self.edges} | self.named("untraced-read")

    def may_read(self, node: str) -> bool:
        """Return whether it may read a node without an edge."""
        table = dataset(node)
        if table not in self.reads():
            return False
        if table in self.named("untraced-read") or any(edge[0] == table for edge in self.edges):
            return True
        others = {subject for code, subject in self.unsure.problems if not code.startswith("untraced-")}
        return table in others or not others or not others <= self.reads()

    def writes(self) -> set[str]:
        """Return the datasets that it writes."""
        found = {dataset(edge[1]) for edge in self.edges}
        target = {self.unsure.target} if self.unsure.target and not self.edges else set()
        return found | self.named("untraced-write") | {name for name, _ in self.unsure.outputs} | target

    def may_write(self, node: str) -> bool:
        """Return whether it may write a node; if its columns are known, it writes no others."""
        if dataset(node) not in self.writes():
            return False
        known = [columns for name, columns in self.unsure.outputs if name == dataset(node) and columns]
        return not is_column(node) or all(node.split("#", 1)[1] in columns for columns in known)


def lacking(model: Model, valid_at: int, upto: int) -> list[Lacking]:
    """Return the tasks in force whose coverage is not complete."""
    visible = model.visible(upto)
    winners = [model.winner(task, valid_at, visible) for task in model.tasks()]
    return [
        Lacking(record.sent.task, record.version, record.sent.edges, record.sent.unsure)
        for record in winners
        if record and record.sent.op != "offline" and record.sent.unsure
    ]


def stated_columns(model: Model, valid_at: int, upto: int) -> dict[str, frozenset[str]]:
    """Return the columns of each dataset that the last statement to take effect states, even if its task is offline."""
    visible = model.visible(upto)
    found: dict[str, tuple[tuple[int, bool, int, str], frozenset[str]]] = {}
    for task, at in {(r.sent.task, r.sent.effective_at) for r in visible if r.sent.effective_at <= valid_at}:
        record = model.winner(task, at, visible)
        if record is None or record.sent.unsure is None:
            continue
        ordinal = record.sent.source_version
        turn = (at, ordinal is not None, ordinal or 0, task)
        for table, columns in record.sent.unsure.outputs:
            if "*" not in columns and (table not in found or turn > found[table][0]):
                found[table] = turn, columns
    return {table: columns for table, (_, columns) in found.items() if columns}


def absent(stated: dict[str, frozenset[str]], state: Iterable[TaskEdge], found: dict[ShownEdge, int], node: str,
           direction: str) -> bool:  # fmt: skip
    """Return whether a walk met no edge at a column, because its written dataset does not have it."""
    table, near = dataset(node), 1 if direction == "down" else 2
    if not is_column(node) or table not in stated or node.partition("#")[2] in stated[table]:
        return False
    targets = {edge[2] for edge in state}
    written = table in {dataset(target) for target in targets}
    return written and not targets & {node, table + "#*"} and all(edge[near] != node for edge in found)


def unknown_of(
    gaps: list[Lacking], found: dict[ShownEdge, int], starts: Iterable[str], direction: str, depth: int
) -> tuple[set[tuple[str, int]], set[tuple[str, str]]]:
    """Return (incomplete tasks met, with versions; nodes at which a walk stopped for them, with the direction)."""
    starts = set(starts)
    looked_at = {far_end(edge, direction) for edge, step in found.items() if step < depth} | (
        starts if depth else set()
    )
    met = {(gap.task, gap.version) for gap in gaps if any(edge[0] == gap.task for edge in found)}
    ends: set[tuple[str, str]] = set()
    for gap in gaps:
        for node in looked_at:
            if not (gap.may_read(node) if direction == "down" else gap.may_write(node)):
                continue
            met.add((gap.task, gap.version))
            if not (_continues if direction == "down" else _comes_from)(found, node, node in starts, gap):
                ends.add((node, direction))
    return met, ends


def _continues(found: dict[ShownEdge, int], node: str, _: bool, __: Lacking) -> bool:
    sources = {edge[1] for edge in found if edge[4] != "ALIAS"}
    if not is_column(node):
        return dataset(node) in {dataset(source) for source in sources}
    return node in sources or dataset(node) + "#*" in sources


def _comes_from(found: dict[ShownEdge, int], node: str, start: bool, gap: Lacking) -> bool:
    found = {edge: step for edge, step in found.items() if edge[4] != "ALIAS"}  # does not state where values come from
    table = dataset(node)
    if node == table and not start:
        return any(dataset(edge[1]) == table for edge in gap.edges)
    if not is_column(node):
        return any(dataset(edge[2]) == table for edge in found)
    valued = {edge[2] for edge in found if edge[3] == "DIRECT"}
    return any(edge[2] == node for edge in found) or table in valued or table + "#*" in valued
