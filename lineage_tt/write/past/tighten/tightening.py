"""Makes history follow a stricter policy: one commit replaces the old files by new ones, and records it.

First the files are rebuilt, while others write and read. Then, in this writer's turn, the files that came meanwhile are
rebuilt, and one commit removes all old files, adds the new ones, and adds the row that records who did it, when and
why. If the process is killed before the commit, it only leaves files that belong to no commit; if it is killed after
the commit, ``purge`` must be called again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import orjson
from deltalake.transaction import AddAction, RemoveAction, Transaction

from lineage_tt.log import commits, verify
from lineage_tt.log.commit_file import Others, meta_of, statistics
from lineage_tt.log.log import Log
from lineage_tt.log.rewriting.rewrite import Run, statistics_of
from lineage_tt.model.clock import SystemClock, unique_name
from lineage_tt.model.errors import ConflictError, CorruptError, InvalidRequestError, LineageError
from lineage_tt.model.format import FORMAT_VERSION, LogRow
from lineage_tt.model.messages import NodeChange, Resolver, SourcePosition
from lineage_tt.model.redaction.policy import HISTORY_KEY, META, TextPolicy, TextState, Tightened
from lineage_tt.model.redaction.policy_changes import policy_change
from lineage_tt.storage import failpoints
from lineage_tt.write.past.tighten.files import Files
from lineage_tt.write.past.tighten.masking import masker
from lineage_tt.write.planning.log_queries import stamped

if TYPE_CHECKING:
    from lineage_tt.storage.location import Place

#: Appends a message to the given log with a writer of its own; returns the message's version.
Append = Callable[[Log, NodeChange], int]
#: How often the files are rebuilt because a compaction replaced those that were read.
MAX_ATTEMPTS: Final = 5
#: The key in the commit's metadata of the checksum that the last row had before.
META_BEFORE: Final = "checksum_before"


class _CompactedError(LineageError):
    """A compaction replaced the log's files while they were being rebuilt."""


def check(state: TextState, policy: TextPolicy) -> None:
    """Raise InvalidRequestError if history cannot follow a policy because it already holds less."""
    tightened = state.tightened.policy if state.tightened else TextPolicy.KEEP
    least = max(state.policy, tightened, key=lambda each: each.strictness)
    if policy.strictness < least.strictness or policy is TextPolicy.KEEP:
        raise InvalidRequestError(
            f"history cannot be set to {policy}: a policy for history can only be made stricter",
            hint=f"give {'mask-literals or drop-text' if least is not TextPolicy.DROP else 'drop-text'}, "
            "or leave out --history to change what is kept from now on",
        )


def tighten(
    place: Place, policy: TextPolicy, append: Append, resolver: Resolver | None, progress: Callable[[int, int], None],
    *, reason: str, actor: str | None, now: int,
) -> int | None:  # fmt: skip
    """Make everything that a log holds follow the policy, which is in force; return the version that records it.

    None if it already does. ``resolver`` masks SQL so that it keeps its meaning; without one, SQL is masked without
    parsing. ``progress`` is called with (versions done, versions in total). Raises as ``Log.append`` does.
    """
    for _ in range(MAX_ATTEMPTS):
        log = _TighteningLog.open(place)
        if not log.texts.looser(log.version):
            return None
        value = orjson.dumps({"from": _loosest(log), "to": policy.value}).decode()
        message = policy_change(value, reason, now, actor, key=HISTORY_KEY)
        files = None
        try:
            log.files_anew = files = Files(log, policy, masker(log, resolver), progress)
            for _ in range(2):  # the second time for files that came meanwhile, so that little is left for the turn
                files.advance()
                log.refresh()
            failpoints.reach("t0:after")
            return append(log, message)
        except _CompactedError:
            continue
        except (CorruptError, FileNotFoundError):  # another process tightened it, or a compaction's grace period ended
            if not verify.moved(log):
                raise
        finally:
            # after an attempt to commit, the files may be in force; vacuum removes those that are not
            if files is not None and not log.is_attempted:
                files.discard()
    raise ConflictError(
        "compactions replaced the log's files again and again", hint="run the same command again when none runs"
    )


def _loosest(log: Log) -> str:
    policies = [
        log.texts.at(version) for version in (1, *(since for since, _ in log.texts.spans)) if version <= log.version
    ]
    return min(policies, key=lambda each: each.strictness).value


class _TighteningLog(Log):
    """A log whose next commit replaces all files by rebuilt ones."""

    files_anew: Files
    #: Whether a commit that adds the new files was begun.
    is_attempted = False

    @property
    def is_shareable(self) -> bool:
        """False: in another writer's commit, the row would say that files were replaced although none were."""
        return False

    def commit(
        self, rows: Sequence[LogRow], positions: Sequence[SourcePosition] = (), others: Others | None = None
    ) -> None:
        """Append the rows that record the tightening, and replace the files, in one commit; see ``Log.commit``."""
        from lineage_tt.log.arrow import parquet_bytes

        files, texts = self.files_anew, self.texts
        files.advance()
        if not files.replaces(path.name for path in self.files()) or not all(
            (self.path / file.name).exists() for file in files.changed()
        ):
            raise _CompactedError("the log's files were replaced meanwhile")
        rows = stamped(rows, [row.system_time for row in rows], files.checksum)
        data = parquet_bytes(rows)
        first, last, writer = rows[0], rows[-1], unique_name()
        target = self.path / commits.data_file_name(first.version, last.version, data, writer)
        failpoints.reach("t1:before")
        self.write(target, data)
        epoch = self.delta_version + 1
        state = texts._replace(tightened=Tightened(files.policy, last.version, epoch))
        names = [*(file.name for file in files.changed()), target.name]
        meta = meta_of(
            FORMAT_VERSION, self._last.sha256, first.version, last.version, last.system_time, last.checksum, names, {},
            writer,
        )  # fmt: skip
        meta |= self._carried() | {META: state.to_meta(), META_BEFORE: self.checksum.hex(), "format": FORMAT_VERSION}
        now = SystemClock().now() // 1000
        actions: list[Any] = [RemoveAction(file.old, False, now) for file in files.changed()]
        for file in files.changed():
            run = Run((file.old,), file.first, file.last, file.size)
            actions.append(AddAction(file.name, file.size, {}, now, False, statistics_of(run)))
        actions.append(AddAction(target.name, len(data), {}, now, True, statistics(first, last, len(rows))))
        failpoints.reach("t1:data")
        self.is_attempted = True
        self.transact(actions, meta, [Transaction(f"{commits.KEY}.log", last.version)], [target])
        failpoints.reach("t1:after")
