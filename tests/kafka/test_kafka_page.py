"""The page about Kafka does what it says, with a broker."""

from __future__ import annotations

import json
import re
import uuid
from pathlib import Path

from docblocks import run_page

from scripts.broker_lib.server import Broker
from scripts.broker_lib.topics import create_topic, produce

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "kafka.md"


def test_the_page_runs_with_a_broker(broker: Broker, tmp_path: Path) -> None:
    """Its commands, against a topic with two messages, print what the page shows."""
    stem = uuid.uuid4().hex[:8]
    text = re.sub(r"<!-- run with a broker by .*, as (\w+) -->\n```text", r"```\1", PAGE.read_text(encoding="utf-8"))
    text = text.replace("<!-- setup: sample -->\n", "")
    text = text.replace("localhost:9092", broker.address).replace("/tasks", f"/tasks-{stem}")
    text = text.replace("/changes", f"/changes-{stem}").replace("--after 160", "--after 1")
    create_topic(broker.address, f"tasks-{stem}", 3)
    edges = [{"source": "hive:a.x#id", "target": "hive:b.y#id"}, {"source": "hive:a.x#n", "target": "hive:b.y#n"}]
    body = {"task_id": "t", "op": "update"}
    messages = [
        body | {"event_id": "1", "effective_at": "2026-05-01T06:00:00Z", "edges": edges[:1]},
        body | {"event_id": "2", "effective_at": "2026-05-02T06:00:00Z", "edges": edges[1:]},
    ]
    produce(broker.address, f"tasks-{stem}", [(b"t", json.dumps(message).encode()) for message in messages])

    outcomes = run_page(text, tmp_path)

    assert len(outcomes) == 4
    for outcome in outcomes:
        assert not outcome.problem, outcome.problem
        assert outcome.said == outcome.block.lines
