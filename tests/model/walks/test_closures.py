"""Closure subscriptions against brute force: at every valid time of every change, on the naive model."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from reference import Model, Sent, TaskEdge, dataset, joined, near_end, rejected, rejection, walk
from rounds import rounds

from lineage_tt import Store
from lineage_tt.model.messages import Lineage, TaskChange
from lineage_tt.subscriptions.knowledge import Knowledge
from lineage_tt.subscriptions.model import Subscription
from lineage_tt.subscriptions.watching import Watchers

DATASETS = [f"n:d{i}" for i in range(5)]
NODES = [*DATASETS, *(f"{dataset}#{column}" for dataset in DATASETS for column in "xy")]
STARS = [f"{dataset}#*" for dataset in DATASETS]
TASKS = [f"t{i}" for i in range(4)]
END = 12


def story(draw: random.Random, stars: bool = False, rejecting: bool = False) -> Iterator[Sent]:
    """Yield some thirty messages of four tasks, late ones, planned ones, retracts and offlines among them.

    With ``stars`` half of the edges lead from, to or between star nodes; with ``rejecting`` people reject edges that
    there are, or others, and some take that back.
    """
    sent: list[Sent] = []
    for number in range(30):
        if rejecting and number > 3 and draw.random() < 0.3:
            real = [edge[:2] for each in sent for edge in sorted(each.edges) if "#*" not in "".join(edge[:2])]
            ends = draw.choice(real or [(NODES[0], NODES[1])])
            ends = draw.choice([ends, ends, (dataset(ends[0]), dataset(ends[1]))])
            is_back = draw.random() < 0.3
            said = Sent(
                f"edge:{ends[0]} -> {ends[1]}", f"e{number}", "offline" if is_back else "update", draw.randrange(1, 8),
                edges=frozenset() if is_back else rejection(*ends),
            )  # fmt: skip
            sent.append(said)
            yield said
            continue
        task, at = draw.choice(TASKS), draw.randrange(1, 8)
        earlier = [s.event for s in sent if s.task == task]
        if earlier and draw.random() < 0.12:
            said = Sent(task, f"e{number}", "retract", 0, retracts=draw.choice(earlier))
        elif draw.random() < 0.12:
            said = Sent(task, f"e{number}", "offline", at)
        else:
            edges = set()
            for _ in range(draw.randrange(1, 4)):
                kind = draw.choice([("DIRECT", "IDENTITY"), ("INDIRECT", "FILTER")])
                target = draw.choice(NODES if kind[0] == "INDIRECT" else [n for n in NODES if "#" in n])
                source = draw.choice(NODES)
                if stars and draw.random() < 0.5:
                    source, target = draw.choice(
                        [
                            (source, draw.choice(STARS)),
                            (draw.choice(STARS), target),
                            *[tuple(draw.sample(STARS, 2))] * 3,
                        ]
                    )
                edges.add((source, target, *kind, ""))
            said = Sent(task, f"e{number}", "update", at, edges=frozenset(edges))
        sent.append(said)
        yield said


def message(said: Sent) -> TaskChange:
    """Return the store's message."""
    at = None if said.op == "retract" else said.effective_at
    lineage = Lineage.of(said.edges) if said.op == "update" else None
    return TaskChange(said.event, said.task, said.op, at, lineage=lineage, retracts=said.retracts)  # type: ignore[arg-type]


def subscriptions(draw: random.Random, stars: bool) -> list[Subscription]:
    """Return twelve closures: any node, either direction, one to three hops or all, direct edges only or all."""
    nodes = [*NODES, *STARS, "n:d0#nobody"] if stars else NODES
    return [
        Subscription(
            f"s{number:02}",
            upstream_of=(draw.choice(nodes),) if number % 2 else (),
            downstream_of=() if number % 2 else (draw.choice(nodes),),
            hops=draw.choice([None, 1, 2, 3]),
            direct_only=number % 3 == 0,
        )
        for number in range(12)
    ]


def brute_force(model: Model, version: int, wanted: Subscription) -> set[tuple[int, TaskEdge, int, int | None]]:
    """Return the changes of a version whose edge is in the closure, on its own side, at any valid time."""
    result = set()
    direction = "up" if wanted.upstream_of else "down"
    for sign, edge, valid_from, valid_to in model.net_changes(version):
        for at in range(valid_from, END if valid_to is None else valid_to):
            state = model.state(at, version if sign > 0 else version - 1)
            edges = [e for e in state if not wanted.direct_only or e[3] == "DIRECT"]
            looked = edge
            if edge[4] == "REJECTED":  # told as an edge between its nodes would be, whoever else rejects that
                looked = ("looked", *edge[1:4], "IDENTITY", "")
                edges = [e for e in edges if e[4] != "REJECTED" or not rejected([e]).covers(*edge[1:3])] + [looked]
            starts = wanted.upstream_of or wanted.downstream_of
            reached = walk(edges, starts, direction, wanted.hops or 10**6)
            near = 2 if direction == "up" else 1
            by_star = any(
                joined(edges, looked, near_end(shown, direction), near) == shown[:6] for shown in reached if shown[6]
            )
            if (*looked, False) in reached or by_star:
                result.add((sign, edge, valid_from, valid_to))
    return result


@pytest.mark.parametrize(("stars", "rejecting"), [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.parametrize("seed", range(rounds(4)))
def test_closures_equal_brute_force(tmp_path: Path, seed: int, stars: bool, rejecting: bool) -> None:
    """Nothing is missed and nothing is reported that is not in the closure at some time of the change."""
    print("seed", seed)
    draw = random.Random(seed)
    store, model = Store.create(tmp_path), Model()
    watched = subscriptions(draw, stars)
    graph = store.graph()
    watchers = Watchers(graph, watched, Knowledge(store, 0))
    told = 0
    for said in story(draw, stars, rejecting):
        version, status = model.receive(said, model.version + 1)
        store.append([message(said)])
        graph.refresh()
        if status != "accepted":
            continue
        for entry in store.changes(version - 1):
            matches = {m.subscription.name: m.entry.changes for m in watchers.matches(entry)}
            for wanted in watched:
                found = {(c[0], (said.task, *c[1:6]), c[6], c[7]) for c in matches.get(wanted.name, ())}
                assert found == brute_force(model, version, wanted), f"seed {seed}, version {version}, {wanted}"
                told += len(found)
    assert told > 50
