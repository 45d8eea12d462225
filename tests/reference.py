"""The naive model: section 2 of the design as plain lists. It shares no code with the store; nothing here is fast.

Instants are integers. A message is judged when it is received; everything else is worked out from the list of
accepted records each time it is asked for. ``upto`` is a version: what was known at a system time is what the versions
with a system time not after it say (``version_at``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

#: source, target, type, subtype, expression
EdgeValue = tuple[str, str, str, str, str]
#: task, then the edge
TaskEdge = tuple[str, str, str, str, str, str]
#: a task's edge on [valid_from, valid_to); None is without end
Rectangle = tuple[TaskEdge, int, int | None]


class Unsure(NamedTuple):
    """What a message that is not complete says of itself: problems are (code, subject), outputs (dataset, columns)."""

    coverage: str
    problems: frozenset[tuple[str, str]]
    outputs: frozenset[tuple[str, frozenset[str]]] = frozenset()
    target: str | None = None


class Sent(NamedTuple):
    """A message as it was sent."""

    task: str
    event: str
    op: str
    effective_at: int
    source_version: int | None = None
    edges: frozenset[EdgeValue] = frozenset()
    retracts: str | None = None
    unsure: Unsure | None = None


class Record(NamedTuple):
    """An accepted message."""

    version: int
    system_time: int
    sent: Sent


class Belief(NamedTuple):
    """A rectangle and the versions between which the store believed it."""

    edge: TaskEdge
    valid_from: int
    valid_to: int | None
    opened: int
    closed: int | None


@dataclass
class Model:
    """Everything received so far; versions are dense over accepted and rejected messages."""

    accepted: list[Record] = field(default_factory=list)
    rejected: list[tuple[int, Sent]] = field(default_factory=list)
    system_times: list[int] = field(default_factory=list)

    # --- taking in ------------------------------------------------------------------------------------------------

    def receive(self, sent: Sent, system_time: int) -> tuple[int, str]:
        """Judge one message; return (version, status): a new version, or the one that it repeats."""
        for record in self.accepted:
            if (record.sent.task, record.sent.event) == (sent.task, sent.event):
                if record.sent == sent:
                    return record.version, "duplicate"
                return self._reject(sent, system_time)
        if sent.op == "retract" and not any(
            r.sent.task == sent.task and r.sent.event == sent.retracts for r in self.accepted
        ):
            return self._reject(sent, system_time)
        self.system_times.append(system_time)
        self.accepted.append(Record(self.version, system_time, sent))
        return self.version, "accepted"

    def _reject(self, sent: Sent, system_time: int) -> tuple[int, str]:
        for version, earlier in self.rejected:
            if earlier == sent:
                return version, "duplicate"
        self.system_times.append(system_time)
        self.rejected.append((self.version, sent))
        return self.version, "rejected"

    @property
    def version(self) -> int:
        """The last version."""
        return len(self.system_times)

    def next_system_time(self, now: int) -> int:
        """The system time of the next version, if it comes at ``now``."""
        return max(now, self.system_times[-1] + 1) if self.system_times else max(now, 1)

    def version_at(self, system_time: int) -> int:
        """The last version known at a system time, 0 before the first."""
        return sum(1 for time in self.system_times if time <= system_time)

    # --- what is in force -----------------------------------------------------------------------------------------

    def visible(self, upto: int) -> list[Record]:
        """The statements that count: neither retracts themselves nor withdrawn by a retract that stands."""
        known = [r for r in self.accepted if r.version <= upto]
        retracts = [r for r in known if r.sent.op == "retract"]

        def withdrawn(record: Record) -> bool:
            return any(
                other.sent.task == record.sent.task
                and other.sent.retracts == record.sent.event
                and not withdrawn(other)
                for other in retracts
            )

        return [r for r in known if r.sent.op != "retract" and not withdrawn(r)]

    def winner(self, task: str, valid_at: int, visible: list[Record]) -> Record | None:
        """The statement in force for a task: of the latest effective_at, the greatest (source_version, version)."""
        candidates = [r for r in visible if r.sent.task == task and r.sent.effective_at <= valid_at]
        if not candidates:
            return None
        latest = max(r.sent.effective_at for r in candidates)

        def rank(record: Record) -> tuple[bool, int, int]:
            given = record.sent.source_version
            return (given is not None, given or 0, record.version)

        return max((r for r in candidates if r.sent.effective_at == latest), key=rank)

    def tasks(self) -> list[str]:
        """All tasks that ever had an accepted message."""
        return sorted({r.sent.task for r in self.accepted})

    def tasks_in_force(self, valid_at: int, upto: int) -> dict[str, int]:
        """Task → version of the statement in force; offline tasks are left out."""
        visible = self.visible(upto)
        tasks = {task: self.winner(task, valid_at, visible) for task in self.tasks()}
        return {task: record.version for task, record in tasks.items() if record and record.sent.op != "offline"}

    def state(self, valid_at: int, upto: int) -> frozenset[TaskEdge]:
        """The edges in force at a point."""
        result: set[TaskEdge] = set()
        visible = self.visible(upto)
        for task in self.tasks():
            record = self.winner(task, valid_at, visible)
            if record:
                result |= {(task, *edge) for edge in record.sent.edges}
        return frozenset(result)

    def rectangles(self, upto: int) -> frozenset[Rectangle]:
        """Each edge's maximal intervals, as known at a version."""
        result: set[Rectangle] = set()
        visible = self.visible(upto)
        for task in self.tasks():
            starts = sorted({r.sent.effective_at for r in visible if r.sent.task == task})
            pieces: dict[EdgeValue, list[tuple[int, int | None]]] = {}
            for start, end in zip(starts, [*starts, None][1:], strict=True):
                record = self.winner(task, start, visible)
                for edge in record.sent.edges if record else ():
                    pieces.setdefault(edge, []).append((start, end))
            for edge, intervals in pieces.items():
                result |= {((task, *edge), a, b) for a, b in _joined(intervals)}
        return frozenset(result)

    def attributed(self, upto: int) -> list[tuple[TaskEdge, int, int, int | None]]:
        """(edge, version, valid_from, valid_to) of each edge's intervals: the statement in force where one begins."""
        visible = self.visible(upto)
        result = []
        for edge, since, until in self.rectangles(upto):
            began = self.winner(edge[0], since, visible)
            assert began is not None
            result.append((edge, began.version, since, until))
        return result

    # --- over time ------------------------------------------------------------------------------------------------

    def diff(self, first: tuple[int, int], second: tuple[int, int]) -> tuple[frozenset[TaskEdge], frozenset[TaskEdge]]:
        """(removed, added) between two points, each (valid_at, version)."""
        before, after = self.state(*first), self.state(*second)
        return before - after, after - before

    def beliefs(self) -> list[Belief]:
        """Every rectangle ever believed, with the versions that opened and closed it."""
        result: list[Belief] = []
        open_since: dict[Rectangle, int] = {}
        for version in range(1, self.version + 1):
            now = self.rectangles(version)
            for gone in set(open_since) - now:
                result.append(Belief(*gone, open_since.pop(gone), version))
            for come in now - set(open_since):
                open_since[come] = version
        result += [Belief(*still, since, None) for still, since in open_since.items()]
        return result

    def net_changes(self, version: int) -> frozenset[tuple[int, TaskEdge, int, int | None]]:
        """What a version added (+1) and took away (−1): maximal stretches, from the rectangles before and after."""
        before, after = self.rectangles(version - 1), self.rectangles(version)
        edges = {edge for edge, _, _ in before | after}
        changes: set[tuple[int, TaskEdge, int, int | None]] = set()
        for edge in edges:
            old, new = ([(a, b) for e, a, b in side if e == edge] for side in (before, after))
            ends = {end for interval in old + new for end in interval}
            cuts: list[int | None] = [*sorted(end for end in ends if end is not None), None]
            for sign, inside, outside in ((1, new, old), (-1, old, new)):
                stretches = [
                    (a, b) for a, b in pairwise(cuts) if a is not None and covers(inside, a) and not covers(outside, a)
                ]
                changes |= {(sign, edge, a, b) for a, b in _joined(stretches)}
        return frozenset(changes)

    def boundaries(self) -> list[int]:
        """All valid times at which anything may change."""
        return sorted({r.sent.effective_at for r in self.accepted if r.sent.op != "retract"})


def covers(intervals: Iterable[tuple[int, int | None]], at: int) -> bool:
    """Say whether any half-open interval holds at ``at``."""
    return any(a <= at and (b is None or at < b) for a, b in intervals)


def _joined(intervals: Iterable[tuple[int, int | None]]) -> list[tuple[int, int | None]]:
    """Join touching intervals; they come in order and don't overlap."""
    joined: list[tuple[int, int | None]] = []
    for start, end in intervals:
        if joined and joined[-1][1] == start:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


# --- walks --------------------------------------------------------------------------------------------------------


def dataset(node: str) -> str:
    """The dataset of a node."""
    return node.split("#")[0]


def is_star(node: str) -> bool:
    """Whether a node stands for the unknown columns of its dataset."""
    return node == dataset(node) + "#*"


def is_column(node: str) -> bool:
    """Whether a node is a column that has a name."""
    return "#" in node and not is_star(node)


def leaves(edge: TaskEdge, node: str) -> bool:
    """Say whether an edge begins at a node; a dataset stands for its columns, a star node, too."""
    return edge[1] == node or dataset(edge[1]) == node or (is_star(node) and _beside(edge[1], node))


def enters(edge: TaskEdge, node: str) -> bool:
    """Say whether an edge ends at a node, at one of its columns, or at the whole dataset that it belongs to."""
    if is_star(node) and _beside(edge[2], node):
        return True
    return edge[2] == node or dataset(edge[2]) == node or edge[2] == dataset(node)


def _beside(end: str, star: str) -> bool:
    return "#" in end and dataset(end) == dataset(star)


def joined(edges: Iterable[TaskEdge], edge: TaskEdge, column: str, near: int) -> TaskEdge | None:
    """A star edge as an edge of the column at its near end (1 source, 2 target); None where it does not make one.

    A task that makes a column of the target from something of its own makes it from nothing else by star; columns that
    the edge leaves out (``* EXCEPT (a, b)``) are not joined.
    """
    if not is_column(column) or edge[near] != dataset(column) + "#*":
        return None
    name = column.split("#", 1)[1]
    if edge[5].startswith("* EXCEPT (") and name in edge[5][len("* EXCEPT (") : -1].split(", "):
        return None
    ends = [f"{dataset(end)}#{name}" if is_star(end) else end for end in edge[1:3]]
    if is_star(edge[2]) and any(o[0] == edge[0] and o[2] == ends[1] and o[3] == "DIRECT" for o in edges):
        return None
    return (edge[0], *ends, *edge[3:])  # type: ignore[return-value]


#: an edge as a walk shows it: whether it is a star edge that was joined to a column
ShownEdge = tuple[str, str, str, str, str, str, bool]


def next_edges(edges: list[TaskEdge], node: str, direction: str, first: bool) -> set[ShownEdge]:
    """The edges that a walk continues with from a node; upstream, a dataset stands for its columns only at first."""
    if direction == "down":
        plain, near = {edge for edge in edges if leaves(edge, node)}, 1
    elif first or is_star(node):
        plain, near = {edge for edge in edges if enters(edge, node)}, 2
    else:
        plain, near = {edge for edge in edges if edge[2] in (node, dataset(node))}, 2
    stars = {joined(edges, edge, node, near) for edge in edges}
    return {(*edge, False) for edge in plain} | {(*edge, True) for edge in stars if edge}


def walk(edges: Iterable[TaskEdge], starts: Iterable[str], direction: str, depth: int = 10**6) -> dict[ShownEdge, int]:
    """The edges reached from some nodes, each with its least number of steps; direction ``up`` or ``down``."""
    given = list(edges)
    out = rejected(given)
    everything = [edge for edge in given if edge[4] != "REJECTED"]
    frontier, seen = set(starts), set(starts)
    result: dict[ShownEdge, int] = {}
    for step in range(1, depth + 1):
        edges_on = [e for node in frontier for e in next_edges(everything, node, direction, step == 1)]
        edges_on = [edge for edge in edges_on if not out.covers(edge[1], edge[2])]
        for edge in edges_on:
            result.setdefault(edge, step)
        frontier = {edge[2] if direction == "down" else edge[1] for edge in edges_on} - seen
        seen |= frontier
        if not frontier:
            break
    return result


def alias(one: str, other: str) -> frozenset[EdgeValue]:
    """The edges of a statement that two datasets are one thing."""
    pairs = [(one, other), (other, one)]
    ends = [*pairs, *((f"{a}#*", f"{b}#*") for a, b in pairs)]
    return frozenset((a, b, "DIRECT", "ALIAS", "") for a, b in ends)


def rejection(source: str, target: str) -> frozenset[EdgeValue]:
    """The marks that the edges between two nodes are rejected; of two datasets also between their star nodes."""
    pairs = {(source, target)}
    if "#" not in source + target:
        pairs.add((f"{source}#*", f"{target}#*"))
    return frozenset((a, b, "DIRECT", "REJECTED", "") for a, b in pairs)


class Rejected(NamedTuple):
    """What is rejected in a state: pairs of nodes, and pairs of datasets."""

    pairs: frozenset[tuple[str, str]]
    datasets: frozenset[tuple[str, str]]

    def covers(self, source: str, target: str) -> bool:
        """Whether an edge between two nodes is rejected."""
        return (source, target) in self.pairs or (dataset(source), dataset(target)) in self.datasets


def rejected(edges: Iterable[TaskEdge]) -> Rejected:
    """What the marks in a state reject: the task of a mark names the two nodes."""
    stated = [edge[0].removeprefix("edge:").split(" -> ") for edge in edges if edge[4] == "REJECTED"]
    pairs = {(a, b) for a, b in stated}
    return Rejected(frozenset(pairs), frozenset(pair for pair in pairs if "#" not in pair[0] + pair[1]))


def shown(found: dict[ShownEdge, int], starts: Iterable[str], direction: str) -> dict[ShownEdge, int]:
    """What an answer shows of a walk: no way back over an alias, unless it is the soonest way to where it leads."""
    over = {edge[:3]: step for edge, step in found.items() if edge[4] == "ALIAS"}
    back = {e for e, step in found.items() if e[4] == "ALIAS" and over.get((e[0], e[2], e[1]), step) < step}
    far = 2 if direction == "down" else 1

    def is_reached(node: str, step: int) -> bool:
        return node in starts or any(e[far] == node and at <= step for e, at in found.items() if e not in back)

    return {e: step for e, step in found.items() if e not in back or not is_reached(e[far], step)}


def merged(edges: Iterable[TaskEdge]) -> tuple[frozenset[TaskEdge], dict[str, str]]:
    """The edges as they would be if all names of one thing were one name; and by dataset that name."""
    everything = list(edges)
    name = {dataset(end): dataset(end) for edge in everything for end in edge[1:3]}
    for edge in everything:
        if edge[4] == "ALIAS":
            one, other = sorted((name[dataset(edge[1])], name[dataset(edge[2])]))
            name = {each: one if of == other else of for each, of in name.items()}
    plain = [edge for edge in everything if edge[4] != "ALIAS"]
    return frozenset((e[0], renamed(e[1], name), renamed(e[2], name), *e[3:]) for e in plain), name


def renamed(node: str, name: dict[str, str]) -> str:
    """A node with the name that its dataset has among all of its names."""
    return name.get(dataset(node), dataset(node)) + node[len(dataset(node)) :]


def table_level(edges: Iterable[TaskEdge]) -> set[TaskEdge]:
    """The same edges seen from further away: DIRECT where any is, a subtype where all agree, no expression."""
    groups: dict[tuple[str, str, str], list[TaskEdge]] = {}
    for edge in edges:
        groups.setdefault((edge[0], dataset(edge[1]), dataset(edge[2])), []).append(edge)
    result = set()
    for (task, source, target), members in groups.items():
        kinds, subtypes = {m[3] for m in members}, {m[4] for m in members}
        kind = "DIRECT" if "DIRECT" in kinds else "INDIRECT"
        result.add((task, source, target, kind, subtypes.pop() if len(subtypes) == 1 else "", ""))
    return result


# --- completeness -------------------------------------------------------------------------------------------------


class Lacking(NamedTuple):
    """A task in force that is not complete, and what it is known to touch."""

    task: str
    version: int
    edges: frozenset[EdgeValue]
    unsure: Unsure

    def named(self, code: str) -> set[str]:
        """The datasets that its problems of a code name."""
        return {subject for given, subject in self.unsure.problems if given == code and subject}

    def reads(self) -> set[str]:
        """The datasets that it reads."""
        return {dataset(edge[0]) for edge in self.edges} | self.named("untraced-read")

    def may_read(self, node: str) -> bool:
        """Whether it may read a node in a way that no edge shows."""
        table = dataset(node)
        if table not in self.reads():
            return False
        if table in self.named("untraced-read") or any(edge[0] == table for edge in self.edges):
            return True
        others = {subject for code, subject in self.unsure.problems if not code.startswith("untraced-")}
        return table in others or not others or not others <= self.reads()

    def writes(self) -> set[str]:
        """The datasets that it writes."""
        found = {dataset(edge[1]) for edge in self.edges}
        target = {self.unsure.target} if self.unsure.target and not self.edges else set()
        return found | self.named("untraced-write") | {name for name, _ in self.unsure.outputs} | target

    def may_write(self, node: str) -> bool:
        """Whether it may write a node; columns that it is known to write leave out the others."""
        if dataset(node) not in self.writes():
            return False
        known = [columns for name, columns in self.unsure.outputs if name == dataset(node) and columns]
        return not is_column(node) or all(node.split("#", 1)[1] in columns for columns in known)


def lacking(model: Model, valid_at: int, upto: int) -> list[Lacking]:
    """The tasks in force that are not complete."""
    visible = model.visible(upto)
    winners = [model.winner(task, valid_at, visible) for task in model.tasks()]
    return [
        Lacking(record.sent.task, record.version, record.sent.edges, record.sent.unsure)
        for record in winners
        if record and record.sent.op != "offline" and record.sent.unsure
    ]


def stated_columns(model: Model, valid_at: int, upto: int) -> dict[str, frozenset[str]]:
    """The columns that the last statement to take effect says of a dataset, whether its task is in force or not."""
    visible = model.visible(upto)
    found: dict[str, tuple[tuple[int, bool, int, str], frozenset[str]]] = {}
    for task, at in {(r.sent.task, r.sent.effective_at) for r in visible if r.sent.effective_at <= valid_at}:
        record = model.winner(task, at, visible)
        if record is None or record.sent.unsure is None:
            continue
        given = record.sent.source_version
        turn = (at, given is not None, given or 0, task)
        for table, columns in record.sent.unsure.outputs:
            if "*" not in columns and (table not in found or turn > found[table][0]):
                found[table] = turn, columns
    return {table: columns for table, (_, columns) in found.items() if columns}


def absent(stated: dict[str, frozenset[str]], state: Iterable[TaskEdge], found: dict[ShownEdge, int], node: str,
           direction: str) -> bool:  # fmt: skip
    """Whether a walk found no edge at a column that its dataset, which is written, does not have."""
    table, near = dataset(node), 1 if direction == "down" else 2
    if not is_column(node) or table not in stated or node.partition("#")[2] in stated[table]:
        return False
    targets = {edge[2] for edge in state}
    written = table in {dataset(target) for target in targets}
    return written and not targets & {node, table + "#*"} and all(edge[near] != node for edge in found)


def unknown_of(
    gaps: list[Lacking], found: dict[ShownEdge, int], starts: Iterable[str], direction: str, depth: int
) -> tuple[set[tuple[str, int]], set[tuple[str, str]]]:
    """(tasks met, with their versions; nodes at which a walk one way stopped unknowing, with the direction)."""
    starts = set(starts)
    far = 2 if direction == "down" else 1
    looked_at = {edge[far] for edge, step in found.items() if step < depth} | (starts if depth else set())
    met = {(gap.task, gap.version) for gap in gaps if any(edge[0] == gap.task for edge in found)}
    ends: set[tuple[str, str]] = set()
    for gap in gaps:
        for node in looked_at:
            if not (gap.may_read(node) if direction == "down" else gap.may_write(node)):
                continue
            met.add((gap.task, gap.version))
            if not (_goes_on if direction == "down" else _comes_from)(found, node, node in starts, gap):
                ends.add((node, direction))
    return met, ends


def _goes_on(found: dict[ShownEdge, int], node: str, _: bool, __: Lacking) -> bool:
    sources = {edge[1] for edge in found if edge[4] != "ALIAS"}
    if not is_column(node):
        return dataset(node) in {dataset(source) for source in sources}
    return node in sources or dataset(node) + "#*" in sources


def _comes_from(found: dict[ShownEdge, int], node: str, start: bool, gap: Lacking) -> bool:
    found = {edge: step for edge, step in found.items() if edge[4] != "ALIAS"}  # says nothing of where values come from
    table = dataset(node)
    if node == table and not start:
        return any(dataset(edge[1]) == table for edge in gap.edges)
    if not is_column(node):
        return any(dataset(edge[2]) == table for edge in found)
    valued = {edge[2] for edge in found if edge[3] == "DIRECT"}
    return any(edge[2] == node for edge in found) or table in valued or table + "#*" in valued
