"""Models of answers from the log: beliefs of an edge, the message that put it in force, tasks and their versions."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from lineage_tt.api.http.schemas import Basis, Completeness, EdgeOnly, Instant, PageAnswer, Reason, Strict


class Belief(EdgeOnly):
    """A rectangle: an edge on a valid interval, as believed in a system interval."""

    valid_from: Instant
    valid_to: Instant
    system_from: Instant
    system_to: Instant
    version: int
    closing_version: int | None


class HistoryAnswer(PageAnswer):
    """The answer to ``GET /v1/history``."""

    result: list[Belief]


class Message(BaseModel):
    """A message as stored in the log, without its edges."""

    model_config = ConfigDict(extra="allow")
    version: int
    system_time: Instant
    status: Literal["accepted", "rejected"]
    task_id: str | None
    event_id: str | None
    op: str | None
    effective_at: Instant
    plus: int
    minus: int


class BlamedEdge(EdgeOnly):
    """An edge in force, and the version that put it in force."""

    version: int
    valid_from: Instant
    valid_to: Instant


class BlameLine(Strict):
    """An edge, and the message that put it in force."""

    edge: BlamedEdge
    message: Message


class BlameAnswer(Strict):
    """The answer to ``GET /v1/blame``."""

    basis: Basis
    completeness: Completeness
    result: list[BlameLine]


class Task(BaseModel):
    """A task in force, with the message that put it in force."""

    model_config = ConfigDict(extra="allow")
    task_id: str
    version: int
    op: str
    effective_at: Instant
    event_id: str
    coverage: Literal["complete", "partial", "opaque"] | None
    edges: int
    reasons: list[Reason]


class TasksAnswer(PageAnswer):
    """The answer to ``GET /v1/tasks``."""

    completeness: Completeness
    result: list[Task]


class VersionsAnswer(PageAnswer):
    """The answer to ``GET /v1/tasks/{task_id}/versions``."""

    result: list[Message]
