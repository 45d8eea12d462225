"""Delta checkpoints: the state of the log in one file, so that opening it reads few commits."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Final

import deltalake
from deltalake.exceptions import DeltaError

from lineage_tt.log import commits
from lineage_tt.model.errors import LineageError
from lineage_tt.storage import durable
from lineage_tt.storage.location import Place

LOGGER: Final = logging.getLogger("lineage_tt.log")


def make_checkpoint(table: deltalake.DeltaTable, log: Place, delta_version: int) -> dict[str, str]:
    """Write a checkpoint of ``table`` at ``delta_version``, durably; return the SHA-256 of its files by name."""
    table.create_checkpoint()
    folder = log / "_delta_log"
    stem = f"{delta_version:020d}"
    written = {path.name: path for path in folder.glob(f"{stem}.checkpoint*.parquet")}
    written[f"{commits.LAST_CHECKPOINT}@{stem}"] = folder / commits.LAST_CHECKPOINT
    for path in written.values():
        durable.sync(path)
    return {name: durable.sha256_file(path) for name, path in written.items()}


def attempt(make: Callable[[], None]) -> None:
    """Make a checkpoint by ``make``. A failure is only logged: the log is complete without checkpoints.

    The append that it follows is committed and durable, and the next checkpoint is due soon.
    """
    try:
        make()
    except (LineageError, DeltaError, OSError) as error:
        LOGGER.warning("a checkpoint was not made: %s", error)


def beside(make: Callable[[], None]) -> threading.Thread | None:
    """``attempt`` it in a thread of its own, which the process waits for before it exits.

    Returns None where no thread can be started.
    """
    thread = threading.Thread(target=attempt, args=(make,), name="lineage-tt-checkpoint")
    try:
        thread.start()
    except RuntimeError:  # the process is ending, or has no memory
        return None
    return thread
