"""A task's messages up to a basis, and which of them is in force at an instant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from lineage_tt.feed.changes import net
from lineage_tt.model.edges import EdgeTuple
from lineage_tt.model.format import ChangeTuple
from lineage_tt.timeline import NO_SOURCE_VERSION
from lineage_tt.write.subjects.tasks import PastMessage, TaskHistory


class Past:
    """The accepted messages of one task, in order; what they held may be left out."""

    def __init__(self, messages: list[PastMessage]) -> None:
        self.messages = messages
        own = [message._replace(edges=(), facts=()) for message in messages if message.derived_from is None]
        self._past = TaskHistory.rebuild(own)

    @property
    def last_at(self) -> int | None:
        """The last instant at which a message takes effect, None where there is none."""
        return max((m.effective_at for m in self.messages if m.effective_at is not None), default=None)

    def winner_at(self, valid_at: int) -> tuple[int | None, int | None]:
        """Return the version in force at an instant (None: none, or offline), and when the next step begins."""
        visible = self._past.visible_versions()
        steps: dict[int, tuple[int, int, str]] = {}
        for message in self.messages:
            if message.derived_from is None and message.version in visible and message.effective_at is not None:
                rank = NO_SOURCE_VERSION if message.source_version is None else message.source_version
                candidate = (rank, message.version, message.op)
                steps[message.effective_at] = max(steps.get(message.effective_at, candidate), candidate)
        past = [at for at in steps if at <= valid_at]
        following = min((at for at in steps if at > valid_at), default=None)
        if not past or steps[max(past)][2] == "offline":
            return None, following
        return steps[max(past)][1], following

    def placed(
        self, contents: Mapping[int, Sequence[Any]], version: int, effective_at: int, edges: Sequence[EdgeTuple]
    ) -> Sequence[ChangeTuple]:
        """Return the net changes of a message with these edges; ``contents`` has each version's edges and facts."""
        past = [
            message._replace(edges=contents[message.version][0], facts=contents[message.version][1])
            for message in self.messages
        ]
        changes: Sequence[Any] = TaskHistory.rebuild(past).place(version, effective_at, _GREATEST, edges)
        return net(change for change in changes if len(change) == _EDGE_CHANGE)


#: A candidate counts as the newest statement about its task, so it wins at its own effective_at.
_GREATEST: Final = 2**63 - 1
#: sign, the five fields of an edge, and its interval; a change of a fact is shorter
_EDGE_CHANGE: Final = 8
