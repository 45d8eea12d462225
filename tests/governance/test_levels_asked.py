"""Levels wherever lineage is asked: differences and impacts by groups on the command line, over HTTP and in Python."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from layer_rules import RULES
from services import Served, serving

from lineage_tt import Store
from lineage_tt.cli.app import run
from lineage_tt.curation.statements import annotate
from lineage_tt.levels.changes import Side, changed_groups
from lineage_tt.levels.names import LEVELS
from lineage_tt.levels.reached import reached_groups
from lineage_tt.model.edges import dataset_of
from lineage_tt.testing import task_change

BEFORE, AFTER = "2026-01-15T00:00:00Z", "2026-02-15T00:00:00Z"
CRM, ERP = "postgres://crm:5432:public.users", "oracle://erp:1521:fin.invoices"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store in which a report changes its source: from customers to invoices, which nothing read before."""
    path = tmp_path_factory.mktemp("levels") / "store"
    store = Store.create(path)
    store.append([
        task_change("load_users", "online", "2026-01-01T00:00:00Z", [(f"{CRM}#id", "hive:ods.users#id"),
                                                                     (f"{CRM}#mail", "hive:ods.users#mail")]),
        task_change("report", "online", "2026-01-01T00:00:00Z", [("hive:ods.users#id", "hive:dw.report#id"),
                                                                 ("hive:ods.users#mail", "hive:dw.report#mail")]),
        task_change("board", "online", "2026-01-01T00:00:00Z", [("hive:dw.report#id", "bi:board/1#id")]),
        task_change("report", "update", "2026-02-01T00:00:00Z", [("hive:ods.users#id", "hive:dw.report#id"),
                                                                 (f"{ERP}#sum", "hive:dw.report#sum")]),
    ])  # fmt: skip
    for node, key, value in [
        ("hive:ods.users", "owner", "ines"), ("hive:dw.report", "owner", "tom"), ("bi:board/1", "owner", "mei"),
        ("hive:dw.report", "domain", "sales"), ("bi:board/1", "domain", "board"), (ERP, "domain", "finance"),
        ("task:report", "parent", "task:nightly"), ("task:load_users", "parent", "task:nightly"),
        (f"{CRM}#mail", "label", "secret"), ("hive:dw.report", "grant:marketing", "read"),
    ]:  # fmt: skip
        annotate(store, node, key, [value], at="2026-01-01T00:00:00Z")
    return path


@pytest.fixture(scope="module")
def served(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service over it, under rules."""
    rules = tmp_path_factory.mktemp("rules") / "governance.toml"
    rules.write_text(RULES, encoding="utf-8")
    with serving(folder, "--workers", "1", "--rules", str(rules)) as service:
        yield service


def asked(folder: Path, capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    """The JSON that a command prints."""
    assert run([*words, "--store", str(folder), "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_difference_by_systems_says_which_begin_to_depend_on_each_other(
    folder: Path, served: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    """Command, service and Python say the same: the report reads the ERP now, and less of Hive stays inside of it."""
    said = asked(folder, capsys, "diff", "--from", BEFORE, "--to", AFTER, "--level", "system")
    over_http = served.get("/v1/diff", params={"from": BEFORE, "to": AFTER, "level": "system"}).json()
    store = Store.open(folder)
    found = changed_groups(Side.of(store.as_of(BEFORE)), Side.of(store.as_of(AFTER)), "system")

    assert said["result"]["groups"] == [
        {"change": "added", "source": "oracle", "target": "hive", "before": 0, "after": 1, "removed": 0, "added": 1}
    ]
    assert [each._asdict() for each in found] == said["result"]["groups"] == over_http["result"]["groups"]
    assert said["completeness"] == over_http["completeness"]


def test_each_level_of_a_difference_is_what_its_edges_sum_up_to(folder: Path) -> None:
    """At every level the counts add up; at that of datasets they are the plain difference, pair by pair."""
    store = Store.open(folder)
    before, after = (Side.of(store.as_of(at)) for at in (BEFORE, AFTER))
    plain = store.diff(store.basis(BEFORE), store.basis(AFTER))
    for level in LEVELS:
        for each in changed_groups(before, after, level):
            assert (each.change == "added") == (each.before == 0)
            assert (each.change == "removed") == (each.after == 0)
            assert each.after == each.before - each.removed + each.added
    tables = changed_groups(before, after, "dataset")
    assert sum(each.removed for each in tables) == len(plain.removed)
    assert sum(each.added for each in tables) == len(plain.added)
    touched = {(dataset_of(edge[1]), dataset_of(edge[2])) for edge in (*plain.removed, *plain.added)}
    assert {(each.source, each.target) for each in tables} == touched


@pytest.mark.parametrize("level", ["system", "cluster", "namespace", "layer", "domain", "owner", "dataset"])
def test_a_walk_by_groups_is_the_same_over_http(
    folder: Path, served: Served, capsys: pytest.CaptureFixture[str], level: str
) -> None:
    """``GET /v1/lineage`` at a level of groups gives what ``lineage --level`` prints, in pages if asked."""
    walk = {"node": "bi:board/1", "direction": "up", "level": level, "valid_at": AFTER}
    said = asked(folder, capsys, "lineage", "bi:board/1", "--direction", "up", "--level", level, "--valid-at", AFTER)
    given = served.get("/v1/lineage", params=walk).json()

    assert given["result"]["groups"] == said["result"]["groups"]
    assert given["result"]["groups"]
    first = served.get("/v1/lineage", params=walk | {"limit": 1}).json()["result"]
    rows = [*first["groups"]]
    while first["cursor"]:
        first = served.get("/v1/lineage", params=walk | {"limit": 1, "cursor": first["cursor"]}).json()["result"]
        rows += first["groups"]
    assert rows == given["result"]["groups"]
    batch = {"nodes": ["bi:board/1"], "points": [{"valid_at": AFTER}], "direction": "up", "level": level}
    (answer,) = served.client.post("/v1/lineage", json=batch).json()["result"]
    assert answer["result"]["groups"] == rows


def test_sub_tasks_of_a_walk_count_as_who_starts_them(served: Served) -> None:
    """The difference of a walk ignored ``roll_up``: it listed the sub-tasks, as if nothing had been asked."""
    walk = {"from": "2025-12-01T00:00:00Z", "to": AFTER, "node": "bi:board/1", "direction": "up", "level": "task"}
    up = served.get("/v1/diff", params=walk | {"roll_up": "true"}).json()["result"]
    whole = served.get("/v1/diff", params={**walk, "roll_up": "true", "node": "bi:board/1#id"}).json()["result"]

    assert [(each["source"], each["target"]) for each in up["groups"]] == [("task:nightly", "task:board")]
    assert (up["roll_up"], whole["groups"]) == (True, up["groups"])


def test_sub_tasks_count_as_who_starts_them(folder: Path, served: Served, capsys: pytest.CaptureFixture[str]) -> None:
    """Rolled up, only the nightly run feeds the board: in walks and differences, by command and service."""
    walk = {"node": "task:board", "direction": "up", "level": "task", "valid_at": AFTER}
    apart = served.get("/v1/lineage", params=walk).json()["result"]
    up = served.get("/v1/lineage", params=walk | {"roll_up": "true"}).json()["result"]
    said = asked(
        folder,
        capsys,
        "lineage",
        "task:board",
        "--direction",
        "up",
        "--level",
        "task",
        "--roll-up",
        "--valid-at",
        AFTER,
    )
    diff = ("diff", "--from", "2025-12-01T00:00:00Z", "--to", AFTER, "--level", "task")

    assert {each["node"] for each in apart["nodes"]} == {"task:report", "task:load_users"}
    assert [each["node"] for each in up["nodes"]] == ["task:nightly"]
    assert up["edges"] == said["result"]["edges"]
    pairs = [(each["source"], each["target"]) for each in asked(folder, capsys, *diff, "--roll-up")["result"]["groups"]]
    assert pairs == [("task:nightly", "task:board")]
    over_http = served.get("/v1/diff", params={"from": diff[2], "to": AFTER, "level": "task", "roll_up": "true"}).json()
    assert [(each["source"], each["target"]) for each in over_http["result"]["groups"]] == pairs
    refused = served.get("/v1/lineage", params=walk | {"level": "system", "roll_up": "true"})
    assert (refused.status_code, refused.json()["title"] != "") == (409, True)
    assert run(["diff", "--from", BEFORE, "--roll-up", "--store", str(folder)]) == 2


def test_an_impact_by_owners_and_under_the_rules_of_the_service(
    folder: Path, served: Served, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """``POST /v1/impact`` says which owners it reaches, which labels come, what is violated, what may not be read."""
    edges = [{"source": "hive:ods.users#mail", "target": "hive:dw.report#id"}]
    body = {"candidates": [{"task_id": "report", "edges": edges}], "effective_at": AFTER, "level": "owner"}
    plain = served.client.post("/v1/impact", json=body).json()["result"]
    given = served.client.post("/v1/impact", json=body | {"as": "marketing"}).json()["result"]
    (tmp_path / "governance.toml").write_text(RULES, encoding="utf-8")
    (tmp_path / "release.json").write_text(
        json.dumps({"event_id": "x", "task_id": "report", "op": "update", "effective_at": AFTER, "edges": edges})
    )
    words = ["impact", str(tmp_path / "release.json"), "--effective-at", AFTER, "--format", "json", "--level", "owner"]
    run([*words, "--rules", str(tmp_path / "governance.toml"), "--as", "marketing", "--store", str(folder)])
    said = json.loads(capsys.readouterr().out)["result"]
    run([*words, "--as", "marketing", "--store", served.base])
    remote = json.loads(capsys.readouterr().out)["result"]

    (group,) = plain["groups"]
    assert (group["group"], group["datasets"], group["tasks"]) == ("mei", 1, 1)
    assert {(each["label"], each["node"]) for each in given["labels"]} >= {("secret", "bi:board/1#id")}
    denied = [each["subject"] for each in given["findings"] if each["kind"] == "denied-source"]
    assert denied == ["hive:ods.users"]
    for key in ("labels", "groups", "level", "counts"):
        assert said[key] == given[key] == remote[key], key
    assert sorted(map(str, said["findings"])) != []
    assert [each["kind"] for each in said["findings"]] == [each["kind"] for each in given["findings"]]


def test_what_is_reached_is_counted_once_a_group() -> None:
    """A dataset of two owners counts for both, one of none for none; the worst class of a group is its own."""

    class Reader:
        def __init__(self, dataset: str, class_: str, owners: tuple[str, ...], steps: int) -> None:
            self.dataset, self.class_, self.owners, self.steps = dataset, class_, owners, steps
            self.columns, self.tasks = ("a", "b"), (f"makes {dataset}",)

    readers = [
        Reader("hive:x.a", "none", ("u", "v"), 2),
        Reader("hive:x.b", "breaking", ("u",), 1),
        Reader("k:c", "none", (), 3),
    ]
    found = {each.group: each for each in reached_groups(readers, "owner", lambda some: min(some))}

    assert found["u"][1:] == ("breaking", 2, 4, 2, 1)
    assert found["v"][1:] == ("none", 1, 2, 1, 2)
    assert found["(none)"][1:] == ("none", 1, 2, 1, 3)
    assert [each.group for each in reached_groups(readers, "namespace", min)] == ["hive", "k"]
