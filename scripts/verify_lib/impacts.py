"""Prediction against history: each update and offline predicted from the state before it, compared with its row."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import astuple
from typing import Any, NamedTuple

from ingest.resolve.comparing import SqlAnalyst
from lineage_tt.feed.changes import net
from lineage_tt.impact.assess import assess
from lineage_tt.impact.base.from_store import StoreBase
from lineage_tt.impact.policy import Policy
from lineage_tt.impact.release.candidates import Candidate
from lineage_tt.model.answers import Basis
from lineage_tt.store import Store
from verify_lib.tally import Tally

_ROWS = """
    SELECT version, task_id, op, epoch_us(effective_at), sql, dialect, namespace, default_database, target, params,
        changes.list_transform(lambda c: (c.sign, c.source, c.target, c.type, c.subtype, c.expression,
            epoch_us(c.valid_from), epoch_us(c.valid_to)))
    FROM log WHERE status = 'accepted' AND op IN ('update', 'offline') AND derived_from IS NULL ORDER BY version
"""


class Sent(NamedTuple):
    """A message of the history, and the signed changes that the store recorded for it."""

    version: int
    task_id: str
    op: str
    effective_at: int
    sql: str | None
    dialect: str | None
    namespace: str | None
    default_database: str | None
    target: str | None
    params: str | None
    changes: list[Any]


def sent(store: Store) -> Iterator[Sent]:
    """Yield the updates and offlines of a store, in order."""
    yield from (Sent(*row) for row in store.fetch(_ROWS))


def verify_predictions(store: Store, chosen: list[Sent], tally: Tally, say: Any) -> Counter[str]:
    """Predict each message from the version before it; compare the signed changes, edge for edge."""
    classes: Counter[str] = Counter()
    with SqlAnalyst() as analyst:
        for done, message in enumerate(chosen, 1):
            before = store.basis(message.effective_at, version=message.version - 1)
            base = StoreBase(store, before)
            report = assess([_candidate(message)], base, analyst, Policy())
            base.close()
            predicted = {astuple(edge) for edge in report.tasks[0].predicted}
            tally.compare(f"{message.op}s predicted", _where(message, before), set(net(message.changes)), predicted)
            classes[report.verdict] += 1
            if done % 500 == 0:
                say(f"{done:,} of {len(chosen):,}: {len(tally.different)} different")
    return classes


def _where(message: Sent, before: Basis) -> str:
    return f"of {message.task_id} (version {message.version}) from version {before.version}"


def _candidate(message: Sent) -> Candidate:
    if message.op == "offline":
        return Candidate(message.task_id, "offline")
    return Candidate(
        message.task_id,
        sql=message.sql or "",
        dialect=message.dialect,
        namespace=message.namespace,
        default_database=message.default_database,
        target=message.target,
        params=json.loads(message.params) if message.params else {},
    )
