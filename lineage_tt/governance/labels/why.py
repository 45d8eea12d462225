"""Why a node has a label: the shortest path from where it is stated, since when, and what brought it.

*Since* is the valid time from which the node has had the label without a break, as known at the point, possibly by
different paths one after another. It is searched for back in time, path by path: the current path holds since the last
of its parts began; if the node also had the label just before, the path as of then is examined.
"""

from __future__ import annotations

from collections import deque
from typing import Any, Final, NamedTuple

from lineage_tt.governance.labels.labelled import Labelled
from lineage_tt.governance.labels.scene import Scene
from lineage_tt.governance.labels.statements import BLOCK, DECISION
from lineage_tt.governance.ports import MASKED, MessageRecord, PointSource
from lineage_tt.model.answers import Basis
from lineage_tt.model.edges import dataset_of, is_column
from lineage_tt.model.facts import LABEL
from lineage_tt.model.times import format_instant

#: The most paths that are followed back in time; after them ``since`` is no longer exact.
MAX_BACK: Final = 24
_ENDED: Final = f"""
    SELECT node, "key", "value", subject, epoch_us(valid_to) FROM fact_changes
    WHERE version <= $version AND valid_to <= make_timestamptz($at)
        AND (starts_with("key", '{DECISION}') OR starts_with("key", '{BLOCK}') OR "key" = '{MASKED}')
    GROUP BY node, "key", "value", kind, subject, valid_from, valid_to HAVING sum(sign) = 1"""
#: The message about a subject that takes effect at an instant and is in force there.
_SAYING: Final = """
    SELECT max(version) FROM statements_as_of(make_timestamptz($at), make_timestamptz($system))
    WHERE subject = $subject AND effective_at = make_timestamptz($at) AND (kind <> 'fact' OR "key" = $key)"""


class Hop(NamedTuple):
    """A step of a path: an edge, or the step from a dataset to its column (``task_id`` empty)."""

    source: str
    target: str
    task_id: str
    type: str
    subtype: str
    expression: str
    valid_from: int
    version: int


class Brought(NamedTuple):
    """The change that brought a label: what began or ended at ``since``, and the message that stated it."""

    what: str
    version: int
    message: MessageRecord | None

    def to_json(self) -> dict[str, Any]:
        """Return it as an object."""
        message = self.message
        return {
            "what": self.what,
            "version": self.version,
            "task_id": message.task_id if message else None,
            "actor": message.actor if message else None,
            "reason": message.reason if message else None,
            "system_time": format_instant(message.system_time) if message else None,
        }


class Why(NamedTuple):
    """Why a node has a label: where it is stated, the path from there, since when, and what brought it."""

    label: str
    source: str
    way: tuple[Hop, ...]
    since: int
    exact: bool
    brought: Brought | None

    @property
    def stated(self) -> bool:
        """Whether the label is stated for the node itself."""
        return not self.way

    def to_json(self) -> dict[str, Any]:
        """Return it as an object."""
        return {
            "label": self.label,
            "stated": self.stated,
            "source": self.source,
            "path": [hop._asdict() | {"valid_from": format_instant(hop.valid_from)} for hop in self.way],
            "since": format_instant(self.since),
            "since_exact": self.exact,
            "brought_by": self.brought.to_json() if self.brought else None,
        }


class _Way(NamedTuple):
    start: int
    steps: tuple[tuple[int, int], ...]  # (edge or -1, node that it leads to), from the start on


def why(points: PointSource, labelled: Labelled, node: str, label: str) -> Why | None:
    """Return why a node has a label at the point of ``labelled``; None if it does not have the label."""
    number, bit = labelled.point.number(node), labelled.lattice.own_bit(label)
    way = _shortest(labelled, number, bit) if number >= 0 and bit else None
    if way is None:
        return None
    hops = _hops(labelled, way)
    (source,) = labelled.point.node_texts([way.start])
    since, exact, brought = _since(points, labelled, node, label, way)
    return Why(label, source, hops, since, exact, brought)


def way_of(labelled: Labelled, node: str, label: str) -> tuple[Hop, ...] | None:
    """Return the shortest path by which a label reaches a node at a point; None if the node does not have the label."""
    number, bit = labelled.point.number(node), labelled.lattice.own_bit(label)
    way = _shortest(labelled, number, bit) if number >= 0 and bit else None
    return None if way is None else _hops(labelled, way)


def _shortest(labelled: Labelled, number: int, bit: int) -> _Way | None:
    """Return the shortest path by which a bit reaches a node: upstream, breadth first; steps into columns are free."""
    point = labelled.point
    came: dict[int, tuple[int, int]] = {number: (-2, -1)}  # node: (edge, the node that it leads to)
    steps = {number: 0}
    waiting = deque([number])
    depth = labelled.scene.depth
    while waiting:
        node = waiting.popleft()
        if labelled.states(node, bit):
            edges = []
            at = node
            while came[at][0] != -2:
                edges.append((came[at][0], came[at][1]))
                at = came[at][1]
            return _Way(node, tuple(edges))
        if labelled.kept_out.get(node, 0) & bit:
            continue
        whole = int(point.dataset[node])
        if whole != node and steps.get(whole, 1 << 30) > steps[node]:
            came[whole], steps[whole] = (-1, node), steps[node]
            waiting.appendleft(whole)
        if depth is not None and steps[node] >= depth:
            continue
        for edge, far in _coming(labelled, node):
            if far not in steps and not labelled.blocked.get(edge, 0) & bit:
                came[far], steps[far] = (edge, node), steps[node] + 1
                waiting.append(far)
    return None


def _coming(labelled: Labelled, node: int) -> list[tuple[int, int]]:
    """Return the carrying edges over which labels reach a node, each with its other end."""
    point, way = labelled.point, labelled.scene.direction
    result = []
    if way in ("down", "both"):
        edges = point.into.at(node)
        edges = edges[labelled.carries[edges]]
        result += list(zip(edges.tolist(), point.source[edges].tolist(), strict=True))
    if way in ("up", "both"):
        edges = point.out.at(node)
        edges = edges[labelled.carries[edges]]
        result += list(zip(edges.tolist(), point.target[edges].tolist(), strict=True))
    return result


def _hops(labelled: Labelled, way: _Way) -> tuple[Hop, ...]:
    point = labelled.point
    at, result = way.start, []
    for edge, node in way.steps:
        source, target = point.node_texts([at, node])
        if edge < 0:
            result.append(Hop(source, target, "", "", "", "", 0, 0))
        else:
            (task,), (text,) = point.task_texts([point.task[edge]]), point.expression_texts([point.expression[edge]])
            (version,) = point.began(point_array(edge)).tolist()
            kind = point.kinds[point.kind[edge]]
            since = int(point.valid_from[edge])
            result.append(Hop(source, target, task, kind[0], kind[1], text, since, version))
        at = node
    return tuple(result)


def point_array(edge: int) -> Any:
    """Return one edge as an array of edges."""
    import numpy as np

    return np.array([edge], np.int64)


def _since(
    points: PointSource, labelled: Labelled, node: str, label: str, way: _Way
) -> tuple[int, bool, Brought | None]:
    basis = labelled.point.basis
    ended = points.fetch(_ENDED, version=basis.version, at=basis.valid_at)
    at, candidate = basis.valid_at, labelled
    for _ in range(MAX_BACK):
        since, brought = _began(points, candidate, way, label, ended, at)
        before = _at(points, candidate.scene, basis, since - 1)
        number, bit = before.point.number(node), before.lattice.own_bit(label)
        if number < 0 and is_column(node):  # nothing named the column then: it had the labels of its dataset
            number = before.point.number(dataset_of(node))
        earlier = _shortest(before, number, bit) if number >= 0 and bit else None
        if earlier is None:
            return since, True, brought
        way, candidate, at = earlier, before, since - 1
    return since, False, brought


def _at(points: PointSource, scene: Scene, basis: Basis, valid_at: int) -> Labelled:
    return Labelled(points.at(basis._replace(valid_at=valid_at)), scene)


def _began(
    points: PointSource, labelled: Labelled, way: _Way, label: str, ended: list[tuple[Any, ...]], upto: int
) -> tuple[int, Brought | None]:
    """Return since when a path has held without a break up to a time, and what began or ended then."""
    point = labelled.point
    bit = labelled.lattice.own_bit(label)
    (source,) = point.node_texts([way.start])
    facts = [f for f in labelled.stated.labels.get(source, ()) if labelled.lattice.bits(f.value) & bit]
    first = min(facts, key=lambda fact: fact.valid_from)
    what = f"{LABEL} {label} on {source}"
    moments: list[tuple[int, str, int, str, str]] = [(first.valid_from, what, first.version, first.subject, LABEL)]
    nodes, ends = {source}, set()
    for edge, node in way.steps:
        names = point.node_texts([int(point.source[edge]), int(point.target[edge])]) if edge >= 0 else []
        if edge >= 0:
            (version,) = point.began(point_array(edge)).tolist()
            moments.append((int(point.valid_from[edge]), f"{names[0]} -> {names[1]}", version, "", ""))
            ends |= {(names[0], names[1]), (dataset_of(names[0]), dataset_of(names[1]))}
        nodes |= set(point.node_texts([node]))
    for node, key, value, subject, until in ended:
        about = key.startswith(DECISION) and node in nodes
        about |= key.startswith(BLOCK) and (key[len(BLOCK) :], node) in ends
        about |= key == MASKED and (value, node) in ends
        if about and until <= upto:
            moments.append((until, f"the end of {key} on {node}", 0, subject, key))
    since, what, version, subject, key = max(moments)
    if subject:
        basis = point.basis
        ((saying,),) = points.fetch(_SAYING, at=since, system=basis.system_time, subject=subject, key=key)
        version = saying or version
    return since, Brought(what, version, point.messages_of([version]).get(version))
