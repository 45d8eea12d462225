"""Compaction: the log up to its last version → the snapshot, in one commit; then the log's small files, then garbage.

``decide`` chooses what to do, by counting versions and levels. Nothing is visible before the commit, and readers and
writers continue meanwhile. Of two compactions at once, one finds that the other was faster. If a compaction is killed,
the old snapshot stays in force, and a later compaction removes the files that are left.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from lineage_tt.feed.tail import Tail
from lineage_tt.log import verify
from lineage_tt.log.log import Log
from lineage_tt.log.retention import Horizon
from lineage_tt.log.rewriting import rewrite
from lineage_tt.log.rewriting.vacuum import GRACE, STAGING, vacuum
from lineage_tt.model.clock import unique_name
from lineage_tt.model.errors import ConflictError, CorruptError, LineageError
from lineage_tt.read.snapshots import commit as snapshot_commit
from lineage_tt.read.snapshots.snapshot import NAME, Snapshot
from lineage_tt.spark import compact_log
from lineage_tt.spark.compact_frames import FEW, SETTINGS
from lineage_tt.spark.compact_stages import Stages, is_few, written
from lineage_tt.storage import failpoints, location

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from lineage_tt.read.ports import LogAt
    from lineage_tt.read.snapshots.commit import Placed
    from lineage_tt.storage.location import Place

Mode = Literal["full", "level", "none"]
Tell = Callable[[str], None]
#: If more versions than this fraction of the full level's came after it, everything is rewritten.
MAX_ADDED: Final = 0.2
#: Each level adds files that a reader must open.
MAX_LEVELS: Final = 8


@dataclass
class Compaction:
    """What a compaction did, or would do: its summary."""

    mode: Mode
    reason: str
    before: int
    version: int
    system_time: int
    horizon: Horizon | None = None
    rows_in: int = 0
    rows_out: dict[str, int] = field(default_factory=dict)
    bytes_out: dict[str, int] = field(default_factory=dict)
    files_out: int = 0
    levels: int = 0
    log_files_before: int = 0
    log_files: int = 0
    removed: int = 0
    stages: list[dict[str, Any]] = field(default_factory=list)


def decide(log: Log, base: Snapshot | None, *, rebuild: bool = False) -> Compaction:
    """Return what a compaction would do to the snapshot now, and why.

    If there is no snapshot, if the versions after the full level are more than a fifth of those that it covers
    (``MAX_ADDED``), or if there are too many levels (``MAX_LEVELS``), it rewrites everything from the log. Otherwise it
    adds a level with what came since.
    """
    before = base.version if base else 0
    plan = Compaction("none", "", before, log.version, log.system_time, base.horizon if base else None)
    plan.log_files_before = plan.log_files = len(log.files())
    if log.version == 0:
        plan.reason = "the store is empty"
    elif rebuild:
        plan.mode, plan.reason = "full", "requested"
    elif base is None:
        plan.mode, plan.reason = "full", "there is no snapshot"
    elif base.version >= log.version:
        plan.reason = f"the snapshot covers version {base.version}, the last"
    else:
        plan.mode, plan.reason = _by_size(base, log.version)
    return plan


def _by_size(base: Snapshot, version: int) -> tuple[Mode, str]:
    levels = base.levels
    if len(levels) > MAX_LEVELS:
        return "full", f"there are {len(levels) - 1} levels after the full one"
    behind = (version - levels[0][1]) / max(levels[0][1], 1)
    if behind > MAX_ADDED:
        return "full", f"{behind:.0%} more versions than the full level covers"
    return "level", f"{version - base.version} versions after the snapshot"


def compact(
    store: Place | str,
    spark: Callable[[], SparkSession],
    *,
    rebuild: bool = False,
    horizon: Horizon | None = None,
    grace: int = GRACE,
    tell: Tell = lambda words: None,
) -> Compaction:
    """Compact the store at a place; return what was done. ``spark`` is called if there is anything to do.

    ``rebuild`` rebuilds the whole snapshot from the log. ``horizon`` drops the beliefs that ended at or before it, from
    the log and, by a rebuild, from the snapshot. ``grace`` is the number of hours for which replaced files are kept.
    ``tell`` is called with each stage. If another compaction committed first, the mode is ``none`` and the reason says
    so. Raises CorruptError where the log is damaged, ConflictError where another writer rewrote the files from which
    the horizon drops beliefs.
    """
    place = location.place(store)
    log = Log.open(place / "log")
    base = read_base(log, rebuild)
    finished: list[dict[str, Any]] = []
    if horizon is not None:
        _rewrite(place, log, spark, tell, horizon, finished)
    plan = decide(log, base, rebuild=rebuild or horizon is not None)
    plan.stages = finished
    plan.horizon = max((h for h in (plan.horizon, log.horizon) if h), default=None)
    failpoints.reach("r0:after")
    if plan.mode != "none":
        try:
            _compact(place, log, base, spark, tell, plan)
        except Exception as error:  # also Spark's own errors where a file is gone
            if not (reason := _overtaken(log, error)):
                raise
            plan.mode, plan.rows_in, plan.reason = "none", 0, reason
            log = Log.open(log.path)
    if rewrite.runs(log):
        try:
            _rewrite(place, log, spark, tell, None, plan.stages)
        except Exception as error:
            if not _overtaken(log, error):
                raise
    plan.log_files = len(log.files())
    failpoints.reach("r3:before")
    plan.removed = sum(vacuum(folder, grace).files for folder in _tables(place))
    return plan


def _overtaken(log: Log, error: Exception) -> str:
    """Return, in words, what others did meanwhile that invalidated a compaction; empty where it failed by itself."""
    if isinstance(error, ConflictError):
        return error.message
    if isinstance(error, LineageError | OSError) and not isinstance(error, CorruptError | FileNotFoundError):
        return ""  # for example a full disk, whatever others did
    rewritten = Log.open(log.path).texts.epoch != log.texts.epoch
    return "the log's texts were rewritten meanwhile" if rewritten else ""


def read_base(log: LogAt, rebuild: bool = False) -> Snapshot | None:
    """Return the snapshot in force; None for a damaged one if everything is rewritten."""
    try:
        return Snapshot.of(log)
    except CorruptError:
        if not rebuild:
            raise
        return None


def _tables(place: Place) -> Iterator[Place]:
    yield place / "log"
    if Snapshot.open(place) is not None:
        yield place / NAME


def _compact(
    place: Place, log: Log, base: Snapshot | None, spark: Callable[[], SparkSession], tell: Tell, plan: Compaction
) -> None:
    """Write and commit the snapshot, or one level of it."""
    after = 0 if plan.mode == "full" else plan.before
    files = verify.verified_files(log, after=after)
    rows = plan.version - after
    with _stages(place, spark, files, rows, tell) as stages:
        staged = written(stages, after, plan.version, base)
        plan.rows_in, plan.stages = rows, [*plan.stages, *stages.finished]
        failpoints.reach("r1:before")
        placed = snapshot_commit.place_files(place / NAME, staged, after + 1, plan.version)
        failpoints.reach("r1:after")
        _commit(place, log, base, placed, plan)


def _commit(place: Place, log: Log, base: Snapshot | None, placed: Sequence[Placed], plan: Compaction) -> None:
    meta = {
        "version": plan.version,
        "system_time": plan.system_time,
        "checksum": log.checksum.hex(),
        "horizon": list(plan.horizon) if plan.horizon else None,
        "texts_epoch": log.texts.epoch,
    }
    if Log.open(log.path).texts.epoch != log.texts.epoch:
        snapshot_commit.discard(place / NAME, placed)
        raise ConflictError("the log's texts were rewritten meanwhile", hint="run the same command again")
    try:
        snapshot = snapshot_commit.commit(place, base, placed, meta, full=plan.mode == "full")
    except ConflictError:
        snapshot_commit.discard(place / NAME, placed)
        raise
    plan.levels, plan.files_out = len(snapshot.levels), len(placed)
    for file in placed:
        plan.rows_out[file.direction] = plan.rows_out.get(file.direction, 0) + file.rows
        plan.bytes_out[file.direction] = plan.bytes_out.get(file.direction, 0) + file.size


def _rewrite(
    place: Place, log: Log, spark: Callable[[], SparkSession], tell: Tell, horizon: Horizon | None,
    finished: list[dict[str, Any]],
) -> None:  # fmt: skip
    """Rewrite the log's small files; with a horizon, all files up to it, without what it drops."""
    chosen = rewrite.runs(log, horizon.version if horizon else 0)
    if not chosen:
        return
    names = {name for run in chosen for name in run.names}
    # for an object store, the local copies have other names
    local = zip(log.files(), verify.verified_files(log), strict=True)
    files = [copy for path, copy in local if path.name in names]
    with _stages(place, spark, files, chosen[-1].last - chosen[0].first + 1, tell) as stages:
        changing = Tail(log, horizon.version, upto=log.version).previous if horizon else 0
        rewritten = compact_log.rewrite(stages, chosen, horizon)
        try:
            rewrite.replace(log, rewritten, horizon, changing)
        except ConflictError:
            if horizon is not None:
                raise
        finished += stages.finished


@contextmanager
def _stages(
    place: Place, spark: Callable[[], SparkSession], files: Sequence[Path], rows: int, tell: Tell
) -> Iterator[Stages]:
    """Yield the stages, set up for ``rows``, with a folder on the store's own disk from which files can be moved."""
    if isinstance(place, Path):
        folder = place / NAME / f"{STAGING}{unique_name()}"
        folder.mkdir(parents=True)
    else:
        folder = Path(tempfile.mkdtemp(prefix="lineage-tt-compact-"))
    try:
        session = spark()
        few = is_few(rows, files)
        settings = SETTINGS | (FEW if few else {})
        before = {name: session.conf.get(name, None) for name in settings}
        for name, value in settings.items():
            session.conf.set(name, value)
        try:
            yield Stages(session, folder, files, tell, few=few)
        finally:
            for name, old in before.items():
                session.conf.unset(name) if old is None else session.conf.set(name, old)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
