"""What people look at: a node, what there is, the SQL of a task, what is planned, what differs within a closure."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from rounds import rounds
from services import Served, await_, online, problem

from lineage_tt import Store
from lineage_tt.model.times import format_instant

SEED = 20_261_124
SALES = "hive:dws.sales_daily"
DAY = "2026-05-01T00:00:00Z"


def result(served: Served, path: str, **asked: Any) -> Any:
    """Return the result of a question that has one."""
    answer = served.get(path, params=asked)
    assert answer.status_code == 200, answer.text
    return answer.json()["result"]


@pytest.fixture(scope="module")
def points(sample_store: Path) -> list[str]:
    """Points at random change points and versions of the sample."""
    print("seed", SEED)
    chance, store = random.Random(SEED), Store.open(sample_store)
    times = sorted({at for (at,) in store.sql("SELECT DISTINCT epoch_us(valid_from) FROM changes")[1]})
    return [f"{format_instant(t)}@v{chance.randint(1, store.version)}" for t in chance.sample(times, 6)]


def test_a_node_is_what_the_other_questions_say(
    sample: Served, sample_files: Served, sample_store: Path, points: list[str]
) -> None:
    """Writers and readers are the tasks of the walk of one step, columns those of the store; graph and files agree."""
    store, chance = Store.open(sample_store), random.Random(SEED)
    nodes = sorted(node for (node,) in store.sql("SELECT node FROM nodes")[1])
    looked, unknown = 0, 0
    for point in points[: rounds(6)]:
        valid_at, _, version = point.partition("@v")
        known = store.as_of(valid_at, version=int(version)).columns()
        for node in chance.sample(nodes, 12):
            asked = {"node": node, "at": point}
            answer = sample.get("/v1/nodes", params=asked)
            assert answer.content == sample_files.get("/v1/nodes", params=asked).content
            if answer.status_code == 404:
                unknown += 1
                continue
            found = answer.json()["result"]
            edges = result(sample, "/v1/lineage", node=node, valid_at=valid_at, version=version, depth=1)["edges"]
            for key, way in (("writers", "up"), ("readers", "down")):
                tasks = {edge["task_id"] for edge in edges if edge["direction"] == way}
                assert {each["task_id"] for each in found[key]} == tasks
            columns = [c for c in known if c.dataset == found["dataset"] and found["column"] in (None, c.column)]
            assert [(c["column"], c["type"], c["origin"]) for c in found["columns"]] == [
                (c.column, c.type, c.origin) for c in columns
            ]
            looked += 1
    assert looked > rounds(40)
    assert unknown < looked


def test_an_unknown_node_is_404_with_names_like_it(sample: Served) -> None:
    """The problem names what may be meant."""
    found = problem(sample.get("/v1/nodes", params={"node": "hive:dws.sales_dayly"}), 404, "unknown-node")

    assert SALES in found["near"]


def test_what_people_state_of_a_node_is_shown(taking: Served) -> None:
    """Owner, label and description of a table and of its column, and since when a column is there with which type."""
    sent = [
        {"kind": "dataset", "event_id": "1", "dataset": "hive:dw.t", "op": "define",
         "effective_at": "2026-01-01T00:00:00Z",
         "columns": [{"name": "a", "type": "INT"}, {"name": "b", "type": "INT"}]},
        {"kind": "dataset", "event_id": "2", "dataset": "hive:dw.t", "op": "define",
         "effective_at": "2026-02-01T00:00:00Z",
         "columns": [{"name": "a", "type": "BIGINT"}]},
        *({"kind": "fact", "event_id": f"f{i}", "node": node, "key": key, "values": [value], "op": "set",
           "effective_at": "2026-01-05T00:00:00Z"}
          for i, (node, key, value) in enumerate([("hive:dw.t", "owner", "ana"), ("hive:dw.t", "label", "gold"),
              ("hive:dw.t#a", "description", "the amount"), ("hive:dw.t#a", "label", "pii")])),
        online("t", ("hive:ods.s#x", "hive:dw.t#a"), at="2026-01-02T00:00:00Z"),
    ]  # fmt: skip
    receipts = taking.send(*sent).json()["result"]
    assert receipts["rejected"] == 0, receipts
    found = result(taking, "/v1/nodes", node="hive:dw.t", at="2026-03-01T00:00:00Z")

    assert (found["owners"], found["labels"], found["kind"]) == (["ana"], ["gold"], "dataset")
    (column,) = found["columns"]
    assert (column["column"], column["type"], column["description"]) == ("a", "BIGINT", "the amount")
    assert column["labels"] == ["pii"]
    assert found["writers"] == [{"task_id": "t", "edges": 1}]
    assert found["history_of"] == "declarations"
    assert [(h["valid_at"][:10], h["change"], h["column"], h["type"], h["type_before"]) for h in found["history"]] == [
        ("2026-02-01", "type-changed", "a", "BIGINT", "INT"),
        ("2026-02-01", "removed", "b", None, "INT"),
        ("2026-01-01", "appeared", "a", "INT", None),
        ("2026-01-01", "appeared", "b", "INT", None),
    ]
    early = result(taking, "/v1/nodes", node="hive:dw.t#b", at="2026-01-03T00:00:00Z")
    assert (early["owners"], [c["column"] for c in early["columns"]]) == ([], ["b"])
    assert "pii" in {hit["name"] for hit in result(taking, "/v1/search", q="pii", kind="label")}


def test_browsing_comes_to_every_dataset_once(sample: Served, sample_store: Path, points: list[str]) -> None:
    """From the namespaces down, page by page, one meets exactly the datasets in force; counts are right."""
    store = Store.open(sample_store)

    def down(under: str, point: str) -> set[str]:
        met: set[str] = set()
        cursor, total = None, 0
        while True:
            asked = {"under": under, "at": point, "limit": 3} | ({"cursor": cursor} if cursor else {})
            page = sample.get("/v1/datasets", params=asked).json()
            for entry in page["result"]["entries"]:
                below = down(entry["under"], point) if entry["under"] else {entry["dataset"]}
                assert len(below) == entry["datasets"]
                assert not met & below
                met |= below
                total += 1
            cursor = page["next_cursor"]
            if cursor is None:
                assert page["result"]["total"] == total
                return met

    for point in points[: rounds(3, 2)]:
        valid_at, _, version = point.partition("@v")
        edges = store.as_of(valid_at, version=int(version)).edges(marks=True)
        there = {node.partition("#")[0] for edge in edges for node in (edge.source, edge.target)}
        there |= {fact.node.partition("#")[0] for fact in store.as_of(valid_at, version=int(version)).facts()}
        assert down("", point) == {node for node in there if not node.startswith(("task:", "policy:", "subscription:"))}
        assert there


def test_a_closures_difference_is_that_of_two_walks(sample: Served, points: list[str]) -> None:
    """At every level what is only in the first walk is removed, what is only in the second is added."""
    differing = 0
    for first, second in pairwise(points):
        for level in ("column", "table", "task"):
            walk = {"node": "bi:board/42#revenue", "direction": "up", "level": level}
            found = result(sample, "/v1/diff", **walk, **{"from": first, "to": second})
            edges = []
            for point in (first, second):
                valid_at, _, version = point.partition("@v")
                told = result(sample, "/v1/lineage", **walk, valid_at=valid_at, version=version)["edges"]
                keys = ("task_id", "source", "target", "type", "subtype", "expression")
                edges.append({tuple(edge[key] for key in keys) for edge in told})
            assert {tuple(edge.values()) for edge in found["removed"]} == edges[0] - edges[1]
            assert {tuple(edge.values()) for edge in found["added"]} == edges[1] - edges[0]
            differing += bool(found["removed"] or found["added"])
    assert differing > 3


def test_a_walk_without_a_node_is_refused(sample: Served) -> None:
    """Nothing is passed over in silence."""
    answer = sample.get("/v1/diff", params={"from": DAY, "direction": "up"})

    problem(answer, 409, "conflict")


def test_sql_is_that_in_force_and_marks_what_makes_an_edge(sample: Served, sample_store: Path) -> None:
    """Every task's text is the store's; the marks of an edge with an expression say that expression."""
    store = Store.open(sample_store)
    view, texts = store.as_of(DAY), texts_at(store, DAY)
    edges = view.edges()
    expressions = {(edge.task_id, _plain(edge.expression)) for edge in edges}
    marked = total = 0
    for task in view.tasks():
        text = texts[task.task_id]
        (told,) = result(sample, "/v1/sql", task=task.task_id, at=DAY)["texts"]
        if text is None:
            assert told is None
            continue
        assert (told["sql"], told["kept"], told["version"]) == (text, True, task.version)
        assert told["spans"] == []
    asked_for = [edge for edge in edges if edge.expression and "#" in edge.source]
    one_a_task = {edge.task_id: edge for edge in asked_for}
    others = [edge for edge in asked_for if edge is not one_a_task[edge.task_id]]
    for edge in [*one_a_task.values(), *others][: rounds(len(asked_for), len(one_a_task))]:
        asked = {"task": edge.task_id, "at": DAY, "source": edge.source, "target": edge.target}
        (told,) = result(sample, "/v1/sql", **asked)["texts"]
        if told is None:
            continue
        total += 1
        units = told["sql"].encode("utf-16-le")
        for span in told["spans"]:
            said = units[2 * span["start"] : 2 * span["end"]].decode("utf-16-le")
            assert said
            if span["what"] == "expression":
                assert (edge.task_id, _plain(said)) in expressions
        marked += any(span["what"] in ("expression", "column") for span in told["spans"])

    assert total > 20
    assert marked >= 0.9 * total, (marked, total)


def texts_at(store: Store, valid_at: str) -> dict[str, str | None]:
    """The SQL of each task in force."""
    return dict(store.fetch("SELECT task_id, sql FROM tasks_as_of($at::TIMESTAMPTZ)", at=valid_at))


def _plain(text: str) -> str:
    return "".join(text.split()).casefold()


def test_the_difference_of_two_texts_rebuilds_both(sample: Served, sample_store: Path) -> None:
    """Lines removed and same are the first text, added and same the second, with their numbers."""
    store = Store.open(sample_store)
    first, second = "2026-02-01T00:00:00Z", DAY
    before, after = (texts_at(store, at) for at in (first, second))
    compared = changed = 0
    for task in store.as_of(second).tasks():
        found = result(sample, "/v1/sql", task=task.task_id, at=f"{first},{second}")
        texts = [before.get(task.task_id), after[task.task_id]]
        if None in texts:
            assert found["diff"] is None
            continue
        for side, gone, text in (("left", "added", texts[0]), ("right", "removed", texts[1])):
            lines = [line for line in found["diff"] if line["op"] != gone]
            assert "\n".join(line["text"] for line in lines) == text
            assert [line[side] for line in lines] == list(range(1, len(lines) + 1))
        compared += 1
        changed += any(line["op"] != "same" for line in found["diff"])
    assert compared > 10
    assert changed > 0


def test_an_unknown_task_has_no_sql(sample: Served) -> None:
    """404, as for its versions."""
    problem(sample.get("/v1/sql", params={"task": "nobody"}), 404, "unknown-task")


def test_planned_changes_are_those_after_now(taking: Served) -> None:
    """A change to come is reported with its time; one that has come is not; what a later message takes back is gone."""
    assert result(taking, "/v1/planned") == []
    taking.send(
        online("planning", ("a:b#c", "a:d#e"), at="2024-01-01T00:00:00Z", event="1"),
        online("planning", ("a:x#c", "a:d#e"), at="2999-01-01T00:00:00Z", event="2"),
    )
    (found,) = result(taking, "/v1/planned")
    assert (found["valid_at"][:10], found["task_id"], found["begins"], found["ends"]) == (
        "2999-01-01",
        "planning",
        1,
        1,
    )
    retract = {"event_id": "3", "task_id": "planning", "op": "retract", "retracts": "2"}
    assert taking.send(retract).json()["result"]["rejected"] == 0
    assert result(taking, "/v1/planned") == []


def test_dead_letters_are_listed_and_replayed(taking: Served) -> None:
    """A retract that came too early waits, and comes in when it is replayed after what it retracts."""
    sent = taking.send({"event_id": "2", "task_id": "early", "op": "retract", "retracts": "1"}).json()["result"]
    assert sent["rejected"] == 1
    (letter,) = result(taking, "/v1/dead-letters", waiting="true")
    assert letter["code"] == "unknown-event"
    body = {"versions": [letter["version"]]}
    again = taking.client.post("/v1/dead-letters/replay", json=body).json()["result"]
    assert [(each["status"], each["code"]) for each in again] == [("rejected", "unknown-event")]
    taking.send(online("early", ("a:b#c", "a:d#e")))
    (done,) = taking.client.post("/v1/dead-letters/replay", json=body).json()["result"]
    assert done["status"] == "accepted"
    assert result(taking, "/v1/dead-letters", waiting="true") == []
    assert [each["replayed_as"] for each in result(taking, "/v1/dead-letters")] == [done["as_version"]]
    problem(taking.client.post("/v1/dead-letters/replay", json={"versions": [done["as_version"]]}), 404,
            "unknown-dead-letter")  # fmt: skip


def test_subscriptions_come_and_go(taking: Served) -> None:
    """One is kept as a stream, listed, and taken away; what makes no sense is refused with what to do."""
    taking.send(online("followed", ("a:b#c", "a:d#e")))
    body = {"name": "sales", "datasets": ["a:*"], "downstream_of": ["a:b#c"], "hops": 2, "actor": "ana"}
    assert taking.client.post("/v1/subscriptions", json=body).status_code == 200
    (kept,) = result(taking, "/v1/subscriptions")
    assert (kept["name"], kept["actor"], kept["problem"]) == ("sales", "ana", None)
    assert kept["subscription"]["deliver"] == "stream"
    assert kept["subscription"]["downstream_of"] == ["a:b#c"]
    refused = taking.client.post("/v1/subscriptions", json={"name": "x", "hops": 2})
    assert "closure" in problem(refused, 409, "conflict")["detail"]
    unknown = taking.client.post("/v1/subscriptions", json={"name": "x", "upstream_of": ["a:none#x"]})
    problem(unknown, 404, "unknown-node")
    assert taking.client.delete("/v1/subscriptions", params={"name": "sales"}).status_code == 200
    assert result(taking, "/v1/subscriptions") == []
    problem(taking.client.delete("/v1/subscriptions", params={"name": "sales"}), 404, "unknown-subscription")


def test_where_others_deliver_to_is_no_secret_here(taking: Served, taking_store: Path) -> None:
    """The path of a chat's address is a key to it: the list gives the host alone."""
    from lineage_tt.subscriptions.model import Subscription
    from lineage_tt.subscriptions.stored import subscribe

    store = Store.open(taking_store)
    subscribe(store, Subscription("chat", deliver="slack+https://8.8.8.8/services/SECRET"))
    subscribe(store, Subscription("topic", deliver="kafka://h1:9092/topic"))
    await_(lambda: taking.get("/v1/stats").json()["basis"]["version"] == store.version)
    answer = taking.get("/v1/subscriptions")

    assert "SECRET" not in answer.text
    for name in ("chat", "topic"):
        assert taking.client.delete("/v1/subscriptions", params={"name": name}).status_code == 200
    places = {each["name"]: each["subscription"]["deliver"] for each in answer.json()["result"]}
    assert places == {"chat": "slack+https://8.8.8.8", "topic": "kafka://h1:9092"}


def test_a_read_only_service_writes_nothing(sample: Served) -> None:
    """No replay, no subscription."""
    problem(sample.client.post("/v1/dead-letters/replay", json={"versions": [1]}), 403, "read-only")
    problem(sample.client.post("/v1/subscriptions", json={"name": "x"}), 403, "read-only")
    problem(sample.client.delete("/v1/subscriptions", params={"name": "x"}), 403, "read-only")


def test_sixty_four_points_are_one_picture(sample: Served) -> None:
    """A window of a slider is one answer: ``present`` has an entry for each point; one more is refused."""
    days = [f"2026-{1 + i // 28:02}-{1 + i % 28:02}T00:00:00Z" for i in range(64)]
    asked = {"node": "bi:board/42#revenue", "direction": "up"}
    answer = sample.get("/v1/layout", params=asked | {"at": ",".join(days)})

    assert answer.status_code == 200
    assert len(answer.json()["basis"]) == 64
    assert {len(line["present"]) for line in answer.json()["result"]["lines"]} == {64}
    problem(sample.get("/v1/layout", params=asked | {"at": ",".join([*days, DAY])}), 400, "invalid-request")
