"""Killed while a policy is tightened for history, and the same command again: all of it, once, and nothing is left."""

from __future__ import annotations

import shutil
import signal
from pathlib import Path

import pytest
from commandline import Outcome, spawn
from crashes import damage, finish, history, rows, start, write
from crashes import ingest as crashes_ingest
from policy_texts import CANARY, MESSAGES, edges, holders, ingest, lines_of, message

from lineage_tt import Store

#: Where it dies: before the files are rebuilt, with them made, before and after the commit, and between the copies.
POINTS = [
    "p3:before", "p3:data", "p4:after", "t0:after", "t1:before", "t1:data", "t1:after", "t2:log", "t2:snapshot",
    "t2:deliveries", "t2:after",
]  # fmt: skip


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store whose history quotes SQL wherever a message may, of two commits."""
    folder = tmp_path_factory.mktemp("filled")
    (folder / "in").mkdir()
    store = Store.create(folder / "store")
    for part in (MESSAGES[:4], MESSAGES[4:]):
        ingest(store, part, folder / "in")
    return folder / "store"


@pytest.fixture
def path(filled: Path, tmp_path: Path) -> Path:
    """A copy of it, which the test may write to, and an empty folder beside it for what is sent."""
    (tmp_path / "in").mkdir()
    return shutil.copytree(filled, tmp_path / "store")


def tighten(store: Path, policy: str, failpoint: str = "") -> Outcome:
    """Run ``policy set --history`` on a store."""
    words = ["policy", "set", policy, "--history", "--reason", "the audit", "--actor", "ana"]
    return spawn(*words, "--workers", "1", "--no-progress", store=store, LINEAGE_FAILPOINT=failpoint)


@pytest.mark.parametrize("point", POINTS)
def test_killed_at_a_step_it_is_completed_by_the_same_command(path: Path, tmp_path: Path, point: str) -> None:
    """Between the two, every answer is there and others write; nothing is lost, doubled or half masked."""
    store = Store.open(path)
    before, version = edges(store), store.version

    killed = tighten(path, "mask-literals", f"{point}:kill")
    assert killed.status == -signal.SIGKILL, killed.err

    store = Store.open(path)
    assert edges(store) == before
    assert damage(path) == []
    ingest(store, [message("new", "new", "SELECT a FROM t", target="n:d.new")], tmp_path / "in")
    done = tighten(path, "mask-literals")

    assert done.status == 0, done.err
    assert "texts: mask-literals" in done.out
    store = Store.open(path)
    assert {edge for edge in edges(store) if edge[0] != "new"} == before
    assert store.version == version + 3
    assert [each.key for each in store.as_of().facts("policy:texts")] == ["history", "texts"]
    assert holders(path) == []
    assert damage(path) == []


def test_beside_writers_and_a_reader(path: Path, tmp_path: Path) -> None:
    """Two processes write while history is rewritten, and one reads: each message once, each answer whole."""
    store = Store.open(path)
    before, version = edges(store), store.version
    plain = write(tmp_path / "plain.jsonl", history(160))
    with_sql = write(
        tmp_path / "sql.jsonl",
        lines_of([message(f"q{n}", f"q{n % 5}", f"SELECT b || '{CANARY}' AS x FROM t{n}", op="update", target="n:d.q",
                          effective_at=f"2024-02-{n % 28 + 1:02}T00:00:00Z") for n in range(60)]),
    )  # fmt: skip
    alone = crashes_ingest(tmp_path / "alone", plain)
    assert alone.status == 0, alone.err

    writers = [start(path, plain, "--batch", "4"), start(path, with_sql, "--batch", "2")]
    done = tighten(path, "mask-literals")
    reads = 0
    while any(each.poll() is None for each in writers):
        assert before <= edges(Store.open(path))
        reads += 1
    ended = [finish(each) for each in writers]

    assert done.status == 0, done.err
    assert [each.status for each in ended] == [0, 0], ended
    store = Store.open(path)
    sent = [row.event_id for row in rows(path) if row.version > version and row.subject != "policy:texts"]
    expected = [row.event_id for row in rows(tmp_path / "alone")] + [f"q{n}" for n in range(60)]
    assert sorted(map(str, sent)) == sorted(map(str, expected))
    assert before <= edges(store)
    assert damage(path) == []
    assert holders(path) == []
