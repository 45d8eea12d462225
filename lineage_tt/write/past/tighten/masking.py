"""Masks the literals in the texts of stored rows: with the resolver that parses new messages, or without a parser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import orjson

from lineage_tt.model.format import LogRow
from lineage_tt.model.messages import MaskedText, Problem, Resolver, TaskChange
from lineage_tt.model.redaction.credentials import mask_credentials
from lineage_tt.model.redaction.policy import TextPolicy
from lineage_tt.model.redaction.texts import MASK, mask_text
from lineage_tt.write.catalog.catalog import Catalog
from lineage_tt.write.catalog.lineages import Redacting
from lineage_tt.write.past import history

if TYPE_CHECKING:
    from lineage_tt.log.log import Log
    from lineage_tt.write.past.tighten.files import Masker


def masker(log: Log, resolver: Resolver | None) -> Masker:
    """Return the masker for the texts of a log's rows; a resolver checks that each text keeps its meaning."""
    if resolver is None or not isinstance(resolver, Redacting):
        return _by_signs
    catalog = Catalog()
    past = history.load(log)
    for dataset, entry in past.declared:
        catalog.declare(dataset, entry)
    for version in past.withdrawn - past.restored:
        catalog.withdraw(version)

    def mask(rows: Sequence[LogRow]) -> Mapping[int, tuple[MaskedText | None, Sequence[Problem] | None]]:
        resolver.policy = TextPolicy.MASK
        parsed = [row for row in rows if row.parser is not None]
        lineages = resolver([(_statement(row), catalog.at(row.effective_at or 0)) for row in parsed])
        result = {}
        for row, lineage in zip(parsed, lineages, strict=True):
            same = [(p.code, p.subject) for p in lineage.problems] == [(p.code, p.subject) for p in row.problems]
            masked = lineage.masked
            quiet = same and masked is not None and masked.sql is not None
            result[row.version] = masked, list(lineage.problems) if quiet else None
        return result

    return mask


def _statement(row: LogRow) -> TaskChange:
    params = orjson.loads(row.params) if row.params else {}
    return TaskChange(
        row.event_id or "", row.task_id or "", "update", row.effective_at, sql=row.sql, dialect=row.dialect,
        namespace=row.namespace, default_database=row.default_database, target=row.target, params=params,
    )  # fmt: skip


def _by_signs(rows: Sequence[LogRow]) -> Mapping[int, tuple[MaskedText | None, Sequence[Problem] | None]]:
    return {row.version: (_masked(row), None) for row in rows if row.sql is not None}


def _masked(row: LogRow) -> MaskedText:
    params = dict.fromkeys(orjson.loads(row.params), MASK) if row.params else {}
    return MaskedText(mask_text(mask_credentials(row.sql or ""), row.dialect), params)
