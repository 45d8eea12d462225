"""A server as the base: the same report from the graph in memory, over HTTP, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import forked
import httpx
import pytest
from releases import TASKS, analyst, assessed, candidate, edged, platform
from services import serving

from ingest.messages.native import parse_message
from lineage_tt.graph import Graph
from lineage_tt.impact.assess import assess
from lineage_tt.impact.base.from_graph import ColumnCache, GraphBase
from lineage_tt.impact.base.from_store import StoreBase
from lineage_tt.impact.policy import Policy
from lineage_tt.impact.release.candidates import Candidate
from lineage_tt.impact.report import Report
from lineage_tt.store import Store

SALES = TASKS["sales"]
AT = "2024-06-01T00:00:00Z"
RELEASES = [
    [candidate("sales", SALES.replace("amount, ", ""))],
    [candidate("sales", SALES.replace("status FROM", "status, email FROM")), Candidate("mirror", "offline")],
    [
        candidate("totals", TASKS["totals"].replace("sum", "max")),
        candidate("fresh", "CREATE TABLE f AS SELECT id FROM salse"),
    ],
    [candidate("ring", "INSERT INTO ods.orders SELECT id, amount, status, status FROM mirror")],
    [Candidate("b", edges=(("hive:a.t#x", "hive:b.t#y", "DIRECT", "IDENTITY", ""),))],
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A platform, some of it without SQL, and a reader that comes later."""
    edges = (("hive:a.t#x", "hive:b.t#x"), ("hive:b.t#x", "bi:c"))
    later = edged("later", ("hive:b.t#x", "bi:d"), at="2024-09-01T00:00:00Z")
    return platform(tmp_path_factory.mktemp("served") / "store", edged("b", edges[0]), edged("c", edges[1]), later)


@pytest.fixture(scope="module")
def url(store: Store) -> Iterator[str]:
    """The address of a service over the platform."""
    with serving(Path(str(store.log_path)).parent, "--workers", "1") as served:
        yield served.base


def asked(url: str, release: list[Candidate], **more: Any) -> httpx.Response:
    """Send a release."""
    body = {"candidates": [each.to_json() for each in release], "effective_at": AT, **more}
    return httpx.post(f"{url}/v1/impact", json=body, timeout=60)


@pytest.mark.parametrize("place", range(len(RELEASES)))
def test_the_graph_gives_the_same_report_as_the_files(store: Store, place: int) -> None:
    """Whether edges come from the graph in memory or from DuckDB: the same report."""
    base = GraphBase(store, store.basis(AT), Graph.load(store))

    assert assess(RELEASES[place], base, analyst(), Policy()) == assessed(store, *RELEASES[place], at=AT)


def test_columns_that_are_kept_are_those_of_the_point(tmp_path: Path) -> None:
    """Whoever asks next gets the columns of its own version and valid time, whether kept or read."""
    store = platform(tmp_path / "store")
    declared = [
        {"event_id": f"d{n}", "kind": "dataset", "dataset": "hive:dw.other", "op": "define", "effective_at": at,
         "columns": [{"name": name, "type": "INT"} for name in names]}
        for n, (at, names) in enumerate([("2024-05-01T00:00:00Z", "ab"), ("2024-07-01T00:00:00Z", "abc")])
    ]  # fmt: skip
    store.append([parse_message(json.dumps(each).encode()) for each in declared])
    graph, kept, found = Graph.load(store), ColumnCache(), []
    for at, version in [
        ("2024-04-30T00:00:00Z", None), ("2024-06-01T00:00:00Z", None), ("2024-06-02T00:00:00Z", None),
        ("2024-08-01T00:00:00Z", None), ("2024-08-01T00:00:00Z", store.version - 1), ("2024-06-01T00:00:00Z", None),
    ]:  # fmt: skip
        base = GraphBase(store, store.basis(at, version=version), graph, kept)
        plain = StoreBase(store, store.basis(at, version=version))

        assert base.columns() == plain.columns()
        found.append(len(base.columns().get("hive:dw.other", ())))
        base.close()
        plain.close()
    assert found == [0, 2, 2, 3, 2, 2]


def test_the_service_gives_the_same_report(store: Store, url: str) -> None:
    """``POST /v1/impact`` answers with the report and its basis; nothing is written."""
    for release in RELEASES:
        answer = asked(url, release)
        given = answer.json()

        assert answer.status_code == 200, answer.text
        assert Report.from_answer(given) == assessed(store, *release, at=AT)
    assert store.refresh() == given["basis"]["version"]


def test_the_command_line_asks_a_server(url: str, tmp_path: Path) -> None:
    """With a URL as store the candidates go there; the gate and the policy are the caller's own."""
    (tmp_path / "impact.toml").write_text(
        'dialect = "spark"\nnamespace = "hive"\ndefault_database = "dw"\n[policy]\nprotected = ["bi:*"]\n'
        '[owners]\n"bi:board/42" = ["ana"]\n'
    )
    (tmp_path / "sales.sql").write_text(SALES.replace("amount, ", ""))
    command = ["impact", "sales.sql", "--store", url, "--effective-at", AT, "--format", "json"]
    done = forked.run(command, cwd=tmp_path)
    result = json.loads(done.stdout)["result"]

    assert done.returncode == 1, done.stderr
    assert result["verdict"] == "breaking"
    assert "protected: bi:board/42 is touched (potentially_breaking)" in result["gate"]["tripped"]
    assert next(reader["owners"] for reader in result["readers"] if reader["dataset"] == "bi:board/42") == ["ana"]
    assert {task["file"] for task in result["tasks"]} == {"sales.sql"}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"candidates": [{"task_id": "a", "op": "offline"}, {"task_id": "a", "op": "offline"}]}, 409),
        ({"candidates": [{"task_id": "a"}]}, 400),
        ({"candidates": [{"task_id": "a", "sql": "SELECT 1"}]}, 400),
        ({"candidates": [], "version": 999_999}, 404),
        ({"candidates": [], "effective_at": "soon"}, 400),
        ({}, 400),
        ({"candidates": []}, 200),
        ({"candidates": [{"task_id": "a", "sql": "SELEC", "dialect": "nosuch"}]}, 200),
    ],
)
def test_what_the_service_refuses(url: str, body: dict[str, Any], status: int) -> None:
    """A release that is none is refused with a problem; SQL that cannot be read is an answer: unknown."""
    answer = httpx.post(f"{url}/v1/impact", json=body, timeout=60)

    assert answer.status_code == status, answer.text
    if status == 200 and body["candidates"]:
        assert answer.json()["result"]["verdict"] == "unknown"


@pytest.mark.parametrize(
    ("candidate", "status", "words"),
    [
        ({"task_id": "a", "op": "offline", "erlier": None}, 400, "did you mean earlier?"),
        (
            {"task_id": "a", "sql": "SELECT 1 AS x", "dialect": "spark", "taget": "hive:a.b"},
            400,
            "did you mean target?",
        ),
        ({"task_id": "a", "edges": [{"source": "n:a", "target": "n:b", "expresion": "x"}]}, 400, "expression?"),
        ({"task_id": "a", "sql": "SELECT 1", "dialect": "spark", "edges": []}, 409, "needs either sql or edges"),
        ({"task_id": "a", "op": "offline", "dataset": "hive:a.b"}, 409, "has kind task, and also dataset"),
        ({"task_id": "a", "op": "offline", "kind": "dataset", "dataset": "hive:a.b"}, 409, "and also task_id"),
        ({"task_id": "a", "op": "offline", "kind": "fact"}, 409, "has kind 'fact'"),
        ({"kind": "dataset", "dataset": "hive:a.b", "op": "drop", "columns": []}, 200, ""),
        ({"task_id": "a", "op": "offline", "event_id": "e", "labels": ["pii"], "odd": 1}, 200, ""),
    ],
)
def test_fields_that_would_be_ignored_are_refused(url: str, candidate: dict[str, Any], status: int, words: str) -> None:
    """A misspelt or contradictory field was dropped, and the release judged as if it were not there."""
    answer = httpx.post(f"{url}/v1/impact", json={"candidates": [candidate]}, timeout=60)

    assert answer.status_code == status, answer.text
    assert words in answer.json().get("detail", "")


def test_fields_without_effect_are_noted(url: str, tmp_path: Path) -> None:
    """By the service, and by the command line, which does not send them."""
    candidate = {"task_id": "b", "op": "offline", "sql": "SELECT 1"}
    note = "sql has no effect in a candidate that goes offline: b"
    answer = httpx.post(f"{url}/v1/impact", json={"candidates": [candidate]}, timeout=60)
    done = forked.run(
        ["impact", "-", "--store", url, "--format", "json"], cwd=tmp_path, given=json.dumps([candidate]).encode()
    )

    assert note in answer.json()["result"]["notes"]
    assert json.loads(done.stdout)["result"]["notes"].count(note) == 1


def test_a_task_of_edges_that_nobody_knows_is_compared_with_its_earlier_text(store: Store, url: str) -> None:
    """The service dropped the earlier text of such a candidate, and called it a new task."""
    earlier = candidate("edged", "CREATE TABLE edged AS SELECT id, amount FROM ods.orders")
    edge = ("hive:ods.orders#id", "hive:dw.edged#id", "DIRECT", "IDENTITY", "")
    release = [Candidate("edged", edges=(edge,), earlier=earlier)]

    report = Report.from_answer(asked(url, release).json())

    assert report == assessed(store, *release, at=AT)
    assert report.tasks[0].class_ != "additive"


def test_pictures_show_what_comes_and_goes_and_all_that_is_touched(url: str) -> None:
    """With ``pictures`` each task has its lineage with the report's changes marked, and readers have their class."""
    (release,) = RELEASES[4:]
    plain = asked(url, release).json()["result"]
    result = asked(url, release, pictures=True).json()["result"]
    drawn = result.pop("pictures")
    lines = {(line["source"], line["target"]): line["change"] for line in drawn["own"]["b"]["lines"]}
    marks = {box["dataset"]: box["mark"] for box in drawn["touched"]["boxes"]}

    assert result == plain
    assert lines == {("hive:a.t#x", "hive:b.t#x"): "removed", ("hive:a.t#x", "hive:b.t#y"): "added"}
    assert marks["hive:b.t"] == "breaking"
    assert {reader["dataset"]: reader["class"] for reader in result["readers"]}.items() <= marks.items()
    assert drawn["touched"]["left_out"] == 0
