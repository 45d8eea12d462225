"""The policy for texts at the OpenLineage door: the log, and the journal beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from policy_texts import CANARY, STRICT, holders, told
from run_events import HOUR, START, Event, columns_of, dataset, event, pairs, take

from ingest.events.intake import EventIntake
from ingest.resolve.resolver import SqlResolver
from lineage_tt import Store

PG = "postgres://host:5432"


def events() -> list[Event]:
    """Runs with SQL, with expressions, with a plan, and one event that is refused; each with a literal."""
    sql = {"sql": {"query": f"INSERT INTO sales SELECT id, amount FROM orders WHERE note = '{CANARY}' -- {CANARY}"}}
    fields = columns_of(y=["a.x"])
    fields["fields"]["y"]["inputFields"][0]["transformations"] = [
        {"type": "DIRECT", "subtype": "TRANSFORMATION", "description": f"select '{CANARY}'", "masking": False},
        {"type": "INDIRECT", "subtype": "FILTER", "description": f"note = '{CANARY}'"},
    ]
    tables = {
        "inputs": [{"namespace": PG, "name": "shop.public.orders",
                    "facets": {"schema": {"fields": [{"name": "id"}, {"name": "amount"}]}}}],
        "outputs": [{"namespace": PG, "name": "shop.public.sales", "facets": {}}],
    }  # fmt: skip
    checks = {"assertions": [{"assertion": f"expression x <> '{CANARY}'", "column": "x", "success": False}]}
    plan: dict[str, Any] = {"spark.logicalPlan": {"plan": [{"class": "Literal", "value": CANARY}]}}
    return [
        event("START", START, "with-sql", job_facets=sql, run_facets=plan, **tables),  # type: ignore[arg-type]
        event("COMPLETE", START + HOUR, "with-sql", job_facets=sql, **tables),  # type: ignore[arg-type]
        event("COMPLETE", START, "with-columns", "r2", inputs=[dataset("a", dataQualityAssertions=checks)],
              outputs=[dataset("b", columnLineage=fields)]),
        {"eventTime": "yesterday", "job": {"facets": {"sql": {"query": f"select '{CANARY}'"}}}},
    ]  # fmt: skip


@pytest.mark.parametrize("policy", STRICT)
def test_events_are_kept_as_the_policy_says(tmp_path: Path, policy: str) -> None:
    """Neither the store nor its journal hold a literal; the edges are those of a store that keeps all."""
    take(tmp_path / "keep", events())
    Store.create(tmp_path / "strict").set_text_policy(policy, "a test")

    take(tmp_path / "strict", events())

    assert pairs(tmp_path / "strict") == pairs(tmp_path / "keep") != set()
    assert CANARY in told(Store.open(tmp_path / "keep"))
    assert CANARY not in told(Store.open(tmp_path / "strict"))
    assert holders(tmp_path / "strict") == []
    if policy == "drop-text":
        assert holders(tmp_path / "strict", "INSERT INTO sales") == []


@pytest.mark.parametrize("policy", STRICT)
def test_a_journal_of_a_store_that_is_tightened(tmp_path: Path, policy: str) -> None:
    """It is rewritten when it is opened next, wherever it is; what comes twice is in it once, and makes no version."""
    state = tmp_path / "state"
    store = Store.create(tmp_path / "store")

    def sent(*given: Event) -> None:
        with EventIntake(store, workers=0, state=state) as intake:
            intake.take([intake.read(json.dumps(each).encode()) for each in given])
            intake.settle()

    sent(*events()[:3])
    before, version = pairs(tmp_path / "store"), store.version
    assert holders(state) != []
    with SqlResolver(1) as resolver:
        store.set_text_policy(policy, "the audit", history=True, resolver=resolver)
    assert holders(tmp_path / "store") == []

    sent(*events()[:3])

    assert holders(state) == []
    assert (pairs(tmp_path / "store"), store.refresh()) == (before, version + 2)
