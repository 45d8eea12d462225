"""Delta checkpoints: the state of the log in one file, so that opening it reads few commits."""

from __future__ import annotations

import deltalake

from lineage_tt.log import commits
from lineage_tt.storage import durable
from lineage_tt.storage.location import Place


def make_checkpoint(table: deltalake.DeltaTable, log: Place, delta_version: int) -> dict[str, str]:
    """Write a checkpoint of ``table`` at ``delta_version``, durably; return the SHA-256 of its files by name."""
    table.create_checkpoint()
    folder = log / "_delta_log"
    stem = f"{delta_version:020d}"
    made = {path.name: path for path in folder.glob(f"{stem}.checkpoint*.parquet")}
    made[f"{commits.LAST_CHECKPOINT}@{stem}"] = folder / commits.LAST_CHECKPOINT
    for path in made.values():
        durable.sync(path)
    return {name: durable.sha256_file(path) for name, path in made.items()}
