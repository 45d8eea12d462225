"""Applies the store's policy to messages, and computes the digests that tell two messages apart."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

import orjson

from lineage_tt.model.edges import EdgeTuple
from lineage_tt.model.facts import COLUMN, FactTuple
from lineage_tt.model.messages import DIGEST_BYTES, Change, Lineage, NodeChange, Problem, TaskChange, content_digest
from lineage_tt.model.names import is_reserved
from lineage_tt.model.redaction.credentials import mask_credentials
from lineage_tt.model.redaction.documents import redacted_json
from lineage_tt.model.redaction.policy import TextPolicy
from lineage_tt.model.redaction.texts import mask_text, redacted_expression, redacted_value

AnyChange = TypeVar("AnyChange", bound=TaskChange | NodeChange)


def redacted_change(message: AnyChange, policy: TextPolicy) -> AnyChange:
    """Return a message with only the words, facts and given edges that the policy keeps; its SQL stays, to be parsed.

    Facts of reserved nodes do not change, since the product itself writes them.
    """
    if policy is TextPolicy.KEEP:
        return message
    fields: dict[str, Any] = {
        "reason": redacted_value(message.reason, policy) if message.reason else message.reason,
        "attributes": redacted_json(message.attributes, policy),
        "facts": redacted_facts(message.facts, policy),
    }
    if isinstance(message, TaskChange) and message.lineage is not None:
        edges, problems = redacted_edges(message.lineage.edges, policy), map(without_quotes, message.lineage.problems)
        fields["lineage"] = replace(message.lineage, edges=edges, problems=list(problems), ordered=True)
    return replace(message, **fields)


def redacted_facts(facts: Sequence[FactTuple], policy: TextPolicy) -> Sequence[FactTuple]:
    """Return facts with the values that the policy keeps."""
    if policy is TextPolicy.KEEP:
        return facts
    return [fact if _is_own(fact) else (*fact[:2], redacted_value(fact[2], policy)) for fact in facts]


def _is_own(fact: FactTuple) -> bool:
    return fact[1] == COLUMN or is_reserved(fact[0])


def redacted_edges(edges: Sequence[EdgeTuple], policy: TextPolicy, *, given: bool = True) -> list[EdgeTuple]:
    """Return edges, sorted and distinct, with the expressions that the policy keeps."""
    return sorted({(*edge[:4], redacted_expression(edge[4], policy, given=given)) for edge in edges})


def redacted_lineage(lineage: Lineage, policy: TextPolicy) -> Lineage:
    """Return a parser's result as the policy keeps it. If the text was not masked, its problems lose what they quote.

    The lineage of a masked text quotes nothing.
    """
    if policy is TextPolicy.KEEP:
        return lineage
    problems = lineage.problems
    if lineage.masked is None or lineage.masked.sql is None:
        problems = [without_quotes(problem) for problem in problems]
    edges = lineage.edges
    if policy is TextPolicy.DROP:
        edges = redacted_edges(lineage.edges, policy, given=False)
    return replace(lineage, edges=edges, problems=problems, ordered=lineage.ordered or edges is not lineage.edges)


def without_quotes(problem: Problem) -> Problem:
    """Return a problem without what its words quote from a text that was not masked."""
    if problem.code in _OWN_WORDS:
        return problem
    return problem._replace(detail=mask_text(problem.detail, "ansi"))


#: Problems whose words quote nothing.
_OWN_WORDS: Final = ("timeout", "worker-died", "crash", "too-large", "too-nested", "too-many-tokens", "text-dropped")


# --- digests ----------------------------------------------------------------------------------------------------------


def digest_for(message: Change, policy: TextPolicy) -> bytes:
    """Return the digest of a message as the log holds it; where the text is not kept, literals do not count."""
    if policy is not TextPolicy.KEEP and isinstance(message, TaskChange) and _holds_text(message):
        return _masked_digests(message)[0]
    return message.digest or content_digest(message)


def says_the_same(message: Change, digest: bytes) -> bool:
    """Return whether a message is the one that the log holds under a digest, whatever the policy was then or is now.

    Where a text is not kept, its literals do not count; where its row was tightened, owners and labels do not either.
    """
    if digest == (message.digest or content_digest(message)):
        return True
    return isinstance(message, TaskChange) and _holds_text(message) and digest in _masked_digests(message)


def _holds_text(message: TaskChange) -> bool:
    return message.sql is not None or (message.lineage is not None and any(edge[4] for edge in message.lineage.edges))


def _masked_digests(message: TaskChange) -> tuple[bytes, bytes]:
    """Return two digests of a message without literals: one with its facts, and one of what its row alone holds."""
    sql = mask_text(mask_credentials(message.sql), message.dialect) if message.sql is not None else None
    edges = redacted_edges(message.lineage.edges, TextPolicy.MASK) if message.lineage is not None else None
    content = text_content(message, sql, message.params, edges)
    return digest_of([*content, sorted(message.facts), sorted(message.cleared)]), digest_of(content)


def text_content(
    message: Any, sql: str | None, params: Iterable[str], edges: Sequence[EdgeTuple] | None
) -> list[object]:
    """Return what a message, or its row, says apart from facts; its text and given edges come without literals.

    Only the names of the text's variables count, not their values.
    """
    return [
        message.op, message.effective_at, message.source_version, message.retracts, sql, message.dialect,
        message.namespace, message.default_database, message.target, sorted(params), edges,
    ]  # fmt: skip


def digest_of(content: Sequence[object]) -> bytes:
    """Return the digest of what a message says without literals."""
    return hashlib.sha256(orjson.dumps(["without literals", *content], default=list)).digest()[:DIGEST_BYTES]
