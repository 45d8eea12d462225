"""Errors: one base class, and a few kinds that say what the caller can do next.

=================  ======================================================  ====
kind               what to do                                              exit
=================  ======================================================  ====
invalid request    fix the call                                             2
conflict           another writer won; read again and retry                3
unavailable        disk full, no permission, limits: free it, then retry   3
beyond horizon     ask from a later system time, or restore a backup       3
gap                start again from the snapshot that the error names      3
corrupt            run ``lineage-tt check``, restore what it names         3
=================  ======================================================  ====
"""

from __future__ import annotations

from typing import ClassVar, Final

from lineage_tt.model.names import meaning


class LineageError(Exception):
    """Base of all errors of lineage_tt: a message, and a hint that says what to do."""

    kind: ClassVar[str] = "error"
    exit_status: ClassVar[int] = 3

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class InvalidRequestError(LineageError):
    """The call itself is wrong: an unknown node, a time without a zone, a malformed argument."""

    kind = "invalid request"
    exit_status = 2


#: What to do about a task without edges.
_NO_EDGES: Final = "list the tasks with: lineage-tt tasks; one that only starts others has their edges with --roll-up"


class UnknownNodeError(InvalidRequestError):
    """No edge ever named this node; ``near`` holds the closest names that the store knows."""

    def __init__(self, node: str, near: tuple[str, ...] = ()) -> None:
        hint = meaning(near, "") or "list names with: lineage-tt sql 'FROM nodes'"
        if node.startswith("task:"):
            hint = "ask for lineage between tasks with --level task (level=task); list them with: lineage-tt tasks"
        super().__init__(f"unknown node {node!r}", hint=hint)
        self.node = node
        self.near = near


class NotInForceError(InvalidRequestError):
    """A task has no edges at the point asked; at another it may."""

    def __init__(self, task: str) -> None:
        super().__init__(f"the task {task!r} has no edges at that point", hint=_NO_EDGES)


class VersionNotReachedError(LineageError):
    """The store has not reached this version yet."""

    kind = "unavailable"


class ConflictError(LineageError):
    """Other writers committed first each time; this call wrote nothing."""

    kind = "conflict"


class UnavailableError(LineageError):
    """The storage failed: a full disk, no permission, a limit, or no such store."""

    kind = "unavailable"


class BeyondHorizonError(LineageError):
    """The question is before the oldest system time that is kept."""

    kind = "beyond horizon"


class GapError(LineageError):
    """Versions between a reader's cursor and the feed are gone; ``snapshot`` is the version to start again from.

    ``after`` is the cursor, ``first`` the last of the versions that are missing: after + 1 to first.
    """

    kind = "gap"

    def __init__(self, after: int, first: int, snapshot: int, *, where: str = "the feed") -> None:
        super().__init__(
            f"versions {after + 1} to {first} are no longer in {where}",
            hint=f"start from the state at version {snapshot}, then read the changes after {snapshot}",
        )
        self.after = after
        self.first = first
        self.snapshot = snapshot


class CorruptError(LineageError):
    """Stored bytes are not what was written; the message names the file and the versions it holds."""

    kind = "corrupt"

    def __init__(self, message: str, *, hint: str = "run: lineage-tt check") -> None:
        super().__init__(message, hint=hint)
