"""The service says how complete its answers are: from the graph and from the files alike, on every page."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rounds import rounds
from services import Served, serving

from lineage_tt import Store
from lineage_tt.model.edges import Edge
from lineage_tt.model.messages import Lineage, Problem, TaskChange
from lineage_tt.model.times import format_instant, parse_instant

SEED = 20_261_123
NOON = parse_instant("2024-05-01T12:00:00Z")
HOUR = 3_600_000_000
#: Touched by tasks, and by no edge.
ONLY = ["h:only", "h:only#c"]
NODES = [f"h:t{table}{column}" for table in range(6) for column in ("", "#a", "#b", "#*")]


def message(draw: random.Random, number: int) -> TaskChange:
    """A message of one of eight tasks: some edges, any coverage, and reasons that name datasets or none."""
    task, at = f"t{draw.randrange(8)}", NOON + draw.randrange(4) * HOUR
    op = draw.choice(["update", "update", "update", "update", "offline"])
    if op == "offline":
        return TaskChange(f"e{number}", task, "offline", at)
    coverage = draw.choice(["complete", "partial", "opaque"])
    kinds = [("DIRECT", "IDENTITY"), ("INDIRECT", "FILTER")]
    edges = [Edge(draw.choice(NODES), draw.choice(NODES), *draw.choice(kinds), "") for _ in range(draw.randrange(4))]
    codes = ["unknown-columns", "syntax", "untraced-read", "untraced-write"]
    subjects = ["", "h:only", *(node for node in NODES if "#" not in node)]
    problems = [Problem(draw.choice(codes), "why", draw.choice(subjects)) for _ in range(draw.randrange(1, 3))]
    lineage = Lineage(
        sorted(set(edges)) if coverage != "opaque" else [],
        coverage=coverage,  # type: ignore[arg-type]
        problems=problems if coverage != "complete" else [],
        outputs=draw.choice([[], [], [("h:t1", ("a",))]]),
        ordered=True,
    )
    return TaskChange(f"e{number}", task, "update", at, lineage=lineage, target=draw.choice([None, None, "h:t2"]))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of random messages; every node is named by one that is complete."""
    print("seed", SEED)
    draw = random.Random(SEED)
    folder = tmp_path_factory.mktemp("completeness") / "store"
    store = Store.create(folder)
    whole = Lineage.of([Edge(node, "h:all", "INDIRECT", "FILTER", "") for node in NODES])
    store.append([TaskChange("e", "naming", "update", NOON - HOUR, lineage=whole)])
    store.append([TaskChange("f", "naming", "offline", NOON)])
    for first in range(0, 60, 20):  # each commit is a file, and each question reads all of them
        store.append([message(draw, number) for number in range(first, first + 20)])
    return folder


@pytest.fixture(scope="module")
def graph(folder: Path) -> Iterator[Served]:
    """A service that answers from its graph."""
    with serving(folder, "--read-only") as served:
        assert served.get("/v1/stats").json()["result"]["engine"] == "graph"
        yield served


@pytest.fixture(scope="module")
def files(folder: Path) -> Iterator[Served]:
    """A service that answers from the files."""
    with serving(folder, "--read-only", "--no-graph") as served:
        yield served


def points(draw: random.Random) -> dict[str, Any]:
    """A random point."""
    return {"valid_at": format_instant(NOON + draw.randrange(5) * HOUR), "version": draw.randrange(3, 62)}


def test_both_engines_say_the_same(graph: Served, files: Served, folder: Path) -> None:
    """The bytes are equal, and the object is what the store says, however the walk goes."""
    print("seed", SEED)
    draw, store = random.Random(SEED), Store.open(folder)
    seen: set[tuple[bool, bool, bool]] = set()
    for _ in range(rounds(40, 14)):
        asked = points(draw) | {
            "node": draw.choice(NODES + ONLY),
            "direction": draw.choice(["up", "down", "both"]),
            "level": draw.choice(["column", "column", "table"]),
            "direct_only": draw.choice(["true", "false"]),
            **draw.choice([{}, {}, {"depth": draw.randint(0, 3)}]),
        }
        answer = graph.get("/v1/lineage", params=asked)
        assert answer.content == files.get("/v1/lineage", params=asked).content, asked
        found = store.as_of(asked["valid_at"], version=asked["version"]).lineage(
            asked["node"], direction=asked["direction"], depth=asked.get("depth"), level=asked["level"],
            direct_only=asked["direct_only"] == "true",
        )  # fmt: skip
        said = answer.json()["completeness"]
        assert said == found.completeness.to_json(), asked
        for served in (graph, files):
            assert served.get("/v1/lineage", params=asked | {"edges": "false"}).json()["completeness"] == said, asked
        assert graph.get("/v1/lineage", params=asked | {"limit": 1}).json()["completeness"] == said
        seen.add((bool(said["tasks"]), bool(said["ends"]), said["complete"]))

    assert {(False, False, True), (True, False, False), (True, True, False)} <= seen


def test_many_nodes_at_once_say_what_each_says(graph: Served, files: Served) -> None:
    """In a batch of names each answer carries its own completeness."""
    at = {"valid_at": format_instant(NOON + 2 * HOUR), "version": 61}
    body = {"nodes": NODES + ONLY, "points": [at], "direction": "up", "edges": False}
    batch = graph.client.post("/v1/lineage", json=body)
    alone = [
        graph.get("/v1/lineage", params=at | {"node": n, "direction": "up", "edges": "false"}) for n in NODES + ONLY
    ]

    assert batch.content == files.client.post("/v1/lineage", json=body).content
    assert [answer.json()["completeness"] for answer in alone] == [
        answer["completeness"] for answer in batch.json()["result"]
    ]


def test_diff_blame_and_tasks_carry_it_too(graph: Served, files: Served, folder: Path) -> None:
    """The other answers of lineage have the object beside their basis, the same from both engines."""
    draw, store = random.Random(SEED + 1), Store.open(folder)
    for _ in range(rounds(10)):
        one, other = points(draw), points(draw)
        word = {"from": f"{one['valid_at']}@v{one['version']}", "to": f"{other['valid_at']}@v{other['version']}"}
        asked = word | draw.choice([{}, {"node": draw.choice(NODES)}])
        first, last = (store.basis(at["valid_at"], version=at["version"]) for at in (one, other))
        answer = graph.get("/v1/diff", params=asked)
        assert answer.content == files.get("/v1/diff", params=asked).content, asked
        assert answer.json()["completeness"] == store.diff(first, last, asked.get("node")).completeness.to_json()

        ends = {"source": draw.choice(NODES), "target": draw.choice(NODES + ONLY)}
        view = store.as_of(one["valid_at"], version=one["version"])
        blamed = graph.get("/v1/blame", params=one | ends)
        assert blamed.content == files.get("/v1/blame", params=one | ends).content, one | ends
        assert blamed.json()["completeness"] == store.blame(ends["source"], ends["target"], view).completeness.to_json()

        tasks = graph.get("/v1/tasks", params=one)
        assert tasks.content == files.get("/v1/tasks", params=one).content
        assert tasks.json()["completeness"] == view.tasks().completeness.to_json()
        short = [task["task_id"] for task in tasks.json()["result"] if task["coverage"] != "complete"]
        assert short == [task["task_id"] for task in tasks.json()["completeness"]["tasks"]]
        assert all(task["reasons"] for task in tasks.json()["result"] if task["task_id"] in short)
