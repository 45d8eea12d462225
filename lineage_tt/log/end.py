"""The end of the log as one process knows it: the last commit, the recent ones, and how far each source was read."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from lineage_tt.log import retention
from lineage_tt.log.commit_file import meta_of
from lineage_tt.log.commits import Commit, Head
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.format import FORMAT_VERSION, PLAIN_FORMAT
from lineage_tt.model.messages import SourcePosition
from lineage_tt.model.redaction.policy import META as META_TEXTS
from lineage_tt.model.redaction.policy import TextPolicy, TextState

if TYPE_CHECKING:
    from lineage_tt.log.retention import Horizon

#: How many commits a process remembers that its writer has not taken in; if there are more, it reads the files.
MAX_RECENT: Final = 256
#: How many sources the head file remembers; an older source is read again, which adds nothing to the log.
MAX_SOURCES: Final = 1000


class LogEnd:
    """What the commits up to the last one say, and what the next one carries on; :meth:`_move` follows new commits."""

    def __init__(self, chain: Sequence[Commit], head: Head | None) -> None:
        self._last = chain[-1]
        self._head = head
        self._recent = deque(chain[-1:], MAX_RECENT)
        #: The Delta version of the last commit that this process followed and that removed files, -1 for none.
        self.replaced = -1
        self._accepting: int | None = None
        self._adopting: TextPolicy | None = None
        self._sources: dict[str, SourcePosition] = {}
        if head:
            self._sources = {source: SourcePosition(source, *place) for source, place in head.sources.items()}
        self._note_sources(chain)

    @property
    def version(self) -> int:
        """The last version in the log, 0 where it is empty."""
        return int(self._last.meta["last_version"])

    @property
    def delta_version(self) -> int:
        """The Delta version of the last commit."""
        return self._last.delta_version

    @property
    def system_time(self) -> int:
        """The system time of the last version in UTC microseconds, 0 where the log is empty."""
        return int(self._last.meta["system_time"])

    @property
    def last_made(self) -> int | None:
        """When the last commit was made by its writer's clock, in UTC microseconds; None where it is not stated."""
        return self._last.made_at

    @property
    def texts(self) -> TextState:
        """How much of the texts is kept, and since when."""
        return TextState.of_meta(self._last.meta)

    @property
    def checksum(self) -> bytes:
        """The checksum of the last row."""
        return bytes.fromhex(self._last.meta["checksum"])

    @property
    def horizon(self) -> Horizon | None:
        """The horizon: beliefs that ended at or before it were dropped; None where all are kept."""
        return retention.in_meta(self._last.meta)

    @property
    def changed_before_horizon(self) -> int:
        """The last version up to the horizon that changed anything, 0 where there is no horizon."""
        return int(self._last.meta.get(retention.META_CHANGING, 0))

    def source_position(self, source: str) -> SourcePosition | None:
        """Return how far ``source`` has been read into the log, None where it was never read."""
        return self._sources.get(source)

    def commits_after(self, version: int) -> list[Commit] | None:
        """Return the commits that hold versions greater than ``version``, in order.

        None where this process does not remember them all.
        """
        commits: list[Commit] = []
        for commit in reversed(self._recent):
            if commit.meta["last_version"] <= version:
                return commits[::-1] if commit.meta["last_version"] == version else None
            commits.append(commit)
        return None

    def _move(self, fresh: Sequence[Commit]) -> None:
        """Follow verified commits after the last one; skips those that another thread has followed already."""
        fresh = [commit for commit in fresh if commit.delta_version > self._last.delta_version]
        if fresh:
            self.replaced = max((each.delta_version for each in fresh if each.removed), default=self.replaced)
            self._last = fresh[-1]
            self._recent.extend(fresh)
            self._note_sources(fresh)
            if self._accepting and (retention.clock_in_meta(self._last.meta) or 0) >= self._accepting:
                self._accepting = None

    def _note_sources(self, chain: Sequence[Commit]) -> None:
        for commit in chain:
            for source, place in commit.meta["sources"].items():
                self._sources.pop(source, None)  # so that the newest is last
                self._sources[source] = SourcePosition(source, *place)

    @property
    def clock_accepted(self) -> int | None:
        """The system time up to which an operator accepted that the store is ahead of the clock; None: never."""
        return self._accepting or retention.clock_in_meta(self._last.meta)

    def accept_clock(self, upto: int) -> None:
        """Make the next commit, and all that follow it, state that system times up to ``upto`` are accepted."""
        self._accepting = upto

    @property
    def is_shareable(self) -> bool:
        """Whether the next commit only adds rows: only then may it take other writers' rows, or they its rows."""
        return self._adopting is None and self._accepting is None

    def _carried(self, first: int | None = None) -> dict[str, Any]:
        """Return what the next commit carries on from the last one, with changes; ``first`` is its first version.

        A store with a policy for texts has a format of its own: a release without policies must not write to it.
        """
        carried = retention.carried(self._last.meta)
        if self._accepting:
            carried[retention.META_CLOCK] = self._accepting
        if self._adopting is not None and first is not None:
            carried[META_TEXTS] = self.texts.changed(self._adopting, first).to_meta()
        return carried | ({"format": FORMAT_VERSION} if META_TEXTS in carried else {})

    def meta_of_rewriting(self, files: Sequence[str]) -> dict[str, Any]:
        """Return the metadata of a commit that adds no version and replaces other files by ``files``."""
        meta = meta_of(
            PLAIN_FORMAT, self._last.sha256, self.version + 1, self.version, self.system_time, self.checksum,
            list(files), {},
        )  # fmt: skip
        return meta | self._carried()

    def _next_head(self) -> Head:
        last = self._last
        newest = list(self._sources.values())[-MAX_SOURCES:]
        return Head(
            last.delta_version, last.sha256, self.version, self.system_time, self.checksum.hex(),
            self._head.checkpoints if self._head else {}, {p.source: (p.offset, p.digest) for p in newest},
        )  # fmt: skip

    @contextmanager
    def adopting(self, policy: TextPolicy) -> Iterator[None]:
        """Make the commit inside the block, and all that follow it, state that another policy for texts is in force.

        The caller has just refreshed the log. Raises InvalidRequestError where that policy is in force already.
        """
        if self.texts.policy is policy:
            raise InvalidRequestError(f"the policy is {policy} already", hint="see: lineage-tt policy show")
        self._adopting = policy
        try:
            yield
        finally:
            self._adopting = None
