"""Removal of files that are no longer needed: replaced files, and files that killed processes left.

Files that may still be read or committed are kept: those that were replaced, or written and not committed, within the
grace period. A writer gives up half an hour after it wrote its data file (``log.OLDEST_PENDING``), so the grace period
is at least twice that. A reader that finds a file gone reads the file that replaced it (``read.reader``).
"""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from deltalake.exceptions import DeltaError

from lineage_tt.log import commits
from lineage_tt.log.log import OLDEST_PENDING
from lineage_tt.log.stores.listing import listed
from lineage_tt.log.stores.local import unavailable
from lineage_tt.model.clock import SystemClock
from lineage_tt.model.os_errors import system_errors
from lineage_tt.storage import location, write_queue

if TYPE_CHECKING:
    from lineage_tt.storage.location import Place

#: The name of folders that hold what Spark writes until it is moved to its final place.
STAGING: Final = "_staging-"
#: Hours that a file is kept after it was replaced.
GRACE: Final = 24
SHORTEST: Final = int(2 * OLDEST_PENDING // 3600)


class Vacuumed(NamedTuple):
    """What was removed, or would be removed."""

    files: int
    names: tuple[str, ...]


@system_errors("remove files")
def vacuum(place: Place, grace: int = GRACE, *, dry_run: bool = False) -> Vacuumed:
    """Remove files of the table at ``place`` that were replaced more than ``grace`` hours ago.

    deltalake only lists them, since it would write its own commits, which our logs do not accept.
    """
    try:
        table = listed(lambda: location.delta_table(place))
        unused = table.vacuum(retention_hours=grace, dry_run=True, enforce_retention_duration=False, full=True)
    except DeltaError as error:
        raise unavailable(f"list the files of {place}", error) from error
    names = tuple(sorted(name.removeprefix("./").replace("%3D", "=") for name in unused))
    if not dry_run:
        for name in names:
            (place / name).unlink(missing_ok=True)
        _sweep(place, grace)
    return Vacuumed(len(names), names)


def _sweep(place: Place, grace: int) -> None:
    """Remove files that a killed compaction or commit had not yet moved to their final place."""
    if isinstance(place, Path):
        oldest = SystemClock().now() / 1_000_000 - grace * 3600
        for file in (place / "_delta_log").glob(f"*.json{commits.IN_FLIGHT}*"):
            with suppress(FileNotFoundError):
                if file.stat().st_mtime < oldest:
                    file.unlink()
        for file in write_queue.leftovers(place):
            with suppress(FileNotFoundError):
                if file.stat().st_mtime < oldest:
                    file.unlink()
        for folder in place.glob(f"{STAGING}*"):
            if folder.stat().st_mtime < oldest:
                shutil.rmtree(folder, ignore_errors=True)
