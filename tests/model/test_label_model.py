"""Labels as of random points of random histories: the engine against the plain fixpoint; and kept current."""

from __future__ import annotations

import random
from collections import defaultdict
from pathlib import Path

from domain import DEEP, INSTANTS, NODES, message, sizes, statements
from hypothesis import given
from hypothesis import strategies as st
from reference import EdgeValue, Model, Sent
from reference.labels import levels, spread

from lineage_tt import Store
from lineage_tt.curation.messages import note_change, note_task
from lineage_tt.governance.labels.following import Following
from lineage_tt.governance.labels.labelled import Labelled
from lineage_tt.governance.labels.moving import difference, moved, moved_to
from lineage_tt.governance.labels.scene import Scene
from lineage_tt.governance.labels.statements import DECISION, REJECT, Lattice, downgrade_fact
from lineage_tt.governance.points.plain import plain_point
from lineage_tt.governance.ports import PointGraph
from lineage_tt.model.answers import EdgeAsOf, FactAsOf
from lineage_tt.model.edges import TaskEdge
from lineage_tt.model.messages import TaskChange
from lineage_tt.testing import ManualClock

LABELS = ["pii", "gdpr"]
instants = st.sampled_from(INSTANTS)


@st.composite
def notes(draw: st.DrawFn) -> tuple[str, str, tuple[str, ...], int]:
    """A label, or the decision that a node does not have one: node, key, values, and from when on."""
    node = draw(st.sampled_from(NODES))
    label = draw(st.sampled_from(LABELS))
    key, value = draw(st.sampled_from([("label", label), (f"{DECISION}{label}", REJECT)]))
    return node, key, draw(st.sampled_from([(), (value,), (value,)])), draw(instants)


@st.composite
def retracts(draw: st.DrawFn) -> int:
    """Which of the messages before is withdrawn, counted from the last."""
    return draw(st.integers(1, 4))


histories = st.lists(st.one_of(statements(), notes(), notes(), retracts()), min_size=3, max_size=14)


def told(history) -> list[tuple[TaskChange, Sent]]:
    """The messages of a history for the store, and for the model; a fact is an edge of the type FACT there."""
    found: list[tuple[TaskChange, Sent]] = []
    for place, each in enumerate(history):
        event = f"e{place}"
        if isinstance(each, int):
            if each > len(found):
                continue
            taken = found[-each][1]
            sent = Sent(taken.task, event, "retract", 0, None, frozenset(), taken.event)
            found.append((message(sent), sent))
        elif isinstance(each, Sent):
            sent = each._replace(event=event)
            found.append((message(sent), sent))
        else:
            node, key, values, at = each
            made = note_change("add" if values else "remove", node, key, values, event, at)
            facts: frozenset[EdgeValue] = frozenset((node, value, "FACT", key, "") for value in values)
            found.append((made, Sent(note_task(node, key), event, made.op, at, None, facts)))
    return found


@sizes(12, 2000)
@given(histories, instants, st.integers(0, 14))
def test_labels_at_any_point_are_the_plain_fixpoint(tmp_path_factory, history, valid_at: int, upto: int) -> None:
    """Late, corrected and retracted messages, labels and decisions: at a random valid time, as known at any version."""
    folder: Path = tmp_path_factory.mktemp("labels") / "s"
    store, model = Store.create(folder, clock=ManualClock(INSTANTS[0])), Model()
    for made, sent in told(history):
        model.receive(sent, model.next_system_time(INSTANTS[0]))
        store.append([made])
    version = min(upto, model.version)
    state = [TaskEdge(*each) for each in model.state(valid_at, version)]
    stated, kept_out = defaultdict(set), set()
    for fact in state:
        if fact.type == "FACT" and fact.subtype == "label":
            stated[fact.source].add(fact.target)
        elif fact.type == "FACT":
            kept_out.add((fact.source, fact.subtype.removeprefix(DECISION)))
    edges = {(edge.source, edge.target) for edge in state if edge.type == "DIRECT"}
    every = {(edge.source, edge.target) for edge in state if edge.type in ("DIRECT", "INDIRECT")}

    governance = store.governance()
    found = governance.labelled(governance.basis(valid_at, version=version))
    expected = spread(edges, stated, kept_out, {end for edge in every for end in edge})
    for node, labels in expected.items():
        assert set(found.of(node)) == labels, node
    named = {end for edge in every for end in edge} | {fact.source for fact in state if fact.type == "FACT"}
    named |= {node.partition("#")[0] for node in named}
    listed = dict(found.all())
    assert {*listed} == {node for node in named if found.of(node)}
    for node in list(listed)[:3]:  # each label has a way from a node that states it, over edges in force
        for why in governance.labels(node, found.point.basis):
            ways = [(hop.source, hop.target) for hop in why.way]
            assert why.label in stated[why.source]
            assert [source for source, _ in ways[1:]] == [target for _, target in ways[:-1]]
            assert all(pair in edges or pair[1].partition("#")[0] == pair[0] for pair in ways)
            assert not ways or (ways[0][0], ways[-1][1]) == (why.source, node)
            assert_since(model, version, node, why.label, why.since, valid_at)


def assert_since(model: Model, version: int, node: str, label: str, since: int, valid_at: int) -> None:
    """The node has the label at every instant from ``since`` on up to the point, and not just before."""

    def has(at: int) -> bool:
        state = [TaskEdge(*each) for each in model.state(at, version)]
        stated = defaultdict(set)
        for fact in state:
            if fact.type == "FACT" and fact.subtype == "label":
                stated[fact.source].add(fact.target)
        kept = {
            (f.source, f.subtype.removeprefix(DECISION)) for f in state if f.type == "FACT" and f.subtype != "label"
        }
        edges = {(edge.source, edge.target) for edge in state if edge.type == "DIRECT"}
        return label in spread(edges, stated, kept, [node])[node]

    assert all(has(at) for at in {valid_at, since, *(each for each in INSTANTS if since <= each <= valid_at)})
    assert not has(since - 1)


def edge(source: str, target: str) -> EdgeAsOf:
    """An edge of a small graph."""
    return EdgeAsOf("t", source, target, "DIRECT", "IDENTITY", "", 1, 0, None)


def fact(node: str, key: str, value: str) -> FactAsOf:
    """A fact of a small graph."""
    return FactAsOf(node, key, value, "task", "note", 1, 0, None)


def point_of(edges: list[tuple[str, str]], facts: set[tuple[str, str, str]]) -> PointGraph:
    """A point with these edges and facts."""
    return plain_point([edge(*ends) for ends in edges], [fact(*each) for each in sorted(facts)])


def test_labels_kept_current_are_those_computed_fresh() -> None:
    """After each of many random changes of edges, labels and decisions: each node as in a fresh computation."""
    seed = random.SystemRandom().randrange(2**32)
    print("seed", seed)
    chance = random.Random(seed)
    nodes = [f"db:t{at % 9}#c{at}" for at in range(30)] + [f"db:t{at}" for at in range(9)]
    scene = Scene(levels=("low", "high"))
    edges = [(chance.choice(nodes), chance.choice(nodes)) for _ in range(25)]
    facts = {(chance.choice(nodes), "label", chance.choice([*LABELS, "low", "high"])) for _ in range(6)}
    lattice = Lattice(scene, LABELS)
    start = Labelled(point_of(edges, facts), scene, lattice)
    following = Following(start)
    held = {node: start.of(node) for node in nodes}
    for step in range(10_000 if DEEP else 300):
        before = set(facts)
        gone: list[tuple[str, str]] = []
        come: list[tuple[str, str]] = []
        for _ in range(chance.choice([1, 1, 3])):
            way = chance.random()
            if way < 0.4 and edges:
                gone.append(edges.pop(chance.randrange(len(edges))))
            elif way < 0.8:
                come.append((chance.choice(nodes), chance.choice(nodes)))
            elif facts and way < 0.9:
                facts.discard(chance.choice(sorted(facts)))
            else:
                label = chance.choice([*LABELS, "low", "high"])
                key, value = chance.choice([("label", label), (DECISION + label, REJECT)])
                facts.add((chance.choice(nodes), key, value))
        edges += come
        fresh = Labelled(point_of(edges, facts), scene, lattice)
        touched = {node for node, _, _ in before ^ facts}
        stated = {node: bits_stated(facts, node, lattice) for node in touched}
        decided = [fact(*each) for each in sorted(facts) if each[1] != "label"]
        kept = {node: lattice.kept_out([each for each in decided if each.node == node]) for node in touched}
        changed = following.apply(gone, come, stated, kept)

        now = {node: following.of(node) for node in nodes}
        live = [node for node in nodes if fresh.point.number(node) >= 0 and fresh.point.live[fresh.point.number(node)]]
        assert {node: now[node] for node in live} == {node: fresh.of(node) for node in live}, (seed, step)
        told = {each.node: (each.before, each.after) for each in changed}
        differ = {node: (held[node], now[node]) for node in live if held[node] != now[node]}
        assert {node: each for node, each in told.items() if node in live} == differ, (seed, step)
        held = now


def bits_stated(facts: set[tuple[str, str, str]], node: str, lattice: Lattice) -> int:
    """The bits of all labels that facts state of a node."""
    bits = 0
    for about, key, value in facts:
        if about == node and key == "label":
            bits |= lattice.bits(value)
    return bits


def test_levels_are_the_highest_that_comes_and_decisions_cap_them() -> None:
    """Random graphs and downgrades: each node's level is that of the plain computation."""
    order = ("public", "internal", "secret")
    for seed in range(400 if DEEP else 60):
        chance = random.Random(seed)
        nodes = [f"db:t{at}#c" for at in range(12)]
        edges = [(chance.choice(nodes), chance.choice(nodes)) for _ in range(18)]
        stated = {node: chance.choice(order) for node in chance.sample(nodes, 4)}
        most = {node: chance.choice(order[:2]) for node in chance.sample(nodes, 3)}
        facts = {(node, "label", level) for node, level in stated.items()}
        for node, level in most.items():
            key, values = downgrade_fact("secret", level, order)
            facts |= {(node, key, value) for value in values}
        found = Labelled(point_of(edges, facts), Scene(levels=order))

        assert {node: found.of(node)[0] for node in nodes if found.of(node)} == levels(order, stated, edges, most), seed


@sizes(8, 600)
@given(histories, instants, instants, st.integers(0, 14), st.integers(0, 14))
def test_labels_moved_from_point_to_point_are_those_of_the_second(
    tmp_path_factory, history, one: int, other: int, early: int, late: int
) -> None:
    """The difference of any two points, on both axes, is that of two computations, for nodes that are there."""
    folder: Path = tmp_path_factory.mktemp("moved") / "s"
    store = Store.create(folder, clock=ManualClock(INSTANTS[0]))
    for made, _ in told(history):
        store.append([made])
    governance = store.governance()
    first = governance.basis(one, version=min(early, store.version))
    second = governance.basis(other, version=min(late, store.version))
    scene = governance.labelled(first).scene
    changes = store.graph().diff(first, second)
    facts = governance.points.facts(second)
    found = moved(Labelled(governance.points.at(first), scene), changes, facts)

    assert found is not None
    assert moved_to(governance.points, Labelled(governance.points.at(first), scene), second, facts) == found
    before, after = (governance.points.at(basis) for basis in (first, second))
    told_of = {each.node: (each.before, each.after) for each in found}
    expected = {each.node: (each.before, each.after) for each in difference(before, after, scene)}
    both = {node for node in {*told_of, *expected} if is_live(before, node) and is_live(after, node)}
    assert {node: told_of.get(node) for node in both} == {node: expected.get(node) for node in both}
    labelled = Labelled(after, scene)
    assert all(set(labelled.of(node)) == set(now) for node, (_, now) in told_of.items() if is_live(after, node))


def is_live(point: PointGraph, node: str) -> bool:
    """Whether anything in force names a node at a point."""
    number = point.number(node)
    return number >= 0 and bool(point.live[number])
