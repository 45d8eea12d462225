"""What became of messages and events that were sent: a receipt for each."""

from __future__ import annotations

from typing import Literal

from lineage_tt.api.http.schemas import Strict


class Receipt(Strict):
    """What became of a message: the version it became, or the one it repeats.

    ``superseded_by`` stands where it was accepted and had no effect: the version that stays in force in its place.
    """

    status: Literal["accepted", "rejected", "duplicate"]
    version: int
    changes: int
    event_id: str | None
    task_id: str | None
    code: str | None
    detail: str | None
    superseded_by: int | None = None


class ReceiptsResult(Strict):
    """A receipt for each message, in order."""

    messages: int
    accepted: int
    rejected: int
    duplicate: int
    receipts: list[Receipt]


class ReceiptsBasis(Strict):
    """The version that the service answers from now."""

    valid_at: None
    version: int


class Receipts(Strict):
    """The answer of ``POST /v1/messages``."""

    basis: ReceiptsBasis
    result: ReceiptsResult


class EventReceipt(Strict):
    """What became of one event; ``code`` and ``detail`` say why one was rejected."""

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
