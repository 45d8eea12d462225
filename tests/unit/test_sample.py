"""What the sample contains: the story that STORY.md tells is in the messages."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import sqlglot
from sqlglot.errors import SqlglotError

from lineage_tt import sample

ROOT = Path(__file__).resolve().parents[2]
FIELDS = {
    *("event_id", "task_id", "op", "effective_at", "recorded_at", "source_version", "dialect", "namespace"),
    *("default_database", "target", "sql", "edges", "params", "retracts", "actor", "reason"),
}


@pytest.fixture(scope="module")
def messages() -> list[dict[str, Any]]:
    """The messages of the sample, in order."""
    return [json.loads(line) for line in sample.messages().read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def by_event(messages: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The messages by event id, the first of each."""
    return {message["event_id"]: message for message in reversed(messages)}


def instant(text: str) -> datetime:
    """Return an instant with zone in UTC."""
    moment = datetime.fromisoformat(text)
    assert moment.tzinfo is not None, text
    return moment.astimezone(UTC)


def make_sample() -> ModuleType:
    """Return scripts/make-sample as a module."""
    loader = SourceFileLoader("make_sample", str(ROOT / "scripts" / "make-sample"))
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def test_the_file_is_what_the_story_makes(messages: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    """retail.jsonl and governance.jsonl hold the messages that scripts/make-sample reads from the story files."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    module = make_sample()
    story = module.Story()
    july = [json.loads(line) for line in sample.governance_messages().read_text(encoding="utf-8").splitlines()]
    folder = Path(sample.__file__).parent / "story"
    for path in (*sorted(folder.glob("*.story")), *sorted(folder.glob("governance/*.story"))):
        for header, lines in module.blocks(path.read_text(encoding="utf-8")):
            story.tell(header, lines)

    assert july
    assert story.messages == [*messages, *july]


def test_story_says_how_many_there_are(messages: list[dict[str, Any]]) -> None:
    """STORY.md gives the number of messages and tasks, and the first and the last day."""
    text = Path(sample.__file__).with_name("STORY.md").read_text(encoding="utf-8")
    match = re.search(r"(\d+) messages of (\d+) tasks, recorded from (\S+) to (\S+)\.", text)
    tasks = {message["task_id"] for message in messages}

    assert match
    assert match.groups() == (
        str(len(messages)),
        str(len(tasks)),
        messages[0]["recorded_at"][:10],
        messages[-1]["recorded_at"][:10],
    )


def test_only_native_fields(messages: list[dict[str, Any]]) -> None:
    """Every message has the fields of the native format, and says what its op needs."""
    for message in messages:
        assert message.keys() <= FIELDS, message["event_id"]
        assert ("effective_at" in message) == (message["op"] != "retract"), message["event_id"]
        assert ("retracts" in message) == (message["op"] == "retract"), message["event_id"]
        assert len({"sql", "edges"} & message.keys()) == (message["op"] in ("online", "update")), message["event_id"]


def test_in_order_of_recorded_at(messages: list[dict[str, Any]]) -> None:
    """The messages lie in the order in which they were recorded, so that they can be imported as a history."""
    recorded = [instant(message["recorded_at"]) for message in messages]

    assert sorted(recorded) == recorded


def test_all_kinds_of_operation(messages: list[dict[str, Any]]) -> None:
    """Online, update, offline and retract, SQL in two dialects and explicit edges, tables and columns all occur."""
    assert {message["op"] for message in messages} == {"online", "update", "offline", "retract"}
    assert {message.get("dialect") for message in messages} == {"hive", "spark", None}
    ends = [edge["source"] for message in messages for edge in message.get("edges", ())]
    assert {"#" in end for end in ends} == {True, False}
    assert any("target" in message for message in messages)


def test_one_text_does_not_parse(messages: list[dict[str, Any]]) -> None:
    """Every SQL text parses in its dialect, but for the one that the story tells of."""
    broken = set()
    for message in messages:
        if "sql" in message:
            try:
                sqlglot.parse(message["sql"], read=message["dialect"])
            except SqlglotError:
                broken.add(message["event_id"])

    assert broken == {"dws_coupon_effect-2"}


def test_the_texts_differ(messages: list[dict[str, Any]]) -> None:
    """The sample is not a set of copies: the texts of the tasks that go online are all different."""
    texts = [message["sql"] for message in messages if message["op"] == "online" and "sql" in message]

    assert len(set(texts)) == len(texts) > 45


@pytest.mark.parametrize(
    "pattern",
    [
        r"^FROM [\s\S]*INSERT OVERWRITE[\s\S]*INSERT OVERWRITE",
        r"CREATE (OR REPLACE )?TABLE \S+ [\w ]*AS\s",
        r"CREATE (OR REPLACE )?VIEW",
        r"MERGE INTO",
        r"PARTITION \((country, )?dt\)",
        r"\w\.\*",
        r"LATERAL VIEW explode",
        r"GROUPING SETS",
        r"OVER \(PARTITION BY",
        r"PIVOT \(",
        r"TRANSFORM \(",
        r"UNION ALL",
        r"LEFT SEMI JOIN",
        r"EXISTS \(SELECT",
        r"CHANGE COLUMN",
    ],
)
def test_statements_of_many_kinds(messages: list[dict[str, Any]], pattern: str) -> None:
    """The SQL holds the statements that warehouses hold."""
    assert any(re.search(pattern, message.get("sql", ""), re.MULTILINE) for message in messages)


def test_duplicate_and_conflicting_delivery(messages: list[dict[str, Any]]) -> None:
    """One event is delivered twice with the same content, one with other content."""
    deliveries = defaultdict(list)
    for message in messages:
        content = {key: value for key, value in message.items() if key != "recorded_at"}
        deliveries[message["event_id"]].append(json.dumps(content, sort_keys=True))
    twice = {event: len(set(contents)) for event, contents in deliveries.items() if len(contents) > 1}

    assert twice == {"dwd_payments-2": 1, "dws_campaign_visits-2": 2}


def test_one_time_has_no_zone(messages: list[dict[str, Any]]) -> None:
    """One message cannot be accepted: its effective_at has no zone; the same content comes again with one."""
    bare = [m for m in messages if "effective_at" in m and datetime.fromisoformat(m["effective_at"]).tzinfo is None]

    assert [message["event_id"] for message in bare] == ["dws_funnel_daily-2"]
    assert sum(message.get("sql") == bare[0]["sql"] for message in messages) == 2


def test_late_correction_between_two_versions(by_event: dict[str, dict[str, Any]]) -> None:
    """The hotfix of the revenue job was recorded after, and is effective before, a version already known."""
    before, after, late = (by_event[f"dws_revenue_daily-{n}"] for n in (2, 3, 4))

    assert instant(before["effective_at"]) < instant(late["effective_at"]) < instant(after["effective_at"])
    assert instant(late["recorded_at"]) > instant(after["recorded_at"])
    assert instant(late["recorded_at"]) - instant(late["effective_at"]) > timedelta(days=21)
    assert "FROM ods.payments" in late["sql"]


def test_correction_at_the_same_effective_at(by_event: dict[str, dict[str, Any]]) -> None:
    """The shipments' wrong file and its correction are effective at one instant and were recorded two days apart."""
    wrong, right = by_event["dwd_shipments-2"], by_event["dwd_shipments-3"]

    assert wrong["effective_at"] == right["effective_at"]
    assert instant(right["recorded_at"]) - instant(wrong["recorded_at"]) > timedelta(days=2)


def test_source_version_against_order_of_arrival(by_event: dict[str, dict[str, Any]]) -> None:
    """Of two messages with one effective_at the greater source_version arrives first."""
    first, second = by_event["dws_store_ranking-2"], by_event["dws_store_ranking-3"]

    assert first["effective_at"] == second["effective_at"]
    assert instant(first["recorded_at"]) < instant(second["recorded_at"])
    assert (first["source_version"], second["source_version"]) == (3, 2)


def test_retracts(messages: list[dict[str, Any]], by_event: dict[str, dict[str, Any]]) -> None:
    """Messages are withdrawn for good or said again; one withdrawal is withdrawn, one names what was never sent."""
    retracts = {m["event_id"]: m["retracts"] for m in messages if m["op"] == "retract"}
    unknown = {event for event in retracts.values() if event not in by_event}

    assert unknown == {"dwd_payment-2"}
    assert set(retracts.values()) & set(retracts) == {"dwd_inventory_daily-3"}
    assert by_event["dws_customer_segments-3"]["sql"] == by_event["dws_customer_segments-5"]["sql"]
    assert by_event["dws_customer_segments-3"]["effective_at"] != by_event["dws_customer_segments-5"]["effective_at"]
    assert all(by_event[e]["task_id"] == by_event[r]["task_id"] for r, e in retracts.items() if e not in unknown)


def test_leak_of_eleven_days(by_event: dict[str, dict[str, Any]]) -> None:
    """The customer's address is on the board from 1 to 12 June, to the second."""
    leak, mended = by_event["ads_top_customers-2"], by_event["ads_top_customers-3"]

    assert "c.email" in leak["sql"]
    assert instant(mended["effective_at"]) - instant(leak["effective_at"]) == timedelta(days=11)
    assert mended["sql"] == by_event["ads_top_customers-1"]["sql"]


def test_rename_and_its_followers(messages: list[dict[str, Any]], by_event: dict[str, dict[str, Any]]) -> None:
    """A column is renamed on 4 May; its readers follow on later days, one of them without a changed letter."""
    renamed = instant(by_event["dwd_orders-2"]["effective_at"])
    followers = [m for m in messages if "follows the rename" in m.get("reason", "")]

    assert len({m["task_id"] for m in followers}) == 4
    assert all(timedelta(0) < instant(m["effective_at"]) - renamed < timedelta(days=10) for m in followers)
    assert by_event["dws_order_wide-2"]["sql"] == by_event["dws_order_wide-1"]["sql"]


def test_tasks_go_offline_and_one_comes_back(messages: list[dict[str, Any]]) -> None:
    """One task goes offline for good, one comes back, one is planned to go."""
    ops = defaultdict(list)
    for message in messages:
        ops[message["task_id"]].append(message["op"])
    offline = {task: said[said.index("offline") + 1 :] for task, said in ops.items() if "offline" in said}

    assert offline == {"ads_stock_alerts": ["online"], "dws_basket_pairs": [], "board_58": []}


def test_plans_lie_behind_the_last_message(messages: list[dict[str, Any]]) -> None:
    """Several changes are effective a month or more after the last message was recorded, or in the weeks between."""
    end = instant(messages[-1]["recorded_at"])
    planned = [m for m in messages if m["op"] != "retract" and m["effective_at"][:10] > "2026-07-01"]

    assert len(planned) == 5
    assert max(instant(m["effective_at"]) for m in planned) - end > timedelta(days=30)


def test_versions_within_one_second(messages: list[dict[str, Any]]) -> None:
    """One task says three things within one second, and twelve tasks go online in one commit of the platform."""
    seconds = Counter((m["task_id"], m["recorded_at"][:19]) for m in messages)
    commits = Counter(m["recorded_at"] for m in messages)

    assert [key for key, count in seconds.items() if count > 1] == [("dwd_sessions", "2026-06-09T10:15:22")]
    assert commits.most_common(1)[0][1] == 12


def test_edits_that_change_no_word(by_event: dict[str, dict[str, Any]]) -> None:
    """A comment and a formatter's layout leave the statements as they were."""
    for task, old, new in (("dwd_refunds", 1, 2), ("dws_sales_daily", 1, 2), ("dwd_fx", 2, 3)):
        texts = [
            [s.sql("hive", comments=False) for s in sqlglot.parse(by_event[f"{task}-{n}"]["sql"], read="hive") if s]
            for n in (old, new)
        ]

        assert texts[0] == texts[1], task
