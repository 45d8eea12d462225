"""Where a store is: a folder on a local disk, or a prefix in a bucket of an S3-compatible object store.

A *place* is a ``pathlib.Path``, or an ``ObjectPath`` with the same methods, so code that reads and writes the files of
a store need not know which. The differences are handled here and in ``options``, ``objects`` and ``cache``: options
and credentials, a local copy for DuckDB (which has no driver for object stores here), and how a Delta table is opened.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.storage.place import Place as Place  # for modules that import it from here

if TYPE_CHECKING:
    import deltalake
_OBJECT_SCHEMES = ("s3://", "s3a://")


def place(uri: str | Path | Place, options: Mapping[str, str] | None = None) -> Place:
    """Return the place that a URI names: a path, ``file://…`` or ``s3://bucket/prefix``.

    ``options`` (``storage_options``) take precedence over those of the environment. Raises InvalidRequestError for
    another scheme and for invalid options.
    """
    if isinstance(uri, Path):
        return uri
    if not isinstance(uri, str):
        return uri
    if is_in_bucket(uri):
        from lineage_tt.storage.objects import open_place

        return open_place(uri.partition("://")[2], options)
    text = uri.removeprefix("file://")
    if "://" in text:
        raise InvalidRequestError(
            f"cannot open {text}: a store is on a local disk or in an S3-compatible object store",
            hint="give the path of a folder, or s3://bucket/prefix",
        )
    return Path(text)


def is_in_bucket(uri: str) -> bool:
    """Return whether a URI names a prefix in a bucket."""
    return uri.startswith(_OBJECT_SCHEMES)


def is_local(place: Place) -> bool:
    """Return whether a place is on a local disk."""
    return isinstance(place, Path)


def delta_options(place: Place) -> dict[str, str] | None:
    """Return what deltalake needs to open a table at this place. It holds secrets: never print or log it."""
    return None if isinstance(place, Path) else place.bucket.delta_options()


def delta_table(place: Place, version: int | None = None) -> deltalake.DeltaTable:
    """Open the Delta table at a place; raises deltalake's own errors."""
    import deltalake

    if isinstance(place, Path):
        return deltalake.DeltaTable(place, version=version)
    return deltalake.DeltaTable(str(place), version=version, storage_options=delta_options(place))


def local_file(place: Place, sha256: str | None = None) -> Path:
    """Return a local file with the bytes of an immutable file: itself on disk, else a pinned copy in the cache.

    With ``sha256`` (hex) a copy is verified: ``durable.DigestError`` where the object's bytes do not have it. A file
    on a local disk is not verified. Raises FileNotFoundError where there is no such object.
    """
    return local_files([(place, sha256)])[0]


def local_files(files: Iterable[tuple[Place, str | None]]) -> list[Path]:
    """Return ``local_file`` of each, fetched in parallel."""
    listed = list(files)
    paths = [each for each, _ in listed if isinstance(each, Path)]
    if len(paths) == len(listed):
        return paths
    from lineage_tt.storage.cache import fetch_all

    return fetch_all(listed)
