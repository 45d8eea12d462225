"""What other processes commit is answered within moments, and the service says how far it is."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import psutil
import pytest
from services import Served, await_, online, problem, serving
from waiting import until_busy

from lineage_tt import Store
from lineage_tt.testing import task_change


def edges(served: Served, node: str, **asked: object) -> int:
    """How many edges lead from a node, -1 where it is not known."""
    answer = served.get("/v1/lineage", params={"node": node} | asked)
    return len(answer.json()["result"]["edges"]) if answer.status_code == 200 else -1


@pytest.mark.parametrize("options", [[], ["--no-graph"]], ids=["graph", "files"])
def test_another_processs_commit_shows_at_once(tmp_path: Path, options: list[str]) -> None:
    """At its version the very next question sees it; one without a version, when the service says that it has come."""
    store = Store.create(tmp_path / "s")
    with serving(tmp_path / "s", "--read-only", *options) as served:
        for turn in range(8):
            store.append([task_change(f"t{turn}", "online", 0, [(f"hive:f{turn}#a", f"hive:f{turn}#b")])])
            if turn % 2:
                assert edges(served, f"hive:f{turn}#a", version=store.version) == 1
            else:
                await_(lambda: served.get("/v1/stats").json()["basis"]["version"] == store.version)
                assert edges(served, f"hive:f{turn}#a") == 1
        stats = served.get("/v1/stats").json()
        assert stats["basis"]["version"] == stats["result"]["tail"]["version"] == 8


def test_two_services_over_one_store_agree(tmp_path: Path) -> None:
    """Messages sent to either are answered by both, at one basis with the same bytes."""
    with (
        serving(tmp_path / "s", "--workers", "1") as one,
        serving(tmp_path / "s", "--workers", "1", "--no-graph") as two,
    ):
        for turn in range(6):
            to = (one, two)[turn % 2]
            version = to.send(online(f"t{turn}", ("hive:a#b", f"hive:c{turn}#d"))).json()["result"]["receipts"][0][
                "version"
            ]
            asked = {"node": "hive:a#b", "version": version, "valid_at": "2024-06-01T00:00:00Z"}
            answers = [served.get("/v1/lineage", params=asked) for served in (one, two)]
            assert answers[0].content == answers[1].content
            assert len(answers[0].json()["result"]["edges"]) == turn + 1
        await_(
            lambda: (
                one.get("/v1/stats").json()["basis"]["version"] == 6 == two.get("/v1/stats").json()["basis"]["version"]
            )
        )
        pages = [served.get("/v1/changes").content for served in (one, two)]
        names = [served.get("/v1/search", params={"q": "c1"}).json()["result"] for served in (one, two)]

    assert pages[0] == pages[1]
    assert names[0] == names[1]


def test_it_answers_from_the_files_while_it_loads(tmp_path: Path) -> None:
    """Before it is ready it answers all the same, and says that it is not ready."""
    store = Store.create(tmp_path / "s")
    store.append([task_change("t", "online", 0, [("hive:a#b", "hive:c#d")])])
    with serving(tmp_path / "s", "--read-only", ready=False, forked=False) as served:
        first = served.get("/v1/lineage", params={"node": "hive:a#b", "valid_at": "2024-01-01T00:00:00Z", "version": 1})
        state = served.get("/v1/stats").json()["result"]
        await_(lambda: served.get("/readyz").status_code == 200, 60)
        later = served.get("/v1/lineage", params={"node": "hive:a#b", "valid_at": "2024-01-01T00:00:00Z", "version": 1})
        assert served.get("/v1/stats").json()["result"]["engine"] == "graph"

    assert first.status_code == 200
    assert (state["engine"], state["state"]) == ("files", "loading graph")
    assert first.content == later.content


def test_a_damaged_commit_is_said_and_not_answered_from(tmp_path: Path) -> None:
    """A commit that is not sound stops the following: readyz says so, the versions before continue being answered."""
    store = Store.create(tmp_path / "s")
    store.append([task_change("t", "online", 0, [("hive:a#b", "hive:c#d")])])
    with serving(tmp_path / "s", "--read-only", "--no-graph") as served:
        names = sorted((tmp_path / "s" / "log" / "_delta_log").glob("*.json"))
        following = names[-1].with_name(f"{int(names[-1].stem) + 1:020d}.json")
        following.write_bytes(names[-1].read_bytes()[:100])
        await_(lambda: served.get("/readyz").status_code == 503)
        problem(served.get("/readyz"), 503, "not-following")
        assert edges(served, "hive:a#b") == 1
        assert served.get("/v1/stats").json()["result"]["tail"]["error"]
        following.unlink()
        await_(lambda: served.get("/readyz").status_code == 200)


def test_the_service_makes_its_store(tmp_path: Path) -> None:
    """With no store there it begins an empty one; for reading alone it says that there is none."""
    with serving(tmp_path / "new", "--workers", "1", "--no-graph") as served:
        assert served.get("/v1/stats").json()["basis"]["version"] == 0
        problem(served.get("/v1/lineage", params={"node": "x"}), 404, "unknown-node")


def test_metrics_tell_what_happened(served: Served) -> None:
    """Version, lag, messages by outcome, latencies by path, refusals by reason."""
    served.send(online("t", ("hive:a#b", "hive:c#d")), {"bad": 1})
    served.get("/v1/lineage", params={"node": "hive:a#b"})
    served.get("/v1/lineage?node=a&node=b")
    page = served.get("/metrics").text

    for line in (
        "lineage_tt_version 2.0",
        "lineage_tt_ready 1.0",
        'lineage_tt_messages_total{status="accepted"} 1.0',
        'lineage_tt_messages_total{status="rejected"} 1.0',
        'lineage_tt_http_seconds_count{method="GET",path="/v1/lineage",status="200"} 1.0',
        'lineage_tt_http_refused_total{reason="invalid-request"} 1.0',
        "lineage_tt_tail_lag_seconds 0.0",
    ):
        assert line in page
    assert "lineage_tt_resident_bytes" in page


def test_stats_state_the_memory(sample: Served) -> None:
    """What the graph, the process and the kept answers take."""
    result = sample.get("/v1/stats").json()["result"]

    assert 0 < result["memory"]["graph_bytes"] < result["memory"]["resident_bytes"]
    assert result["graph"]["rectangles"] > 500
    assert result["store"]["versions"] == 175
    assert result["names"]["count"] > 500


def test_a_slow_answer_is_cut_and_the_others_go_on(sample_store: Path) -> None:
    """An answer that takes longer than it may is 503 with a hint, its query is interrupted."""
    with serving(sample_store, "--read-only", "--no-graph", "--timeout", "0.1") as served:
        points = [{"valid_at": f"2026-0{month}-01T00:00:00Z"} for month in range(1, 9)]
        body = {"nodes": ["hive:dws.sales_daily#ordered_value"] * 100, "points": points}
        found = problem(served.client.post("/v1/lineage", json=body), 503, "too-slow")
        assert "depth" in found["hint"]
        assert served.get("/healthz").status_code == 200


def test_sigterm_does_not_wait_for_a_long_answer(sample_store: Path) -> None:
    """An answer that takes long is given up: the process is gone within ten seconds, with status 0 (C10)."""
    body = {"nodes": ["hive:dws.sales_daily#ordered_value"] * 100, "points": [{"version": v} for v in range(1, 30)]}
    with (
        serving(sample_store, "--read-only", "--no-graph", "--timeout", "300") as served,
        ThreadPoolExecutor(1) as pool,
    ):
        asked = pool.submit(lambda: served.client.post("/v1/lineage", json=body))
        until_busy(served.process.pid, 1.0)
        assert not asked.done(), "the answer takes longer than that"
        status, seconds = served.stop()
        assert isinstance(asked.exception(), httpx.HTTPError) or asked.result().status_code == 503

    assert status == 0
    assert seconds < 10


def test_ctrl_c_ends_it_quietly(tmp_path: Path) -> None:
    """As any command."""
    import signal

    with serving(tmp_path / "s", "--workers", "1", "--no-graph") as served:
        served.process.send_signal(signal.SIGINT)
        served.process.wait(15)
        assert served.process.returncode in (0, 130)
        assert "Traceback" not in served.errors.read_text(encoding="utf-8")


def test_the_workers_end_with_the_service(tmp_path: Path) -> None:
    """The processes that parse SQL don't outlive it, however it ends."""
    sql = {"event_id": "1", "task_id": "t", "op": "online", "effective_at": 0, "dialect": "hive", "namespace": "hive",
           "sql": "INSERT INTO a.b SELECT c FROM d.e"}  # fmt: skip
    with serving(tmp_path / "s", "--workers", "1", "--no-graph", forked=False) as served:
        assert served.send(sql).status_code == 202
        pids = [child.pid for child in psutil.Process(served.process.pid).children()]
        served.process.kill()
        served.process.wait(10)
    assert pids
    await_(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in pids))
