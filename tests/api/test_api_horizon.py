"""A service over a store that dropped beliefs: an error from before the horizon, never a thin answer unsaid."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import forked
import pytest
from services import Served, serving

from lineage_tt import Store
from lineage_tt.log.log import Log
from lineage_tt.log.retention import Horizon
from lineage_tt.log.rewriting.rewrite import replace
from lineage_tt.testing import ManualClock, task_change

NOON = 1_714_564_800_000_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of eight versions of two tasks, whose horizon is version 6."""
    store = Store.create(tmp_path_factory.mktemp("horizon") / "store", clock=ManualClock(NOON))
    for number in range(8):
        edges = [(f"n:a#c{number}", "n:b#x")]
        store.append([task_change(f"t{number % 2}", "update", NOON + number, edges, event_id=f"e{number}")])
    replace(Log.open(store.log_path), [], Horizon(6, store.log()[5].system_time))
    return Path(str(store.log_path.parent))


@pytest.fixture(scope="module", params=["graph", "files"])
def service(request: pytest.FixtureRequest, folder: Path) -> Iterator[Served]:
    """A service over it, from its graph or from the files."""
    more = [] if request.param == "graph" else ["--no-graph"]
    with serving(folder, "--read-only", *more) as served:
        yield served


def test_a_question_from_before_the_horizon_is_gone(service: Served) -> None:
    """410 with what to do, by version and by system time, for a walk, a difference and the feed."""
    early = "2020-01-01T00:00:00Z"
    for path in (
        "/v1/lineage?node=n:b%23x&version=5",
        f"/v1/lineage?node=n:b%23x&system_at={early}",
        "/v1/diff?from=now@v5",
        "/v1/blame?source=n:a%23c1&target=n:b%23x&version=5",
        "/v1/changes?after=5",
    ):
        answer = service.get(path)
        assert answer.status_code == 410, f"{path}: {answer.text}"
        assert "6" in answer.json()["detail"] + answer.json()["hint"]
    assert service.get("/v1/lineage?node=n:b%23x&version=6").status_code == 200


def test_answers_over_all_system_times_say_from_where_on_all_is_kept(service: Served, folder: Path) -> None:
    """History and a task's versions name the horizon, over HTTP and on the command line."""
    kept = {"version": 6, "system_time": service.get("/v1/tasks/t1/versions").json()["result"][2]["system_time"]}
    for path in ("/v1/history?node=n:b%23x", "/v1/tasks/t1/versions"):
        assert service.get(path).json()["basis"]["kept_from"] == kept
    for words in (["history", "n:b#x"], ["log"]):
        ran = forked.run([*words, "--store", str(folder)])
        assert "(version 6) were dropped" in ran.stdout.decode().splitlines()[-1]
        said = forked.run([*words, "--store", str(folder), "--format", "json"])
        assert json.loads(said.stdout)["basis"]["kept_from"] == kept
