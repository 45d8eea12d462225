"""Which subscriptions a version concerns, and which of its changes.

A change is judged on its own side: an added edge in the lineage after the version, a removed edge in the lineage before
it. So an edge that leaves a closure is reported too. A closure is judged at every valid time of the change's interval;
one walk from the changed edge answers for all subscriptions at once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from lineage_tt.events import Event, classes_of
from lineage_tt.graph import Graph
from lineage_tt.graph.walks.chains import ENDLESS, Reach, own_instants, reach, steps_from
from lineage_tt.graph.walks.unnamed import knows_star
from lineage_tt.model.answers import FeedEntry
from lineage_tt.model.edges import dataset_of, is_column, is_star, star_of
from lineage_tt.model.facts import task_node
from lineage_tt.subscriptions.closures.rejecting import Looked, WithoutRejected
from lineage_tt.subscriptions.closures.watched import Watch, WatchedNodes
from lineage_tt.subscriptions.knowledge import ALWAYS, Knowledge
from lineage_tt.subscriptions.model import Subscription


class Match(NamedTuple):
    """What a version means for a subscription: the entry with only the changes that concern the subscription."""

    subscription: Subscription
    entry: FeedEntry


class _Change(NamedTuple):
    """A signed change of an edge or a fact: its ends (one node for a fact), interval, and the side it is judged on."""

    ends: tuple[str, ...]
    stretch: tuple[int, int]
    version: int
    raw: tuple[Any, ...]
    task: str = ""


class Watchers:
    """Matches each version against all subscriptions at once. The graph must have reached that version."""

    def __init__(self, graph: Graph, subscriptions: Sequence[Subscription], knowledge: Knowledge) -> None:
        self.subscriptions = list(subscriptions)
        self._graph = graph
        self.knowledge = knowledge
        self._ways: dict[tuple[bool, bool], WatchedNodes] = {}
        for number, subscription in enumerate(self.subscriptions):
            for down, nodes in ((True, subscription.upstream_of), (False, subscription.downstream_of)):
                if nodes:
                    way = self._ways.setdefault((down, subscription.direct_only), WatchedNodes(down))
                    way.add(number, nodes, subscription.hops)
        self._walked: dict[tuple[Any, ...], Any] = {}
        self._without = WithoutRejected(graph)
        self._plain = {number for number, s in enumerate(self.subscriptions) if not s.has_closure}

    def matches(self, entry: FeedEntry) -> list[Match]:
        """Return the subscriptions that a version concerns, by name, each with its changes."""
        walks: dict[tuple[Any, ...], set[int]] = {}
        self._walked.clear()
        self._without.forget()
        edges: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
        facts: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
        for change in _edge_changes(entry):
            for number in self._interested(change, True, walks):
                edges[number].append(change.raw)
        for change in _fact_changes(entry):
            for number in self._interested(change, False, walks):
                facts[number].append(change.raw)
        result = []
        for number in sorted(edges.keys() | facts.keys(), key=lambda n: self.subscriptions[n].name):
            subscription = self.subscriptions[number]
            part = entry._replace(changes=tuple(edges[number]), facts=tuple(facts[number]))
            meant = _any(subscription.tasks, [entry.task_id or ""]) and self._owned(entry, subscription.owners)
            if meant and (not subscription.classes or set(subscription.classes) & set(classes_of(part))):
                result.append(Match(subscription, part))
        return result

    def _interested(self, change: _Change, is_edge: bool, walks: dict[tuple[Any, ...], set[int]]) -> Iterator[int]:
        """Return the numbers of subscriptions that a change concerns; task, owners and classes are checked later."""
        inside = self._plain | self._in_closure(change, is_edge, walks) if self._ways else self._plain
        return (number for number in inside if self._passes(self.subscriptions[number], change))

    def _passes(self, subscription: Subscription, change: _Change) -> bool:
        ends = change.ends
        return (
            _any(subscription.datasets, (dataset_of(end) for end in ends))
            and _any(subscription.columns, (end for end in ends if "#" in end))
            and (
                not subscription.namespaces
                or any(end.startswith(f"{n}:") for n in subscription.namespaces for end in ends)
            )
            and (
                not subscription.labels
                or any(
                    self.knowledge.labelled(end, subscription.labels, change.stretch, change.version) for end in ends
                )
            )
        )

    def _owned(self, entry: FeedEntry, owners: tuple[str, ...]) -> bool:
        if not owners:
            return True
        node = task_node(entry.task_id) if entry.task_id is not None else entry.node or ""
        always = (-(2**63), ALWAYS)
        return any(
            self.knowledge.holds(node, "owner", owners, always, version)
            for version in (entry.version, entry.version - 1)
        )

    # --- closures -----------------------------------------------------------------------------------------------

    def _in_closure(self, change: _Change, is_edge: bool, walks: dict[tuple[Any, ...], set[int]]) -> set[int]:
        result: set[int] = set()
        for (down, direct_only), way in self._ways.items():
            if is_edge and direct_only and change.raw[3] != "DIRECT":
                continue
            node = change.ends[-1] if down else change.ends[0]
            key = (node, down, direct_only, change.stretch, change.version, is_edge, *change.raw[1:6])
            if key not in walks:
                walks[key] = self._watching(way, node, change, down, direct_only, 1 if is_edge else 0)
            result |= walks[key]
        return result

    def _watching(
        self, way: WatchedNodes, node: str, change: _Change, down: bool, direct_only: bool, own: int
    ) -> set[int]:
        """Return who watches a node to which lineage leads from ``node`` at any valid time of the change's interval.

        ``own`` is the number of steps of the change itself: 1 for an edge, 0 for a fact about a node.
        """
        state, names = self._graph.state, self._graph.names
        number = names.nodes.find(node)
        if (number < 0 or number >= state.nodes) and knows_star(names, state, node):
            number = names.nodes.find(star_of(node))
        if number < 0 or number >= state.nodes:  # nothing continues from it
            return self._certain({w for w in way.of(node) if own <= w.most}, change, [], down, direct_only)

        def over(stretch: tuple[int, int]) -> tuple[set[Watch], Reach]:
            depth = min(way.depth - own, ENDLESS) if way.depth != ENDLESS else ENDLESS
            walked = reach(
                self._graph, state, number, down=down, stretch=stretch, version=change.version, depth=depth,
                direct_only=direct_only,
            )  # fmt: skip
            hit = {watch for watch, steps in way.hits(walked, self._graph) if steps + own <= watch.most}
            return hit | {watch for watch in way.of(node) if own <= watch.most}, walked

        possible, walked = over(change.stretch)
        instants = walked.instants
        if self._graph.rejects:
            return self._certain(possible, change, instants, down, direct_only)
        if walked.by_star or any(map(is_star, change.ends)):
            return self._joined(possible, change, instants, down, direct_only, own)
        everybody = {watch.subscription for watch in possible}
        if not possible or not instants:
            return everybody
        certain: set[int] = set()  # edges on the way may not be in force together: each valid time is checked
        for at in (change.stretch[0], *instants):
            certain |= {watch.subscription for watch in over((at, at + 1))[0]}
            if certain == everybody:
                break
        return certain

    def _certain(
        self, possible: set[Watch], change: _Change, instants: list[int], down: bool, direct_only: bool
    ) -> set[int]:
        """Return which of these watch a change when rejected edges are left out."""
        if not self._graph.rejects:
            return {watch.subscription for watch in possible}
        kind = change.raw[3:6] if change.task else ()
        looked = Looked(change.task, change.ends, kind, change.stretch, change.version)
        node = change.ends[-1] if down else change.ends[0]

        def least(watched: str, ends: dict[str, int]) -> int:
            return 0 if _is_at(watched, node, down) else _least(ends, node, down)

        return self._without.watching(possible, looked, instants, down, direct_only, least)

    def _joined(
        self, possible: set[Watch], change: _Change, instants: list[int], down: bool, direct_only: bool, own: int
    ) -> set[int]:
        """Return which of these watch a change through star edges, by walks from the watched nodes at each time."""
        state, names = self._graph.state, self._graph.names
        moments = {change.stretch[0], *instants}
        if own and is_star(change.ends[1]):
            dataset = names.nodes.find(dataset_of(change.ends[1]))
            moments |= set(own_instants(state, dataset, change.stretch, change.version)) if dataset >= 0 else set()
        result: set[int] = set()
        for watch in sorted(possible):
            if watch.subscription in result:
                continue
            for at in sorted(moments):
                edges, ends = self._steps_from(watch.node, not down, at, change.version, direct_only)
                if own:
                    steps = edges.get((change.task, *change.raw[1:6]), ENDLESS + 1)
                else:
                    steps = 0 if _is_at(watch.node, change.ends[0], down) else _least(ends, change.ends[0], down)
                if steps <= watch.most:
                    result.add(watch.subscription)
                    break
        return result

    def _steps_from(self, node: str, down: bool, at: int, version: int, direct_only: bool) -> Any:
        """Return what a walk from a watched node meets; cached while one version is processed."""
        key = (node, down, at, version, direct_only)
        if key not in self._walked:
            self._walked[key] = steps_from(
                self._graph, self._graph.state, node, down=down, at=at, version=version, direct_only=direct_only
            )
        return self._walked[key]


def _is_at(watched: str, node: str, down: bool) -> bool:
    """Return whether a fact about a node concerns the watched node."""
    if watched in (node, dataset_of(node)) or star_of(watched) == node or watched == star_of(node):
        return True
    return down and node == dataset_of(watched)


def _least(ends: dict[str, int], node: str, down: bool) -> int:
    """Return the fewest steps among the reached nodes to which a node's lineage continues, or from which it comes."""
    beside = [node, *([star_of(node)] if is_column(node) else ())]
    if not down and "#" in node:  # the sources of a whole dataset are also upstream of its columns
        beside.append(dataset_of(node))
    steps = [ends[each] for each in beside if each in ends]
    if is_star(node) or (down and "#" not in node):
        steps += [at for end, at in ends.items() if dataset_of(end) == dataset_of(node) and "#" in end]
    return min(steps, default=ENDLESS + 1)


def labels_matching(subscription: Subscription, event: Event) -> Event | None:
    """Return an event of derived labels with only the changes that concern a subscription; None if there are none."""
    data = event["data"]
    if not _any(subscription.tasks, [data["task_id"] or ""]):
        return None
    changes = [each for each in data["changes"] if _concerns(subscription, each)]
    return event | {"data": data | {"changes": changes}, "subscription": subscription.name} if changes else None


def _concerns(subscription: Subscription, change: Mapping[str, Any]) -> bool:
    node, owners, labels = change["node"], set(change["owners"]), {*change["gained"], *change["lost"]}
    return (
        _any(subscription.datasets, [dataset_of(node)])
        and _any(subscription.columns, [node] if is_column(node) else [])
        and (not subscription.namespaces or any(node.startswith(f"{name}:") for name in subscription.namespaces))
        and (not subscription.labels or not labels.isdisjoint(subscription.labels))
        and (not subscription.owners or not owners.isdisjoint(subscription.owners))
    )


def _any(patterns: tuple[str, ...], names: Iterable[str]) -> bool:
    if not patterns:
        return True
    match: Callable[[str, str], bool] = fnmatchcase
    return any(match(name, pattern) for name in names for pattern in patterns)


def _edge_changes(entry: FeedEntry) -> Iterator[_Change]:
    for raw in entry.changes:
        sign, source, target, *_, valid_from, valid_to = raw
        stretch = (valid_from, ALWAYS if valid_to is None else valid_to)
        version = entry.version if sign > 0 else entry.version - 1
        yield _Change((source, target), stretch, version, raw, entry.task_id or "")


def _fact_changes(entry: FeedEntry) -> Iterator[_Change]:
    for raw in entry.facts:
        sign, node, _, _, valid_from, valid_to = raw
        stretch = (valid_from, ALWAYS if valid_to is None else valid_to)
        yield _Change((node,), stretch, entry.version if sign > 0 else entry.version - 1, raw)
