"""What the service answers is what the store says, in the command line's words; from the graph or from the files."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from rounds import rounds
from services import Served

from lineage_tt import Store
from lineage_tt.model.times import format_instant
from lineage_tt.read import shapes

NODE = "hive:dws.sales_daily#ordered_value"
SEED = 20_240_501


@pytest.fixture(scope="module")
def store(sample_store: Path) -> Store:
    """The sample, opened beside the service."""
    return Store.open(sample_store)


def boundaries(store: Store) -> list[int]:
    """Every instant at which anything begins or ends to be in force, its neighbours, and both ends."""
    rows = store.sql("SELECT DISTINCT epoch_us(valid_from) FROM changes ORDER BY 1")[1]
    found = sorted({at + step for (at,) in rows for step in (-1, 0, 1)})
    return [found[0] - 10**12, *found, found[-1] + 10**12]


def questions(store: Store, count: int) -> list[dict[str, Any]]:
    """Random questions about lineage: any node, any boundary of both times, any way to walk."""
    print("seed", SEED)
    draw = random.Random(SEED)
    nodes = [node for (node,) in store.sql("SELECT node FROM nodes ORDER BY node")[1]]
    instants = boundaries(store)
    return [
        {
            "node": draw.choice(nodes),
            "valid_at": format_instant(draw.choice(instants)),
            "version": draw.choice([0, 1, store.version, *range(2, store.version, 7)]),
            "direction": draw.choice(["up", "down", "both"]),
            "level": draw.choice(["column", "column", "table"]),
            "direct_only": draw.choice(["true", "false"]),
            "edges": draw.choice(["true", "true", "false"]),
            **draw.choice([{}, {"depth": draw.randint(0, 4)}]),
            **draw.choice([{}, {}, {"limit": draw.randint(1, 5)}]),
        }
        for _ in range(count)
    ]


def test_two_readers_agree_byte_for_byte(sample: Served, sample_files: Served, store: Store) -> None:
    """The graph and the files give the same bytes at the same basis, on every boundary of both times."""
    for question in questions(store, rounds(120, 40)):
        from_graph = sample.get("/v1/lineage", params=question)
        from_files = sample_files.get("/v1/lineage", params=question)

        assert from_graph.status_code == from_files.status_code == 200, question
        assert from_graph.content == from_files.content, question
        assert from_graph.headers["etag"] == from_files.headers["etag"]


def test_lineage_is_what_the_store_says(sample: Served, store: Store) -> None:
    """Nodes, edges, versions and intervals are those of ``Store``, in the shape of ``lineage --format json``."""
    asked = [q | {"edges": "true", "limit": 10_000} for q in questions(store, 25)]
    for question in asked:
        view = store.as_of(question["valid_at"], version=question["version"])
        found = view.lineage(
            question["node"], direction=question["direction"], depth=question.get("depth"), level=question["level"],
            direct_only=question["direct_only"] == "true",
        )  # fmt: skip
        answer = sample.get("/v1/lineage", params=question).json()

        assert answer["basis"] == view.basis.to_json()
        result = answer["result"]
        assert {name: result[name] for name in ("start", "nodes", "edges")} == shapes.lineage_result(found)
        assert (result["truncated"], result["cursor"]) == (False, None)
        assert result["direction"] == question["direction"]
        assert result["depth"] == question.get("depth")


@pytest.mark.parametrize("edges", [True, False])
def test_one_call_with_many_nodes_and_points_is_many_calls(sample: Served, sample_files: Served, edges: bool) -> None:
    """A batch holds, point by point and node by node, the very answers that one question each gets."""
    nodes = [NODE, "bi:board/42#revenue", "hive:dwd.orders"]
    points: list[dict[str, Any]] = [
        {"valid_at": "2026-02-01T00:00:00Z", "version": 60}, {"valid_at": "2026-06-01T00:00:00+02:00", "version": 175},
    ]  # fmt: skip
    body = {"nodes": nodes, "points": points, "depth": 3, "edges": edges}
    answer = sample.client.post("/v1/lineage", json=body)
    walk = {"depth": 3, "edges": str(edges).lower()}
    alone = [sample.get("/v1/lineage", params=p | walk | {"node": n}).json() for p, n in product(points, nodes)]

    assert answer.status_code == 200
    assert answer.json()["result"] == alone
    assert answer.json()["basis"] == alone[-1]["basis"] | {"valid_at": None}
    assert sample_files.client.post("/v1/lineage", json=body).content == answer.content


def test_a_batch_may_walk_from_all_nodes_together(sample: Served, store: Store) -> None:
    """With ``together`` there is one answer a point: that of all nodes at once."""
    nodes = [NODE, "hive:dwd.orders"]
    body = {"nodes": nodes, "points": [{"valid_at": "2026-05-01T00:00:00Z"}], "together": True, "direction": "up"}
    (only,) = sample.client.post("/v1/lineage", json=body).json()["result"]
    found = store.as_of("2026-05-01T00:00:00Z").lineage(*nodes, direction="up")

    assert only["result"]["edges"] == shapes.lineage_result(found)["edges"]
    assert only["result"]["start"] == nodes


@pytest.mark.parametrize(("edges", "part"), [("true", "edges"), ("false", "nodes")])
def test_a_cut_answer_says_so_and_goes_on(sample: Served, edges: str, part: str) -> None:
    """Pages say that they are truncated, and together they are the whole, at the point of the first."""
    asked = {"node": NODE, "edges": edges}
    first = sample.get("/v1/lineage", params=asked | {"limit": 3}).json()
    whole = sample.get("/v1/lineage", params=asked | {"valid_at": first["basis"]["valid_at"]}).json()["result"][part]
    rows, page = list(first["result"][part]), first
    while page["result"]["truncated"]:
        page = sample.get("/v1/lineage", params=asked | {"limit": 3, "cursor": page["result"]["cursor"]}).json()
        assert page["basis"] == first["basis"]
        rows += page["result"][part]

    assert rows == whole
    assert len(whole) > 6


def test_a_cursor_of_another_question_is_refused(sample: Served) -> None:
    """It was taken for an offset: a page of another walk, or of another time, came as if it were the next."""
    asked: dict[str, Any] = {"node": NODE, "limit": 3, "valid_at": "2026-05-01T00:00:00Z"}
    asked["version"] = sample.get("/v1/lineage", params=asked).json()["basis"]["version"] - 1
    first = sample.get("/v1/lineage", params=asked).json()
    cursor = first["result"]["cursor"]
    same: list[dict[str, Any]] = [
        {"limit": 5}, {"valid_at": None, "version": None}, {"valid_at": "now", "version": None},
        {"valid_at": "2026-05-01T02:00:00+02:00"},
    ]  # fmt: skip
    other: list[dict[str, Any]] = [
        {"node": NODE.partition("#")[0]}, {"direction": "up"}, {"depth": 2}, {"level": "table"}, {"level": "task"},
        {"direct_only": "true"}, {"edges": "false"}, {"level": "system"}, {"valid_at": "2026-04-01T00:00:00Z"},
        {"version": 1}, {"cursor": cursor.rpartition(".")[0]}, {"cursor": cursor[:-24] + "0" * 24},
    ]  # fmt: skip

    for changed in same:
        given = {name: value for name, value in (asked | {"cursor": cursor} | changed).items() if value is not None}
        answer = sample.get("/v1/lineage", params=given)
        assert (answer.status_code, answer.json().get("basis")) == (200, first["basis"]), (changed, answer.text)
    for changed in other:
        answer = sample.get("/v1/lineage", params=asked | {"cursor": cursor} | changed)
        assert (answer.status_code, answer.json()["type"].rpartition(":")[2]) == (409, "other-question"), changed


def test_a_cursor_of_a_batch_is_one_of_its_question(sample: Served) -> None:
    """The next page of one of its answers comes by ``GET``, also where the time is a relative one."""
    body = {"nodes": [NODE, "hive:dws.sales_daily"], "points": [{"valid_at": "-1d"}, {}], "edges": False, "limit": 1}

    for each in sample.client.post("/v1/lineage", json=body).json()["result"]:
        asked = {"node": each["result"]["start"][0], "edges": "false", "limit": 1, "cursor": each["result"]["cursor"]}
        page = sample.get("/v1/lineage", params=asked).json()
        assert page["basis"] == each["basis"]
        assert page["result"]["nodes"] != each["result"]["nodes"]


def test_depth_nought_is_the_start_alone(sample: Served) -> None:
    """No step reaches nothing, and that is an answer."""
    result = sample.get("/v1/lineage", params={"node": NODE, "depth": 0}).json()["result"]

    assert (result["start"], result["nodes"], result["edges"]) == ([NODE], [], [])


def test_diff_is_what_the_store_says(sample: Served, sample_files: Served, store: Store) -> None:
    """Between points that differ in either time or both, with and without a node, from the graph and from the files."""
    points = ["2026-02-01T00:00:00Z", "2026-02-01T00:00:00Z@v40", "2026-06-01T00:00:00Z@v150", "2026-06-01T00:00:00Z"]
    for first, second in product(points, points[1:]):
        for node in (None, "hive:dws.sales_daily", NODE):
            asked = {"from": first, "to": second} | ({"node": node} if node else {})
            answer = sample.get("/v1/diff", params=asked)
            found = store.diff(point(store, first), point(store, second), node)

            assert answer.json()["result"] == shapes.diff_result(found)
            assert answer.json()["basis"] == {"from": found.first.to_json(), "to": found.second.to_json()}
            if node == NODE:
                assert sample_files.get("/v1/diff", params=asked).content == answer.content


def point(store: Store, text: str) -> Any:
    """The point of a word such as ``2026-02-01T00:00:00Z@v40``."""
    valid_at, _, version = text.partition("@v")
    return store.basis(valid_at, version=int(version) if version else None)


def test_history_comes_in_pages(sample: Served, sample_files: Served, store: Store) -> None:
    """Every rectangle, in order of knowing; pages say where the next begins."""
    whole = [shapes.record(belief) for belief in store.history("hive:dws.sales_daily")]
    rows: list[Any] = []
    offset: int | None = 0
    while offset is not None:
        asked = {"node": "hive:dws.sales_daily", "limit": 4, "offset": offset}
        page = sample.get("/v1/history", params=asked)
        assert page.content == sample_files.get("/v1/history", params=asked).content
        rows += page.json()["result"]
        offset = page.json()["next_offset"]

    assert rows == whole
    assert len(whole) > 8


def test_history_between_two_nodes(sample: Served, store: Store) -> None:
    """With a target only what leads to it."""
    edge = store.as_of("2026-05-01T00:00:00Z").upstream(NODE, depth=1).steps[0].edge
    answer = sample.get("/v1/history", params={"node": edge.source, "target": edge.target}).json()

    assert answer["result"] == [shapes.record(b) for b in store.history(edge.source, edge.target)]
    assert answer["basis"]["valid_at"] is None


def test_blame_names_the_message(sample: Served, store: Store) -> None:
    """Each edge comes with the message that put it there, as of the point asked about."""
    edge = store.as_of("2026-05-01T00:00:00Z").upstream(NODE, depth=1).steps[0].edge
    view = store.as_of("2026-05-01T00:00:00Z", version=100)
    asked = {"source": edge.source, "target": edge.target, "valid_at": "2026-05-01T00:00:00Z", "version": 100}
    answer = sample.get("/v1/blame", params=asked).json()

    assert answer["result"] == shapes.blame_result(store.blame(edge.source, edge.target, view))
    assert answer["result"][0]["message"]["task_id"] == edge.task_id


def test_tasks_in_force(sample: Served, store: Store) -> None:
    """The tasks as of a point, in pages."""
    asked = {"valid_at": "2026-03-01T00:00:00Z", "version": 120}
    whole = [shapes.task_object(task) for task in store.as_of("2026-03-01T00:00:00Z", version=120).tasks()]
    first = sample.get("/v1/tasks", params=asked | {"limit": 10}).json()
    rest = sample.get("/v1/tasks", params=asked | {"offset": first["next_offset"]}).json()

    assert first["result"] + rest["result"] == whole
    assert rest["next_offset"] is None


def test_the_versions_of_a_task_whose_id_holds_anything(served: Served) -> None:
    """Slashes, dots, spaces and signs in a task's id are part of it, written plainly or in percent."""
    for task in ("team/etl/orders", "../../etc/passwd", "a b?c#d%2Fe", "versions/versions", "ünï😀"):
        assert served.send({"event_id": "1", "task_id": task, "op": "offline", "effective_at": 0}).status_code == 202
        for written in {quote(task, safe="/"), quote(task, safe="")}:
            if ".." in written and "/" in written:
                continue  # a client resolves these dots itself
            answer = served.get(f"/v1/tasks/{written}/versions")
            assert [entry["task_id"] for entry in answer.json()["result"]] == [task], written
