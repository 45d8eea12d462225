"""What leaves a store with a policy for texts holds no more than it keeps: commands, events, graphs, deliveries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from policy_texts import CANARY, MESSAGES, STRICT, ingest, made

from ingest.resolve.resolver import SqlResolver
from lineage_tt import Store
from lineage_tt.cli.app import run
from lineage_tt.subscriptions.model import Subscription
from lineage_tt.subscriptions.outbox import Outbox
from lineage_tt.subscriptions.runner import Runner
from lineage_tt.subscriptions.stored import subscribe

COMMANDS = [
    ["log"], ["log", "--format", "json"], ["log", "--task", "edges"], ["tasks", "--format", "json"], ["facts"],
    ["dead-letters", "list"], ["dead-letters", "show", "9"], ["dead-letters", "show", "10"], ["changes"],
    ["changes", "--format", "json"], ["facts", "n:d.o"], ["sql", "SELECT * FROM log"], ["history", "n:b#y"],
    ["history", "n:b#y", "--format", "json"], ["lineage", "n:b#y", "--format", "json"], ["columns", "n:d.o"],
    ["blame", "n:a#x", "n:b#y"], ["lineage", "n:b#y"],
]  # fmt: skip


@pytest.fixture(params=[(policy, history) for policy in STRICT for history in (False, True)],
                ids=lambda each: f"{each[0]}-{'history' if each[1] else 'new'}")  # fmt: skip
def store(tmp_path: Path, request: pytest.FixtureRequest) -> Store:
    """A store that had its policy before the messages, or got it for history after them."""
    policy, history = request.param
    (tmp_path / "in").mkdir()
    store = made(tmp_path, "keep" if history else policy)
    subscribe(store, Subscription("all", deliver="stream"))
    ingest(store, MESSAGES, tmp_path / "in")
    if history:
        with SqlResolver(1) as resolver:
            store.set_text_policy(policy, "a test", history=True, resolver=resolver)
    return store


@pytest.mark.long
def test_no_command_shows_it(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """Tables and JSON, of rows, dead letters, edges and facts."""
    shown = 0
    for words in COMMANDS:
        if run(["--store", str(store.log_path.parent), *words]) == 0:
            shown += 1
        captured = capsys.readouterr()
        assert CANARY not in captured.out + captured.err, words

    assert shown == len(COMMANDS)


@pytest.mark.long
def test_no_subscriber_is_sent_it(store: Store, tmp_path: Path) -> None:
    """Every version that changed something is delivered, without it; the record of the policy concerns nobody."""
    sent: list[Any] = []
    with Outbox(tmp_path / "d.sqlite") as outbox:
        Runner(store, outbox, write=sent.append).run(until_end=True)

    assert len(sent) >= 5
    assert CANARY not in repr(sent)


@pytest.mark.long
def test_no_export_of_the_graph_holds_it(store: Store) -> None:
    """Its labels are those of the log."""
    graph = store.graph()

    assert CANARY not in repr(graph.as_of().edges())
