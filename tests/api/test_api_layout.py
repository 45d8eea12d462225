"""Pictures over HTTP: they hold what ``/v1/lineage`` answers, and nothing moves between points."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from rounds import rounds
from services import Served

from lineage_tt import Store
from lineage_tt.model.times import format_instant, parse_instant

NODE = "hive:dws.sales_daily#ordered_value"
SEED = 20_261_123


@pytest.fixture(scope="module")
def questions(sample_store: Path) -> list[tuple[dict[str, Any], list[str]]]:
    """Random walks, each at two to four change points of the sample, as they are asked."""
    print("seed", SEED)
    chance, store = random.Random(SEED), Store.open(sample_store)
    nodes = [node for (node,) in store.sql("SELECT node FROM nodes ORDER BY node")[1]]
    times = sorted({at for (at,) in store.sql("SELECT DISTINCT epoch_us(valid_from) FROM changes")[1]})
    result = []
    for _ in range(60):
        walk = {
            "node": chance.choice(nodes), "direction": chance.choice(["up", "down", "both"]),
            "level": chance.choice(["column", "table"]), "direct_only": chance.choice([True, False]),
            **({} if chance.random() < 0.5 else {"depth": chance.randint(0, 4)}),
        }  # fmt: skip
        points = [f"{format_instant(t)}@v{chance.randint(1, store.version)}" for t in chance.sample(times, 2)]
        result.append((walk, points))
    return result


def test_a_picture_holds_what_lineage_answers(
    sample: Served, sample_files: Served, questions: list[tuple[dict[str, Any], list[str]]]
) -> None:
    """At each point the lines present are the pairs of the walk's edges; graph and files give the same bytes."""
    drawn = 0
    for walk, points in questions[: rounds(60, 20)]:
        answer = sample.get("/v1/layout", params=walk | {"at": ",".join(points)})
        assert answer.content == sample_files.get("/v1/layout", params=walk | {"at": ",".join(points)}).content
        if answer.status_code == 404:
            continue
        body = answer.json()
        for i, point in enumerate(points):
            valid_at, _, version = point.partition("@v")
            told = sample.get("/v1/lineage", params=walk | {"valid_at": valid_at, "version": version}).json()
            pairs = {(edge["source"], edge["target"]) for edge in told["result"]["edges"]}
            lines = {(line["source"], line["target"]) for line in body["result"]["lines"] if line["present"][i]}
            assert lines == pairs
            assert body["basis"][i] == told["basis"]
            assert body["completeness"][i] == told["completeness"]
            drawn += len(pairs)
    assert drawn > 100


def test_boxes_stay_in_place_between_points(sample: Served) -> None:
    """The picture of two points has each box once, and asked in the other order the same places."""
    first, second = "2026-01-15T00:00:00Z@v150", "2026-05-01T00:00:00Z@v150"
    there, back = (
        sample.get("/v1/layout", params={"node": NODE, "at": at}).json()["result"]
        for at in (f"{first},{second}", f"{second},{first}")
    )

    where = {box["dataset"]: (box["x"], box["y"]) for box in there["boxes"]}
    assert len(where) == len(there["boxes"]) > 5
    assert where == {box["dataset"]: (box["x"], box["y"]) for box in back["boxes"]}
    turned = {"added": "removed", "removed": "added"}
    changes = {box["dataset"]: turned.get(box["change"], box["change"]) for box in there["boxes"]}
    assert changes == {box["dataset"]: box["change"] for box in back["boxes"]}
    assert set(changes.values()) > {"same"}


def test_an_unknown_node_has_no_picture(sample: Served) -> None:
    """It is the same problem as for its lineage, with names like it."""
    answer = sample.get("/v1/layout", params={"node": "hive:dws.sales_daily#ordered_valeu"})

    assert answer.status_code == 404
    assert NODE in answer.json()["near"]


def test_a_timeline_has_every_moment_at_which_edges_begin_or_end(
    sample: Served, sample_files: Served, sample_store: Path, questions: list[tuple[dict[str, Any], list[str]]]
) -> None:
    """Just before a change point and at it the edges of the picture's nodes differ by what the timeline says."""
    signed, seen = (
        Store.open(sample_store).fetch(
            """SELECT task_id, source, target, "type", subtype, expression, version, epoch_us(valid_from),
        coalesce(epoch_us(valid_to), 9223372036854775807), sign FROM changes"""
        ),
        0,
    )
    for walk, points in questions[: rounds(20, 8)]:
        at = ",".join(points)
        answer = sample.get("/v1/timeline", params=walk | {"at": at})
        assert answer.content == sample_files.get("/v1/timeline", params=walk | {"at": at}).content
        if answer.status_code == 404:
            continue
        found, drawn = answer.json(), sample.get("/v1/layout", params=walk | {"at": at}).json()["result"]
        rows = [row["node"] for box in drawn["boxes"] for row in box["rows"]]
        heads = {box["dataset"] for box in drawn["boxes"]}
        table = walk["level"] == "table"
        met = {end for line in drawn["lines"] for end in (line["source"], line["target"])} | set(drawn["start"])
        nodes = heads if table else met | {f"{node.partition('#')[0]}#*" for node in rows}
        version = found["basis"]["version"]

        def edges(valid_at: int) -> set[Any]:
            sums: Counter[Any] = Counter()
            for *edge, known, begins, ends, sign in signed:
                if known <= version and begins <= valid_at < ends:  # noqa: B023 (asked at once)
                    sums[tuple(edge)] += sign
            return {
                edge
                for edge, total in sums.items()
                if total and nodes & ({n.partition("#")[0] for n in edge[1:3]} if table else set(edge[1:3]))  # noqa: B023
            }

        for point in found["result"]["points"][:6]:
            at_point = parse_instant(point["valid_at"])
            before, after = edges(at_point - 1), edges(at_point)
            assert (len(after - before), len(before - after)) == (point["begins"], point["ends"])
            seen += 1
    assert seen > 20


def test_a_timeline_lists_the_versions_that_changed_what_is_shown(sample: Served, sample_store: Path) -> None:
    """``known`` has each version with a change at the picture's nodes, with both signs, and no other."""
    store = Store.open(sample_store)
    walk = {"node": "hive:dws.revenue_daily#revenue", "direction": "up", "depth": 1}
    answer = sample.get("/v1/timeline", params=walk | {"at": "2026-03-15T00:00:00Z,2026-06-20T00:00:00Z@v150"}).json()
    drawn = sample.get("/v1/layout", params=walk | {"at": "2026-03-15T00:00:00Z,2026-06-20T00:00:00Z@v150"}).json()
    nodes = {end for line in drawn["result"]["lines"] for end in (line["source"], line["target"])}
    nodes |= {f"{node.partition('#')[0]}#*" for node in nodes if "#" in node}
    rows = store.fetch(
        "SELECT version, source, target, sign FROM changes WHERE version <= $v", v=answer["basis"]["version"]
    )
    touched = [(version, sign) for version, source, target, sign in rows if nodes & {source, target}]
    expected = [
        (version, touched.count((version, 1)), touched.count((version, -1)))
        for version in sorted({v for v, _ in touched})
    ]

    assert [(each["version"], each["plus"], each["minus"]) for each in answer["result"]["known"]] == expected
    assert any(minus for _, _, minus in expected)


def test_a_layout_takes_up_to_64_points(sample: Served) -> None:
    """Each line says at which of 64 points it is there; one point more is rejected with what is wrong."""
    walk = {"node": "hive:dws.revenue_daily#revenue", "direction": "up"}
    days = [f"2026-0{3 + i // 28}-{1 + i % 28:02}T00:00:00Z" for i in range(65)]
    drawn = sample.get("/v1/layout", params=walk | {"at": ",".join(days[:64])}).json()["result"]
    alone = sample.get("/v1/layout", params=walk | {"at": days[40]}).json()["result"]
    refused = sample.get("/v1/layout", params=walk | {"at": ",".join(days)})

    there = {(line["source"], line["target"]) for line in drawn["lines"] if line["present"][40]}
    assert there == {(line["source"], line["target"]) for line in alone["lines"]}
    assert not all(all(line["present"]) for line in drawn["lines"])
    assert (refused.status_code, refused.json()["errors"][0]["where"]) == (400, "query.at")


def test_answers_with_the_same_points_beside_them_have_the_same_places(
    sample: Served, sample_files: Served, questions: list[tuple[dict[str, Any], list[str]]]
) -> None:
    """What is drawn with ``also`` is what is drawn without; its places are those of the layout of all points."""
    moved = 0
    for walk, points in questions[: rounds(20, 10)]:
        params = walk | {"at": ",".join(points)}
        whole = sample.get("/v1/layout", params=params)
        if whole.status_code == 404:
            continue
        for at in points:
            alone = sample.get("/v1/layout", params=walk | {"at": at})
            beside = sample.get("/v1/layout", params=walk | {"at": at, "also": ",".join(points)})
            assert beside.content == sample_files.get("/v1/layout", params=dict(beside.request.url.params)).content
            if alone.status_code == 404:
                continue
            one, other = alone.json()["result"], beside.json()["result"]
            assert [_undrawn(line) for line in one["lines"]] == [_undrawn(line) for line in other["lines"]]
            assert [row["node"] for box in one["boxes"] for row in box["rows"]] == [
                row["node"] for box in other["boxes"] for row in box["rows"]
            ]
            places = _places(whole.json()["result"])
            assert _places(other).items() <= places.items()
            moved += not _places(one).items() <= places.items()
        timeline = sample.get("/v1/timeline", params=params)
        beside = sample.get("/v1/timeline", params=walk | {"at": points[0], "also": ",".join(points[1:])})
        assert beside.json()["result"] == timeline.json()["result"]
    assert moved > 5


def _undrawn(line: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in line.items() if key != "points"}


def _places(drawn: dict[str, Any]) -> dict[str, Any]:
    """Where each node is, and the size of its box."""
    boxes = {box["dataset"]: [box[key] for key in ("x", "y", "width", "height")] for box in drawn["boxes"]}
    rows = {row["node"]: [box["x"], box["y"] + row["y"]] for box in drawn["boxes"] for row in box["rows"]}
    return boxes | rows


def test_a_task_may_be_in_force_at_some_points_only(sample: Served) -> None:
    """A layout of a task from before it went online has it there without lines; at such a point alone it is 404."""
    walk = {"node": "task:dws_revenue_daily", "level": "task"}
    both = sample.get("/v1/layout", params=walk | {"at": "2020-01-01T00:00:00Z,2026-06-01T00:00:00Z"}).json()["result"]
    alone = sample.get("/v1/layout", params=walk | {"at": "2020-01-01T00:00:00Z"})

    assert both["lines"]
    assert not any(line["present"][0] for line in both["lines"])
    assert (alone.status_code, alone.json()["type"]) == (404, "urn:lineage-tt:problem:not-in-force")
