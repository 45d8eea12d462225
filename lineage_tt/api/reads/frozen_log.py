"""The log at one version, for readers that must stay at this version."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lineage_tt.log.log import Log

if TYPE_CHECKING:
    from lineage_tt.log.commits import Commit
    from lineage_tt.read.ports import LogAt
    from lineage_tt.storage.location import Place


class FrozenLog:
    """What a reader needs from the log, as it was when the log reached ``version``.

    It moves to newer files only if a compaction has replaced its own; answers stay the same.
    """

    def __init__(self, log: LogAt) -> None:
        self.path = log.path
        self._take(log)

    def _take(self, log: LogAt) -> None:
        self.version = log.version
        self.delta_version = self.replaced = log.delta_version  # changes only if files were removed
        self.system_time = log.system_time
        self.checksum = log.checksum
        self.horizon = log.horizon
        self.changed_before_horizon = log.changed_before_horizon
        self.texts = log.texts
        self.verified = log.verified
        self._files = log.files()

    def files(self) -> Sequence[Place]:
        """Return the data files in version order."""
        return self._files

    def refresh(self) -> Sequence[Commit]:
        """Move to the newest commit, whose files replace the removed ones."""
        fresh = Log.open(self.path)
        fresh.verified = self.verified
        self._take(fresh)
        return ()
