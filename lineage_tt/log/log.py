"""The log: a Delta table with one row per message received, appended to in dense versions.

Delta Lake (through deltalake) gives the atomic commit: its put-if-absent of the next commit file decides between
writers. This package adds what deltalake does not do: every data and commit file is forced to disk, or read back from
an object store, before an append returns (``stores``), every commit file is verified when read (``commits``), and an
application transaction holds the last version and each source's position in the same commit as the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Self

import deltalake
from deltalake.exceptions import DeltaError
from deltalake.transaction import AddAction, CommitProperties, RemoveAction, Transaction

from lineage_tt.log import commits
from lineage_tt.log.commit_file import CARRIED, Others, Span, append_bytes, meta_of, source_id, statistics, touched_by
from lineage_tt.log.commits import Commit, Head
from lineage_tt.log.create import NO_HOOKS, create_log, keeper_of
from lineage_tt.log.end import LogEnd
from lineage_tt.log.stores.checkpoints import attempt, beside, make_checkpoint
from lineage_tt.log.stores.listing import listed
from lineage_tt.model.clock import SystemClock, since_boot, unique_name
from lineage_tt.model.errors import CorruptError, LineageError, UnavailableError
from lineage_tt.model.format import PLAIN_FORMAT, LogRow
from lineage_tt.model.messages import SourcePosition
from lineage_tt.model.os_errors import system_errors
from lineage_tt.storage import failpoints, location

if TYPE_CHECKING:
    from lineage_tt.storage.location import Place
    from lineage_tt.storage.write_queue import Passenger

#: Opening the log, or asking deltalake for its files, reads every commit since the last checkpoint, at 0.06 ms each.
CHECKPOINT_EVERY: Final = 32
#: Seconds that may pass between a data file and its commit; ``vacuum`` keeps files younger than twice that.
OLDEST_PENDING: Final = 1800.0
#: How many checkpoint files the head file keeps the hashes of.
MAX_CHECKPOINTS: Final = 16


class Log(LogEnd):
    """An open log. Readers and any number of writers, in any number of processes, may have it open at once."""

    def __init__(self, path: Place, table: deltalake.DeltaTable, chain: Sequence[Commit], head: Head | None) -> None:
        super().__init__(chain, head)
        self.path = path
        self._keeper = keeper_of(path)
        self._opened: deltalake.DeltaTable | None = table
        #: The data files whose bytes this process has verified.
        self.verified: set[Place] = set()

    @classmethod
    @system_errors("create the store")
    def create(cls, path: Place) -> Self:
        """Create the log at ``path``, or open the one that exists or that another process just created."""
        create_log(path)
        log = cls.open(path)
        if log._head is None and log.version == 0:
            log.acknowledge()
        return log

    @classmethod
    @system_errors("open the store")
    def open(cls, path: Place) -> Self:
        """Open the log at ``path``, verifying its commit files from the last checkpoint on.

        Raises UnavailableError where there is none, CorruptError where a commit is cut, altered or missing,
        InvalidRequestError where a newer release wrote it.
        """
        if not (path / "_delta_log").is_dir():
            raise UnavailableError(
                f"there is no store at {path.parent}", hint="create one with: lineage-tt ingest FILE"
            )
        head = commits.read_head(path)
        chain = keeper_of(path).read_tail(head)
        commits.verify_head(head, chain)
        try:
            table = listed(lambda: location.delta_table(path, chain[-1].delta_version))
        except DeltaError as error:
            raise CorruptError(f"the log's Delta table does not open: {error}") from error
        return cls(path, table, chain, head)

    @system_errors("list the log's files")
    def files(self) -> list[Place]:
        """Return the paths of the data files in force, in version order."""
        return sorted(self.path / uri.rsplit("/", 1)[-1] for uri in self._table.file_uris())

    @system_errors("list the log's files")
    def sizes(self) -> dict[str, int]:
        """Return how many bytes each data file in force has, by name."""
        import pyarrow as pa

        actions = pa.table(self._table.get_add_actions(flatten=True))
        return dict(zip(actions["path"].to_pylist(), actions["size_bytes"].to_pylist(), strict=True))

    @system_errors("read the log's commits")
    def refresh(self) -> list[Commit]:
        """Move to the newest commit; return the verified commits since the last refresh."""
        try:
            fresh = self._keeper.news(self._last, self._head)
        except LineageError:  # never append after, or answer from, a commit that is not sound
            self._opened = None
            raise
        self._move(fresh)
        return fresh

    def glance(self) -> None:
        """Move to the newest commit if the log is on a local disk; do nothing if this needs a network request."""
        if location.is_local(self.path):
            self.refresh()

    def turn(
        self, messages: int, meanwhile: Callable[[], None] | None = None, passenger: Passenger | None = None
    ) -> AbstractContextManager[None]:
        """Return a context that waits for this writer's turn to append ``messages`` messages, and holds it.

        Turns give writers a fair order and avoid conflicts; ``append`` is safe without them. ``meanwhile`` is called
        during the wait. Another writer may commit ``passenger`` meanwhile (``commit``), unless this log's next commit
        does more than add rows (``is_shareable``).
        """
        from lineage_tt.log.arrow import warm

        warm()  # takes processor time that must not lengthen the turn
        return self._keeper.turn(messages, meanwhile, passenger if self.is_shareable else None)

    def offers(self) -> list[tuple[str, bytes]]:
        """Return what other writers offer to the writer whose turn it is: ticket names and offers, in order."""
        return self._keeper.offers() if self.is_shareable else []

    def drafting(self) -> AbstractContextManager[None]:
        """Return a context for planning a large append before its turn; it limits how many writers do so at once."""
        return self._keeper.drafting()

    def back_off(self) -> None:
        """Wait as long as is fair after a ConflictError, before ``refresh`` and the next attempt."""
        self._keeper.back_off()

    @property
    def is_contended(self) -> bool:
        """Whether other writers wait for their turn, or this one had to wait for its last."""
        return self._keeper.is_contended

    def append(self, rows: Sequence[LogRow], positions: Sequence[SourcePosition] = ()) -> None:
        """Append rows whose versions follow the log's last one, all or none; durable when it returns.

        Raises ConflictError where another writer committed first (refresh, number again, retry) and
        UnavailableError where the disk fails; nothing was written then.
        """
        self.commit(rows, positions)
        self.acknowledge()

    def commit(
        self, rows: Sequence[LogRow], positions: Sequence[SourcePosition] = (), others: Others | None = None
    ) -> None:
        """Append rows as ``append`` does, but they are durable only after ``acknowledge`` has returned.

        The next writer may commit before that, so a writer ends its turn in between. The rows of ``others`` are taken
        as late as possible, and committed after ``rows``.
        """
        from lineage_tt.log.arrow import parquet_bytes

        data = parquet_bytes(rows, others.take if others is not None else tuple)
        everything = [*rows, *others.rows] if others is not None else rows
        writer, begun = unique_name(), since_boot()
        target = self.path / commits.data_file_name(everything[0].version, everything[-1].version, data, writer)
        failpoints.reach("p3:before")
        self._keeper.write(target, data)
        failpoints.reach("p3:data")
        if since_boot() - begun > OLDEST_PENDING:  # a vacuum may have removed the file as garbage
            target.unlink(missing_ok=True)
            raise UnavailableError("the append timed out before its commit", hint="run the same command again")
        spans = others.spans if others is not None else {}
        self._commit(everything, positions, target, len(data), writer, spans)
        failpoints.reach("p3:after")
        self._keeper.arrived(spans)

    def _commit(
        self, rows: Sequence[LogRow], positions: Sequence[SourcePosition], target: Place, size: int, writer: str,
        carried: Mapping[str, Span],
    ) -> None:  # fmt: skip
        first, last = rows[0], rows[-1]
        sources = {p.source: (p.offset, p.digest) for p in positions}
        meta = meta_of(
            PLAIN_FORMAT, self._last.sha256, first.version, last.version, last.system_time, last.checksum,
            [target.name], sources, writer=writer,
        ) | self._carried(first.version) | touched_by(rows)  # fmt: skip
        if carried:
            meta[CARRIED] = dict(carried)
        stats = statistics(first, last, len(rows))
        transactions = {f"{commits.KEY}.log": last.version} | {source_id(p.source): p.offset for p in positions}
        data = append_bytes(target.name, size, stats, meta, transactions, SystemClock().now() // 1000)
        if self.put(data, writer, [target]):
            return
        added = AddAction(target.name, size, {}, 0, data_change=True, stats=stats)
        self.transact([added], meta, [Transaction(*noted) for noted in transactions.items()], [target])

    def put(self, data: bytes, writer: str, targets: Sequence[Place]) -> bool:
        """Commit these bytes as the next Delta version; False where only deltalake can do so. See ``transact``."""
        is_put = self._keeper.put_file(data, self._last.delta_version + 1, writer, targets)
        if is_put:
            self.refresh()
        return is_put

    def transact(
        self,
        actions: Sequence[AddAction | RemoveAction],
        meta: dict[str, Any],
        transactions: list[Transaction],
        targets: Sequence[Place],
    ) -> None:
        """Commit through deltalake at exactly the next Delta version; on failure remove ``targets``.

        Raises ConflictError where another process was first. ``rewrite`` and ``tightening`` also use it.
        """
        from lineage_tt.log.arrow import SCHEMA

        def put() -> None:
            self._table.create_write_transaction(
                list(actions),
                "append",
                SCHEMA,
                commit_properties=CommitProperties(
                    custom_metadata={commits.KEY: meta}, max_commit_retries=0, app_transactions=transactions
                ),
                post_commithook_properties=NO_HOOKS,
            )

        self._keeper.put(put, self._last.delta_version + 1, meta["writer"], targets)
        self.refresh()

    def write(self, target: Place, data: bytes) -> None:
        """Write a data file that a later commit adds, and force it to disk."""
        self._keeper.write(target, data)

    def acknowledge(self) -> None:
        """Force the commits since the head to disk and move the head file to the last one, also after a crash.

        Our commit may already be followed by another writer's, or preceded by one whose writer died. If another writer
        has moved the head this far meanwhile, it has also forced our commit to disk.
        """
        last = self._last
        try:
            with self._keeper.acknowledging():
                self._head = self._keeper.newest_head(self._head, last.delta_version)
                if not self.acknowledged:
                    first = min(self._head.delta_version + 1, last.delta_version) if self._head else last.delta_version
                    self._keeper.sync(range(first, last.delta_version + 1))
                    self._head = self._keeper.write_head(self._next_head())
            if last.delta_version and last.delta_version % CHECKPOINT_EVERY == 0:
                if self.is_contended:  # writers do not wait for a checkpoint, which only helps readers
                    beside(lambda: type(self).open(self.path)._checkpoint())
                else:
                    attempt(self._checkpoint)
        except (DeltaError, OSError) as error:
            raise self._keeper.failure("make the append durable", error) from error
        failpoints.reach("p4:after")

    def _checkpoint(self) -> None:
        """Write a Delta checkpoint, note the SHA-256 of its files in the head, and continue from it.

        Other writers may commit meanwhile. It is skipped while another writer makes a checkpoint.
        """
        with self._keeper.checkpointing() as is_mine:
            if is_mine and commits.last_checkpoint(self.path) < self._last.delta_version:
                self._make_checkpoint()
                self._opened = None  # the next read starts from the checkpoint

    def _make_checkpoint(self) -> None:
        hashes = make_checkpoint(self._table, self.path, self._last.delta_version)
        with self._keeper.acknowledging():
            head = self._keeper.newest_head(self._head, self._last.delta_version) or self._next_head()
            noted = dict(list((head.checkpoints | hashes).items())[-MAX_CHECKPOINTS:])
            self._head = self._keeper.write_head(replace(head, checkpoints=noted))

    @property
    def _table(self) -> deltalake.DeltaTable:
        """The Delta table at the last commit, refreshed at each use."""
        try:
            self._opened = listed(lambda: self._opened_at(self._last.delta_version))
        except (DeltaError, OSError) as error:
            raise self._keeper.failure("open the log's Delta table", error) from error
        return self._opened

    def _opened_at(self, version: int) -> deltalake.DeltaTable:
        table, self._opened = self._opened, None
        if table is not None and table.version() < version:
            table.update_incremental()
        return table if table is not None and table.version() == version else location.delta_table(self.path, version)

    @property
    def acknowledged(self) -> bool:
        """Whether the head file names the last commit: False after a crash between commit and acknowledgement."""
        return self._head is not None and self._head.delta_version >= self._last.delta_version
