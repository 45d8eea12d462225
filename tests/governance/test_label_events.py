"""``lineage.labels.changed``: one event for each version that changed labels, the same wherever it is made."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import forked
import pytest
from labelstories import BOARD, DAYS, USERS, chain, governed, label, made, state
from reference.labels import spread
from rounds import rounds

from lineage_tt import Store
from lineage_tt.events import LABELS_CLASS, entry_in, event_of
from lineage_tt.feed.parts import Sequencer, split
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.times import parse_instant
from lineage_tt.subscriptions.model import Subscription
from lineage_tt.subscriptions.outbox import Outbox
from lineage_tt.subscriptions.runner import Runner
from lineage_tt.subscriptions.sending.webhook import slack_message
from lineage_tt.subscriptions.stored import subscribe
from lineage_tt.testing import ManualClock, task_change


@pytest.mark.parametrize("seed", range(rounds(12)))
def test_events_added_up_are_the_labels_of_the_reference(tmp_path: Path, seed: int) -> None:
    """Where all takes effect at one time, the events up to a version give exactly the model's labels there."""
    dice = random.Random(seed)
    store = Store.create(tmp_path, clock=ManualClock(DAYS[6]))
    nodes = [f"db:t{n // 2}#c{n % 2}" for n in range(10)]
    tasks: dict[str, list[tuple[str, str]]] = {}
    stated: dict[str, list[str]] = {}
    for number in range(25):
        if dice.random() < 0.4:
            node = dice.choice(nodes)
            stated[node] = dice.sample(["pii", "gdpr"], dice.randint(0, 2))
            label(store, node, *stated[node])
        else:
            task = f"t{dice.randrange(5)}"
            tasks[task] = [(dice.choice(nodes), dice.choice(nodes)) for _ in range(dice.randint(1, 3))]
            store.append([task_change(task, "update", DAYS[0], tasks[task], event_id=f"e{number}")])

    have: dict[str, set[str]] = {}
    for event in made(store):
        for change in event["data"]["changes"]:
            if change["valid_at"] == DAYS[0]:
                assert have.get(change["node"], set()) == set(change["before"])
                have[change["node"]] = set(change["after"])

    named = {end for edges in tasks.values() for edge in edges for end in edge} | {n for n, s in stated.items() if s}
    expected = spread({edge for edges in tasks.values() for edge in edges}, stated, [])
    assert {n: s for n, s in have.items() if s} == {n: s for n, s in expected.items() if s and n in named}


def test_an_event_is_made_of_the_event_of_changes_too(tmp_path: Path) -> None:
    """What the service makes of an event's bytes is what the log's entry gives."""
    store = chain(tmp_path)
    label(store, USERS, "pii")
    feed = governed(store).label_feed(store.id)

    for entry in store.changes():
        assert feed.event(entry_in(event_of(entry, store.id))) == feed.event(entry)


def test_a_long_event_is_cut_and_readers_of_changes_pass_it_over(tmp_path: Path) -> None:
    """Parts hold all changes once, each with an id of its own; who adds up changes is not disturbed."""
    store = chain(tmp_path)
    store.append([task_change("wide", "online", DAYS[0], [(USERS, f"db:wide#c{n}") for n in range(300)])])
    label(store, USERS, "pii")
    (event,) = made(store)

    parts = split(event, 8_000)

    assert len(parts) > 3
    assert [c for part in parts for c in part["data"]["changes"]] == event["data"]["changes"]
    assert len({part["id"] for part in parts}) == len(parts)
    assert list(Sequencer().take(event)) == []


def test_a_subscription_hears_of_derived_labels(tmp_path: Path) -> None:
    """It gets the changes of its nodes and labels and no others; without rules it is skipped and keeps its place."""
    store = chain(tmp_path)
    subscribe(store, Subscription("boards", datasets=("bi:*",), labels=("pii",), classes=(LABELS_CLASS,)))
    subscribe(store, Subscription("all", datasets=("bi:*",)))
    label(store, USERS, "pii", "other")
    state(store, BOARD, ("owner", ["mei"]), DAYS[0])
    lines: list[dict[str, Any]] = []
    skipped: list[str] = []

    with Outbox(tmp_path / "outbox.sqlite") as outbox:
        options: dict[str, Any] = {"write": lambda line: lines.append(json.loads(line))}
        Runner(store, outbox, skipped=lambda name, why: skipped.append(name), **options).run(until_end=True)
        feed = governed(store).label_feed(store.id)
        Runner(store, outbox, label_events=lambda e: filter(None, [feed.event(e)]), **options).run(until_end=True)

    assert skipped == ["boards"]
    (event,) = [line for line in lines if line["subscription"] == "boards"]
    assert [(c["node"], c["gained"]) for c in event["data"]["changes"]] == [(BOARD, ["other", "pii"])]
    assert [line["data"]["facts"][0]["key"] for line in lines if line["subscription"] == "all"] == ["owner"]
    assert "labels: +other +pii" in slack_message(event, "boards")["blocks"][0]["text"]["text"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"classes": (LABELS_CLASS, "edge-added")},
        {"classes": (LABELS_CLASS,), "upstream_of": (BOARD,)},
        {"classes": (LABELS_CLASS,), "deliver": "kafka://host:9092/topic"},
    ],
)
def test_a_subscription_to_labels_is_of_nothing_else(wrong: dict[str, Any]) -> None:
    """Other classes, closures and a topic of its own are rejected with what to do."""
    with pytest.raises(InvalidRequestError) as caught:
        Subscription("s", **wrong).checked()
    assert caught.value.hint


def test_the_command_shows_labels_beside_changes(tmp_path: Path) -> None:
    """``changes --labels`` adds lines, a key or events, under the rules given; alone its options are errors."""
    store = chain(tmp_path)
    label(store, USERS, "pii")
    rules = tmp_path / "rules.toml"
    rules.write_text('[labels]\nonly = ["none"]\n[labels.scenes.open]\nonly = []\n', encoding="utf-8")

    def run(*words: str) -> tuple[int, str]:
        done = forked.run(["--store", str(tmp_path / "s"), "changes", "--after", "3", *words])
        return done.returncode, done.stdout.decode()

    open_rules = ("--labels", "--rules", str(rules), "--scene", "open")
    assert f"  labels of {BOARD}: +pii, at {DAYS[0]}" in run(*open_rules)[1]
    assert len(json.loads(run(*open_rules, "--format", "json")[1])["labels_changed"]) == 3
    events = [json.loads(line) for line in run(*open_rules, "--format", "events")[1].splitlines()]
    assert [event["data"]["classes"] for event in events] == [["label-changed"], [LABELS_CLASS]]
    assert f"labels of {BOARD}" not in run("--labels", "--rules", str(rules))[1]
    assert run("--scene", "open")[0] == 2
    assert parse_instant(events[0]["time"]) == parse_instant(events[1]["time"])
