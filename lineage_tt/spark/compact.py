"""Compaction: the log up to its last version → the snapshot, in one commit.

What it does it decides by counting. With no snapshot, or when the levels behind the full one have grown to a fifth of
it (``MOST_ADDED``) or are many (``MOST_LEVELS``), it writes everything anew from the log; else only a level with what
came since. Until the commit nothing is seen of it, readers and writers go on meanwhile, and of two compactions one
finds that the other was faster.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from lineage_tt import failpoints, history, snapshot_commit, storage
from lineage_tt.clock import unique_name
from lineage_tt.errors import ConflictError, CorruptError
from lineage_tt.log import Log
from lineage_tt.retention import Horizon
from lineage_tt.snapshot import NAME, Snapshot
from lineage_tt.snapshot_commit import Placed
from lineage_tt.spark.compact_frames import SETTINGS
from lineage_tt.spark.compact_stages import Stages, full, level

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from lineage_tt.storage import Place

Mode = Literal["full", "level", "none"]
#: Levels together may come to this part of the full one before all is written anew.
MOST_ADDED: Final = 0.2
#: Every level is files that a reader opens besides.
MOST_LEVELS: Final = 8


@dataclass
class Compaction:
    """What a compaction did, or would do: its summary."""

    mode: Mode
    reason: str
    before: int
    version: int
    system_time: int
    rows_in: int = 0
    rows_out: dict[str, int] = field(default_factory=dict)
    bytes_out: dict[str, int] = field(default_factory=dict)
    files_out: int = 0
    levels: int = 0
    stages: list[dict[str, Any]] = field(default_factory=list)
    horizon: Horizon | None = None


def decide(log: Log, base: Snapshot | None, *, anew: bool = False) -> Compaction:
    """Return what a compaction would do now, and why, without doing it."""
    before = base.version if base else 0
    plan = Compaction("none", "", before, log.version, log.system_time, horizon=base.horizon if base else None)
    if log.version == 0:
        plan.reason = "the store is empty"
    elif anew:
        plan.mode, plan.reason = "full", "asked for"
    elif base is None:
        plan.mode, plan.reason = "full", "there is no snapshot"
    elif base.version >= log.version:
        plan.reason = f"the snapshot covers version {base.version}, the last"
    else:
        plan.mode, plan.reason = _by_size(base, log.version)
    return plan


def _by_size(base: Snapshot, version: int) -> tuple[Mode, str]:
    levels = base.levels
    if len(levels) > MOST_LEVELS:
        return "full", f"there are {len(levels) - 1} levels behind the full one"
    behind = (version - levels[0][1]) / max(levels[0][1], 1)
    if behind > MOST_ADDED:
        return "full", f"{behind:.0%} more versions than the full level covers"
    return "level", f"{version - base.version} versions behind the snapshot"


def compact(
    store: Place | str,
    spark: Callable[[], SparkSession],
    *,
    anew: bool = False,
    tell: Callable[[str], None] = lambda words: None,
) -> Compaction:
    """Compact the store at a place; return what was done. ``spark`` is called if there is anything to do.

    ``anew`` writes the whole snapshot from the log, whatever is there. ``tell`` is told each stage. Raises
    CorruptError where the log is damaged, ConflictError where another compaction was faster.
    """
    place = storage.place(store)
    log = Log.open(place / "log")
    base = _base(place, anew)
    plan = decide(log, base, anew=anew)
    failpoints.reach("r0:after")
    if plan.mode == "none":
        return plan
    files = history.verified_files(log, after=0 if plan.mode == "full" else plan.before)
    folder = _staging(place)
    try:
        session = spark()
        for name, value in SETTINGS.items():
            session.conf.set(name, value)
        stages = Stages(session, folder, files, tell)
        staged = full(stages, plan.version) if plan.mode == "full" else level(stages, _sound(base), plan.version)
        first = 1 if plan.mode == "full" else plan.before + 1
        plan.rows_in, plan.stages = stages.rows_in, stages.told
        failpoints.reach("r1:before")
        placed = snapshot_commit.place_files(place / NAME, staged, first, plan.version)
        failpoints.reach("r1:after")
        _commit(place, log, base, placed, plan)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return plan


def _base(place: Place, anew: bool) -> Snapshot | None:
    """Return the snapshot in force; a damaged one is none where all is written anew."""
    try:
        return Snapshot.open(place)
    except CorruptError:
        if not anew:
            raise
        return None


def _sound(base: Snapshot | None) -> Snapshot:
    assert base is not None
    return base


def _staging(place: Place) -> Path:
    """Return a folder for what Spark writes: on the store's own disk, so that moving it costs nothing."""
    if not isinstance(place, Path):
        return Path(tempfile.mkdtemp(prefix="lineage-tt-compact-"))
    folder = place / NAME / f"_staging-{unique_name()}"
    folder.mkdir(parents=True)
    return folder


def _commit(place: Place, log: Log, base: Snapshot | None, placed: list[Placed], plan: Compaction) -> None:
    horizon = list(plan.horizon) if plan.horizon else None
    meta = {
        "version": plan.version,
        "system_time": plan.system_time,
        "checksum": log.checksum.hex(),
        "horizon": horizon,
    }
    try:
        made = snapshot_commit.commit(place, base, placed, meta, full=plan.mode == "full")
    except ConflictError:
        snapshot_commit.discard(place / NAME, placed)
        raise
    plan.levels, plan.files_out = len(made.levels), len(placed)
    for file in placed:
        plan.rows_out[file.direction] = plan.rows_out.get(file.direction, 0) + file.rows
        plan.bytes_out[file.direction] = plan.bytes_out.get(file.direction, 0) + file.size
