"""The outcome of messages and events that were sent: a receipt for each."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from lineage_tt.api.http.schemas import Strict


class ReceiptProblem(Strict):
    """Why the coverage of an accepted message is not complete, or which of its fields had no effect."""

    code: str
    detail: str


class Receipt(Strict):
    """The outcome of a message; ``version`` is the version that it became, or the version that it repeats.

    ``superseded_by`` is present if the message was accepted without effect: it is the version that stays in force.
    ``coverage`` is present if it is not complete. ``problems`` is present if it has reasons for that, or if the message
    has an unknown field that resembles a known one.
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
    notes: Annotated[list[str], Field(description="On what people state: for example names that no message names.")] = (
        Field(default_factory=list)
    )


class ReceiptsBasis(Strict):
    """The version that the service has reached."""

    valid_at: None
    version: int


class Receipts(Strict):
    """The answer to ``POST /v1/messages`` and to what people state."""

    basis: ReceiptsBasis
    result: ReceiptsResult


class EventReceipt(Strict):
    """The outcome of an event; ``code`` and ``detail`` state why it was rejected, or which part has no effect."""

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
    """The answer to ``POST /v1/openlineage`` and ``POST /v1/trino``."""

    basis: ReceiptsBasis
    result: EventReceiptsResult
