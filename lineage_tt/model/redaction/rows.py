"""Applies a stricter policy to rows that the log already holds, for ``policy set --history``."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import orjson

from lineage_tt.model.edges import EdgeTuple
from lineage_tt.model.facts import COLUMN, FactChangeTuple, FactTuple
from lineage_tt.model.format import ChangeTuple, LogRow
from lineage_tt.model.messages import DIGEST_BYTES, MaskedText, Problem
from lineage_tt.model.names import is_reserved
from lineage_tt.model.redaction.credentials import mask_credentials, mask_values
from lineage_tt.model.redaction.documents import redacted_bytes, redacted_json
from lineage_tt.model.redaction.messages import digest_of, redacted_edges, text_content, without_quotes
from lineage_tt.model.redaction.policy import TextPolicy
from lineage_tt.model.redaction.texts import (
    DROPPED_TEXT,
    mask_text,
    redacted_expression,
    redacted_value,
    redacted_words,
    text_sha256,
)

_NO_TEXT: Final = MaskedText(None, {})


class Items:
    """Applies a policy to edges and facts, with the same result for equal ones in all rows.

    ``stated`` are the expressions that messages stated; a parser wrote all others.
    """

    def __init__(self, policy: TextPolicy, stated: Collection[str]) -> None:
        self._policy = policy
        self._stated = stated
        self._expressions: dict[str, str] = {"": ""}

    def expression(self, text: str) -> str:
        """Return the text of an expression as the policy keeps it."""
        result = self._expressions.get(text)
        if result is None:
            result = self._expressions[text] = redacted_expression(text, self._policy, given=text in self._stated)
        return result

    def edges(self, edges: Sequence[EdgeTuple]) -> list[EdgeTuple]:
        """Return edges, sorted and distinct."""
        return sorted({(*edge[:4], self.expression(edge[4])) for edge in edges})

    def facts(self, facts: Sequence[FactTuple]) -> list[FactTuple]:
        """Return facts, sorted and distinct; facts of the product itself and facts about columns do not change."""
        return sorted({(node, key, self._value(node, key, value)) for node, key, value in facts})

    def changes(self, changes: Sequence[ChangeTuple]) -> list[ChangeTuple]:
        """Return the changes of edges."""
        return [(*change[:5], self.expression(change[5]), *change[6:]) for change in changes]

    def fact_changes(self, changes: Sequence[FactChangeTuple]) -> list[FactChangeTuple]:
        """Return the changes of facts."""
        return [(sign, node, key, self._value(node, key, value), *span) for sign, node, key, value, *span in changes]  # type: ignore[misc]

    def value(self, text: str) -> str:
        """Return the value of a fact that the product itself did not write."""
        return redacted_value(text, self._policy)

    def _value(self, node: str, key: str, value: str) -> str:
        return value if key == COLUMN or is_reserved(node) else self.value(value)


def redacted_row(
    row: LogRow,
    policy: TextPolicy,
    before: TextPolicy,
    items: Items,
    masked: MaskedText | None = None,
    problems: Sequence[Problem] | None = None,
) -> LogRow:
    """Return a row, written under the policy ``before``, as ``policy`` keeps it; the checksum is not recomputed.

    ``masked`` is its text without literals, and ``problems`` are what a parser reported for that text, if one read it.
    """
    if row.status == "rejected":
        return row if before.strictness >= policy.strictness else _redacted_refusal(row, policy, before)
    stored = row
    row = row._replace(
        edges=items.edges(row.edges),
        changes=items.changes(row.changes),
        facts=items.facts(row.facts or ()),
        fact_changes=items.fact_changes(row.fact_changes or ()),
        reason=redacted_value(row.reason, policy) if row.reason else row.reason,
        attributes=redacted_json(row.attributes, policy),
    )
    if row.kind != "task" or before.strictness >= policy.strictness:
        return row
    text = masked if policy is TextPolicy.MASK and masked is not None else _NO_TEXT
    fields: dict[str, Any] = {
        "sql": mask_credentials(text.sql) if text.sql is not None else None,
        "params": _packed(text.params),
        "problems": problems if problems is not None else list(map(without_quotes, row.problems)),
    }
    if before is TextPolicy.KEEP:
        fields["content_sha256"] = digest_without_literals(stored)
        if stored.sql is not None:
            fields["sql_sha256"] = text_sha256(stored.sql, stored.dialect, policy)
    return row._replace(**fields)


def digest_without_literals(row: LogRow) -> bytes:
    """Return the digest of a task's stored row without literals; see ``says_the_same``."""
    if row.sql_sha256 is None and not any(edge[4] for edge in row.edges):
        return row.content_sha256
    sql = mask_text(row.sql, row.dialect) if row.sql is not None else None
    edges = redacted_edges(row.edges, TextPolicy.MASK) if row.parser is None else None
    return digest_of(text_content(row, sql, orjson.loads(row.params) if row.params else (), edges))


def _redacted_refusal(row: LogRow, policy: TextPolicy, before: TextPolicy) -> LogRow:
    """Return a dead letter; every text in it with a quote is treated as SQL, since it is not known which one was."""
    raw = row.rejected_bytes or b""
    digest = row.content_sha256
    if before is TextPolicy.KEEP:
        masked = redacted_bytes(raw, TextPolicy.MASK)
        if masked != DROPPED_TEXT.encode():
            digest = hashlib.sha256(masked).digest()[:DIGEST_BYTES]
    return row._replace(
        rejected_detail=redacted_words(row.rejected_detail or "", policy),
        rejected_bytes=redacted_bytes(raw, policy, quoted=True),
        content_sha256=digest,
    )


def _packed(params: Mapping[str, str]) -> str | None:
    return orjson.dumps(mask_values(params), option=orjson.OPT_SORT_KEYS).decode() if params else None
