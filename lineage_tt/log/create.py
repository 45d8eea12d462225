"""A log's first commit, and the keeper (disk or object store) for a log at a place."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import deltalake
from deltalake.transaction import CommitProperties, PostCommitHookProperties

from lineage_tt.log import commits
from lineage_tt.log.commit_file import meta_of
from lineage_tt.log.stores import local
from lineage_tt.model.clock import unique_name
from lineage_tt.model.errors import CorruptError
from lineage_tt.model.format import GENESIS, PLAIN_FORMAT
from lineage_tt.storage import durable, location

if TYPE_CHECKING:
    from lineage_tt.log.stores.objects import ObjectKeeper
    from lineage_tt.storage.location import Place

#: deltalake writes no checkpoint and removes nothing by itself.
NO_HOOKS: Final = PostCommitHookProperties(create_checkpoint=False, cleanup_expired_logs=False)


def keeper_of(path: Place) -> local.DiskKeeper | ObjectKeeper:
    """Return the keeper for a log at this place."""
    if isinstance(path, Path):
        return local.DiskKeeper(path)
    from lineage_tt.log.stores.objects import ObjectKeeper

    return ObjectKeeper(path)


def create_log(path: Place) -> None:
    """Create a log if none exists; UnavailableError where the disk fails, CorruptError where all commits are lost."""
    try:
        durable.make_folder(path)
        if not commits.listed_commits(path):
            if (path / commits.HEAD_NAME).exists() and not commits.listed_commits(path):
                raise CorruptError(f"all commit files of the log at {path} are missing")
            _make(path)
    except OSError as error:
        raise local.unavailable("create a store", error) from error


def _make(path: Place) -> None:
    """Put the first commit, unless another process just did."""
    from lineage_tt.log.arrow import SCHEMA  # pyarrow takes 0.1 s to load, which readers need not wait for

    writer = unique_name()

    def put() -> None:
        deltalake.DeltaTable.create(
            path if isinstance(path, Path) else str(path),
            schema=SCHEMA,
            name=f"{commits.KEY}.log",
            description="one row per message received: docs/reference/format.md",
            configuration={"delta.appendOnly": "true"},
            commit_properties=CommitProperties(
                max_commit_retries=0,  # a retry would come after the commit of a faster process
                custom_metadata={commits.KEY: meta_of(PLAIN_FORMAT, "", 0, 0, 0, GENESIS, [], {}, writer)},
            ),
            post_commithook_properties=NO_HOOKS,
            storage_options=location.delta_options(path),
        )

    keeper_of(path).make(put, writer)
    durable.sync(path)  # the name of the folder of commits
