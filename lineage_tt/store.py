"""The store: open it, append to it, query it as of any two times.

>>> store = Store.open("./lineage")                                          # doctest: +SKIP
>>> store.as_of(valid_at="2026-03-01T00:00:00Z").upstream("hive:ads.sales#revenue")  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from lineage_tt.log import commits
from lineage_tt.log.dismissals import dismissal
from lineage_tt.log.log import Log
from lineage_tt.model.answers import FeedEntry
from lineage_tt.model.clock import Clock, SystemClock
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.os_errors import system_errors
from lineage_tt.model.redaction.policy import TextPolicy, policy_named
from lineage_tt.model.redaction.policy_changes import policy_change
from lineage_tt.read.questions import Instant, Questions
from lineage_tt.read.reader import Reader
from lineage_tt.storage import location

if TYPE_CHECKING:
    from lineage_tt.feed.tail import Tail
    from lineage_tt.governance.config import Config
    from lineage_tt.governance.governance import Governance
    from lineage_tt.graph import Graph
    from lineage_tt.log.system_times import SystemTimes
    from lineage_tt.model.messages import Message, NodeChange, Receipt, Resolver, SourcePosition
    from lineage_tt.write.writer import Writer

__all__ = ["Instant", "Store"]


class Store(Questions):
    """An open store. Reads see the last commit at the time of opening, or of the last ``refresh`` or ``append``."""

    def __init__(self, log: Log, clock: Clock | None = None) -> None:
        super().__init__(log, clock or SystemClock(), Reader(log))
        #: The open log, for code that maintains the store.
        self.opened_log = log

    @classmethod
    def open(
        cls, uri: str | Path, *, clock: Clock | None = None, storage_options: Mapping[str, str] | None = None
    ) -> Store:
        """Open the store in the folder, or at the ``s3://bucket/prefix``, that ``uri`` names.

        ``storage_options`` take precedence over those of the environment (docs/how-to/object-stores.md). Raises
        UnavailableError where there is no store, CorruptError where it is damaged.
        """
        return cls(Log.open(location.place(uri, storage_options) / "log"), clock)

    @classmethod
    def create(
        cls, uri: str | Path, *, clock: Clock | None = None, storage_options: Mapping[str, str] | None = None
    ) -> Store:
        """Create a store at ``uri``, or open the one that exists there; see ``open``."""
        return cls(Log.create(location.place(uri, storage_options) / "log"), clock)

    @cached_property
    @system_errors("read the store's identity")
    def id(self) -> str:
        """The store's identity, made when it was created; copies and backups of a store share it."""
        return str(commits.read_commit(self.opened_log.path, 0).meta["writer"])

    def refresh(self) -> int:
        """Take in what other processes committed; return the last version."""
        self.opened_log.refresh()
        return self.version

    @cached_property
    def writer(self) -> Writer:
        """The writer of this store in this process."""
        from lineage_tt.write.writer import Writer

        return Writer(self.opened_log, self.clock)

    @system_errors("append")
    def append(
        self,
        messages: Sequence[Message],
        *,
        source: str | None = None,
        positions: Sequence[SourcePosition] = (),
        resolver: Resolver | None = None,
        system_times: SystemTimes = "clock",
        own: bool = False,
    ) -> list[Receipt]:
        """Append messages that carry their edges; see ``Writer.append``. For files and SQL use ``ingest.Ingester``."""
        return self.writer.append(
            messages, source=source, positions=positions, resolver=resolver, system_times=system_times, own=own
        )

    @system_errors("load the graph")
    def graph(self) -> Graph:
        """Load the temporal graph: walks as of any point from memory. Needs ``pip install 'lineage-tt[graph]'``."""
        from lineage_tt.graph import Graph

        return Graph.load(self)

    @system_errors("load the graph")
    def governance(self, config: Config | str | Path | None = None) -> Governance:
        """Load the graph for labels, rules, heat and the rest of governance; see ``lineage_tt.governance``.

        ``config`` is the content of ``governance.toml``, or its path. Needs ``pip install 'lineage-tt[graph]'``.
        """
        from lineage_tt.governance.config import Config
        from lineage_tt.governance.governance import Governance

        said = Config.read(Path(config)) if isinstance(config, str | Path) else config
        return Governance(self, self.graph(), said)

    def changes(self, after: int = 0) -> Iterator[FeedEntry]:
        """Yield, in version order, what each version after ``after`` changed; versions without changes are left out.

        Raises GapError, with the snapshot to start from, where versions after ``after`` are no longer kept.
        """
        if not 0 <= after <= self.version:
            self.basis(version=after)
        from lineage_tt.feed.tail import Tail  # loads pyarrow, which questions as of a point do not need

        return Tail(self.opened_log, after, upto=self.version).entries()

    def tail(self, after: int = 0) -> Tail:
        """Return a cursor over the feed that follows the log as it grows; see ``changes`` for what it raises."""
        from lineage_tt.feed.tail import Tail

        if not 0 <= after <= self.version:
            self.basis(version=after)
        return Tail(Log.open(self.opened_log.path), after)

    def dismiss(self, version: int, reason: str, actor: str | None = None) -> int:
        """Record that a dead letter need not be replayed, and why; return the version of the record.

        Raises InvalidRequestError where the version is not a dead letter, or was replayed.
        """
        letter = self.dead_letter(version)
        if letter.replayed_as is not None:
            raise InvalidRequestError(f"version {version} was replayed as version {letter.replayed_as}")
        if not reason.strip():
            raise InvalidRequestError(
                "a dismissal needs a reason", hint="give the reason why the message is not needed"
            )
        message = dismissal(version, reason, self.instant("now"), actor)
        return self.append([message], own=True, system_times=self.late_system_times())[0].version

    def set_text_policy(
        self,
        policy: TextPolicy | str,
        reason: str,
        actor: str | None = None,
        *,
        history: bool = False,
        resolver: Resolver | None = None,
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> int:
        """From now on, keep texts under another policy; return the version that records it.

        With ``history``, everything that is stored is rewritten under the policy, and every old copy is removed; this
        can only make the policy stricter. ``resolver`` (``ingest.resolve.resolver.SqlResolver``) masks SQL so that it
        keeps its meaning; without one, all literals are masked. ``progress`` is called with (versions done, versions in
        total). If it is interrupted, call it again. Raises InvalidRequestError for a policy that is unknown, already in
        force or, with ``history``, looser than an earlier tightening.
        """
        wanted = policy_named(policy)
        self.refresh()
        if history:
            from lineage_tt.write.past.tighten import purge, tightening

            tightening.check(self.texts, wanted)
        version = 0
        if not history or self.texts.policy is not wanted:
            message = policy_change(wanted, reason, self.instant("now"), actor)
            self.writer.log.refresh()
            with self.writer.log.adopting(wanted):
                version = self.append([message], own=True, system_times=self.late_system_times())[0].version
        if history:
            path, now = self.opened_log.path, self.instant("now")
            recorded = tightening.tighten(path, wanted, self._append_to, resolver, progress,
                                          reason=reason, actor=actor, now=now)  # fmt: skip
            self.refresh()
            purge.purge(self.opened_log)
            version = recorded or version or self.texts.since
        return version

    def _append_to(self, log: Log, message: NodeChange) -> int:
        from lineage_tt.write.writer import Writer

        writer = Writer(log, self.clock)
        return writer.append([message], own=True, system_times=self.late_system_times())[0].version
