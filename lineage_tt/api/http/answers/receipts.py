"""The outcome of messages and events that were sent: a receipt for each."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from lineage_tt.api.http.schemas import Strict


class ReceiptProblem(Strict):
    """Why the lineage of an accepted message is not complete, or which of its fields had no effect."""

    code: str
    detail: str


class Receipt(Strict):
    """The version that a message became, or the one it repeats.

    ``superseded_by`` is present where it was accepted and had no effect: the version that stays in force in its place.
    ``coverage`` is present where its lineage is not complete, ``problems`` where there is a reason for that, or a field
    that is not known and resembles one that is.
    """

    status: Literal["accepted", "rejected", "duplicate"]
    version: int
    changes: int
    event_id: str | None
    task_id: str | None
    code: str | None
    detail: str | None
    superseded_by: int | None = None
    coverage: Literal["partial", "opaque"] | None = None
    problems: list[ReceiptProblem] = Field(default_factory=list)


class ReceiptsResult(Strict):
    """A receipt for each message, in order."""

    messages: int
    accepted: int
    rejected: int
    duplicate: int
    receipts: list[Receipt]
    notes: Annotated[list[str], Field(description="Of what people state: which names nothing else names so far.")] = (
        Field(default_factory=list)
    )


class ReceiptsBasis(Strict):
    """The version that the service answers from now."""

    valid_at: None
    version: int


class Receipts(Strict):
    """The answer of ``POST /v1/messages``."""

    basis: ReceiptsBasis
    result: ReceiptsResult


class EventReceipt(Strict):
    """The outcome of one event; ``code`` and ``detail`` say why one was rejected, or what of it has no effect."""

    status: Literal["accepted", "rejected", "duplicate"]
    code: str | None
    detail: str | None


class EventReceiptsResult(Strict):
    """A receipt for each event, in order."""

    events: int
    accepted: int
    rejected: int
    duplicate: int
    receipts: list[EventReceipt]


class EventReceipts(Strict):
    """The answer of ``POST /v1/openlineage``."""

    basis: ReceiptsBasis
    result: EventReceiptsResult
