"""The policy for texts at the dbt door."""

from __future__ import annotations

from pathlib import Path

import pytest
from dbt_projects import Write, model, node
from policy_texts import CANARY, STRICT, edges, holders, told

from ingest.dbt.ingesting import ingest_target
from ingest.resolve.resolver import SqlResolver
from lineage_tt import Store

RAW = node("source", "raw_orders", source_name="raw")
STAGED = model(
    "stg_orders", f"select id, '{CANARY}' as w from \"wh\".\"main\".\"raw_orders\" where note = '{CANARY}' -- {CANARY}",
    "source.shop.raw_orders",
)  # fmt: skip


@pytest.mark.parametrize("history", [False, True], ids=["new", "history"])
@pytest.mark.parametrize("policy", STRICT)
def test_models_are_kept_as_the_policy_says(
    write: Write, tmp_path: Path, resolver: SqlResolver, policy: str, history: bool
) -> None:
    """Compiled SQL without its literals; the columns are those of a store that keeps all; a second run adds none."""
    kept, strict = Store.create(tmp_path / "keep"), Store.create(tmp_path / "strict")
    if not history:
        strict.set_text_policy(policy, "a test")
    for store in (kept, strict):
        assert ingest_target(store, write(RAW, STAGED), resolver).accepted == 1
    if history:
        strict.set_text_policy(policy, "a test", history=True, resolver=resolver)

    assert edges(strict) == edges(kept) != set()
    assert CANARY not in told(strict)
    assert holders(tmp_path / "strict") == []
    version = strict.version
    ingest_target(strict, write(RAW, STAGED, at="2026-03-02T00:00:00Z"), resolver)
    assert (strict.version, edges(strict)) == (version, edges(kept))
