"""The snapshot: the log up to a version, compacted; and its reader, which needs no Spark.

A Delta table next to the log, with one commit per compaction. Its partitions (``direction``) are the disjoint
rectangles, sorted by source and again by target, with integers for names; the names for these integers; the system time
of each version; and the rectangles of facts. ``docs/reference/format.md`` lists the columns.

A full compaction writes all of it; an incremental one adds a *level*: what was opened after the last version covered so
far, and closing rows (``opened`` is null) for rectangles of older levels, which act like a minus in the log's tail. The
snapshot is derived from the log, and can be rebuilt from it if it is damaged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

import orjson

from lineage_tt.log.commits import KEY
from lineage_tt.log.retention import Horizon
from lineage_tt.model.errors import CorruptError, InvalidRequestError
from lineage_tt.storage import durable, location

if TYPE_CHECKING:
    import pyarrow as pa

    from lineage_tt.model.redaction.policy import TextState
    from lineage_tt.storage.location import Place

NAME: Final = "snapshot"
#: Holds the last commit and the SHA-256 of its file, which ``check`` compares.
HEAD_NAME: Final = "_head.json"
SNAPSHOT_FORMAT: Final = 1
#: Each partition's columns with DuckDB's names for their types, and the columns it is sorted by.
_EDGE: Final = {"source": "INTEGER", "target": "INTEGER", "task": "INTEGER", "label": "INTEGER"}
_VALID: Final = {"valid_from": "TIMESTAMPTZ", "valid_to": "TIMESTAMPTZ"}
_BELIEVED: Final = {"opened": "BIGINT", "closed": "BIGINT"}
_FACT: Final = dict.fromkeys(("kind", "subject", "node", "key", "value"), "VARCHAR")
COLUMNS: Final[dict[str, dict[str, str]]] = {
    "source": _EDGE | _VALID | _BELIEVED,
    "target": _EDGE | _VALID | _BELIEVED,
    "nodes": {"id": "INTEGER", "name": "VARCHAR"},
    "tasks": {"id": "INTEGER", "name": "VARCHAR"},
    "labels": {"id": "INTEGER", "type": "VARCHAR", "subtype": "VARCHAR", "expression": "VARCHAR"},
    "versions": {"version": "BIGINT", "system_time": "TIMESTAMPTZ"},
    "facts": _FACT | _VALID | _BELIEVED,
}
ORDER: Final[dict[str, tuple[str, ...]]] = {
    "source": ("source", "target", "task", "label", "valid_from", "opened"),
    "target": ("target", "source", "task", "label", "valid_from", "opened"),
    "nodes": ("id",),
    "tasks": ("id",),
    "labels": ("id",),
    "versions": ("version",),
    "facts": ("node", "key", "subject", "valid_from", "opened"),
}
#: A file's name states the versions that its level covers, its position in the order, and the SHA-256 of its bytes.
FILE: Final = re.compile(r"direction=(\w+)/(\d{20})-(\d{20})-(\d{5})-([0-9a-f]{64})-([0-9a-f]{32})\.parquet")
REBUILD: Final = "rebuild it from the log: lineage-tt compact --full"


class HasTexts(Protocol):
    """A log."""

    @property
    def path(self) -> Place:
        """Its folder."""
        ...

    @property
    def texts(self) -> TextState:
        """How much of the texts is kept, and since when."""
        ...


class Snapshot:
    """The snapshot as of one commit of its table."""

    def __init__(self, place: Place, delta_version: int, meta: Mapping[str, Any], names: Iterable[str]) -> None:
        self.place = place
        self.delta_version = delta_version
        self.meta = meta
        #: The files in force, by name: levels and, in each, the order of the rows.
        self.names = sorted(names)
        self._verified: set[str] = set()
        #: The snapshot covers the log up to and including this version; the tail comes after it.
        self.version = int(meta["version"])
        self.system_time = int(meta["system_time"])
        #: The checksum of the log's row ``version``: it binds the snapshot to its log.
        self.checksum = bytes.fromhex(meta["checksum"])
        self.horizon = Horizon(*meta["horizon"]) if meta.get("horizon") else None
        #: The log's ``TextState.epoch`` when it was made: if the log's differs, it may hold texts that were removed.
        self.epoch = int(meta.get("texts_epoch", 0))

    @classmethod
    def open(cls, store: Place | str) -> Snapshot | None:
        """Open the newest snapshot of a store, None if there is none; CorruptError where it is truncated or altered."""
        from deltalake.exceptions import DeltaError, TableNotFoundError

        place = location.place(store) / NAME
        try:
            if isinstance(place, Path) and not (place / "_delta_log").is_dir():
                return None
            table = location.delta_table(place)
        except TableNotFoundError:
            return None
        except (DeltaError, OSError) as error:
            if not isinstance(place, Path) and isinstance(error, OSError):
                raise place.bucket.failure("open the snapshot", error) from None  # it may exist but cannot be read
            raise CorruptError(f"the snapshot's Delta table does not open: {error}", hint=REBUILD) from error
        names = ["/".join(uri.rsplit("/", 2)[-2:]).replace("%3D", "=") for uri in table.file_uris()]
        snapshot = cls(place, table.version(), _read_meta(place, table.version(), names), names)
        return snapshot if snapshot.version else None

    @classmethod
    def of(cls, log: HasTexts) -> Snapshot | None:
        """Open the newest snapshot of a log; None where it has none, or only one from before texts were rewritten."""
        newest = cls.open(log.path.parent)
        return newest if newest is not None and newest.epoch == log.texts.epoch else None

    @property
    def levels(self) -> list[tuple[int, int]]:
        """The (first, last) versions of each level, the full one first."""
        return sorted({(int(m.group(2)), int(m.group(3))) for m in map(_stated, self.names)})

    def rows(self, direction: str) -> int:
        """Return how many rows a partition has, closing rows included."""
        return int(self.meta["rows"].get(direction, 0))

    def sizes(self) -> dict[str, int]:
        """Return how many bytes each file in force has, by name."""
        import pyarrow as pa

        actions = pa.table(location.delta_table(self.place, self.delta_version).get_add_actions(flatten=True))
        return dict(zip(actions["path"].to_pylist(), actions["size_bytes"].to_pylist(), strict=True))

    def named(self, direction: str) -> list[str]:
        """Return the names of the files of a partition in order."""
        return [name for name in self.names if _stated(name).group(1) == direction]

    def files(self, direction: str) -> list[Path]:
        """Return the files of a partition, on this machine's disk, each verified once."""
        names = self.named(direction)
        stated = [(self.place / name, _stated(name).group(5)) for name in names]
        try:
            result = location.local_files(stated)
            self._verify(dict(zip(names, result, strict=True)))
        except FileNotFoundError as error:
            raise CorruptError(f"the snapshot's file {error.filename or error} is missing", hint=REBUILD) from None
        except durable.DigestError as error:
            raise CorruptError(f"the snapshot's file {error} was cut or altered", hint=REBUILD) from None
        return result

    def _verify(self, files: Mapping[str, Path]) -> None:
        """Raise CorruptError where the bytes of a file do not match its name; each file is checked once."""
        fresh = [name for name in files if name not in self._verified]
        for name, digest in durable.side_by_side(lambda name: durable.sha256_file(files[name]), fresh):
            if digest != _stated(name).group(5):
                raise CorruptError(f"the snapshot's file {name} was cut or altered", hint=REBUILD)
            self._verified.add(name)

    def relation(self, direction: str) -> str:
        """Return a partition as a relation in DuckDB's SQL, with every level and closing rows."""
        columns = ", ".join(f'"{name}"' for name in COLUMNS[direction])
        return f"(SELECT {columns} FROM {_read(self.files(direction), direction)})"

    def closed(self, direction: str) -> str:
        """Return the rectangles of a partition in DuckDB's SQL, each closed by the closing row that belongs to it."""
        keys = [name for name in COLUMNS[direction] if name not in _BELIEVED]
        plain, listed = self.relation(direction), ", ".join(f'"{key}"' for key in keys)
        if len(self.levels) < 2:
            return plain
        same = " AND ".join(f'r."{key}" IS NOT DISTINCT FROM c."{key}"' for key in keys)
        return f"""(
    SELECT {", ".join(f'r."{key}"' for key in keys)}, r.opened, coalesce(r.closed, c.closed) AS closed
    FROM (FROM {plain} WHERE opened IS NOT NULL) AS r LEFT JOIN (
        SELECT *, lag(closed, 1, 0::BIGINT) OVER (PARTITION BY {listed} ORDER BY closed) AS since
        FROM {plain} WHERE opened IS NULL
    ) AS c ON {same} AND r.closed IS NULL AND r.opened >= c.since AND r.opened < c.closed
)"""

    def table(self, direction: str) -> pa.Table:
        """Return the rows of a partition, of every level, as they are stored, as Arrow."""
        return _arrow(f"FROM {self.relation(direction)} ORDER BY {_order(direction)}")

    def rectangles(self, direction: str = "source") -> pa.Table:
        """Return the disjoint rectangles, with their ends, in the order of ``source`` or ``target``, as Arrow."""
        return _arrow(f"FROM {self.closed(direction)} ORDER BY {_order(direction)}")

    def facts(self) -> pa.Table:
        """Return the rectangles of facts, with their ends, as Arrow."""
        return _arrow(f"FROM {self.closed('facts')} ORDER BY {_order('facts')}")


def _read_meta(place: Place, version: int, names: list[str]) -> Mapping[str, Any]:
    """Return the last commit's metadata; CorruptError unless it is ours, complete, and names the files in force."""
    path = place / "_delta_log" / f"{version:020d}.json"
    try:
        actions = [orjson.loads(line) for line in path.read_bytes().splitlines()]
        meta: Mapping[str, Any] = next(a["commitInfo"] for a in actions if "commitInfo" in a)[KEY]
        if meta["format"] > SNAPSHOT_FORMAT:
            raise InvalidRequestError(
                f"the snapshot has format {meta['format']}, this release reads up to {SNAPSHOT_FORMAT}",
                hint="use a newer release of lineage_tt",
            )
        if sorted(meta["files"]) != sorted(names) or not all(map(FILE.fullmatch, names)):
            raise ValueError("the files in force are not those that it names")
        bytes.fromhex(meta["checksum"])
    except (ValueError, KeyError, TypeError, StopIteration, FileNotFoundError) as error:
        words = f"the snapshot's last commit, {path.name}, is cut or altered: {type(error).__name__} {error}"
        raise CorruptError(words, hint=REBUILD) from None
    return meta


def _stated(name: str) -> re.Match[str]:
    match = FILE.fullmatch(name)
    if not match:
        raise CorruptError(f"{name} is not named as a file of the snapshot", hint=REBUILD)
    return match


def _order(direction: str) -> str:
    return ", ".join(f'"{name}"' for name in ORDER[direction])


def _read(files: Iterable[Path], direction: str) -> str:
    from lineage_tt.read.macros.asof import quote

    listed = ", ".join(quote(str(path)) for path in files)
    if listed:
        return f"read_parquet([{listed}], hive_partitioning = false)"
    columns = ", ".join(f'NULL::{kind} AS "{name}"' for name, kind in COLUMNS[direction].items())
    return f"(SELECT {columns} WHERE false)"


def _arrow(query: str) -> pa.Table:
    from lineage_tt.read.macros.database import reading_files

    with reading_files() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        return connection.sql(query).to_arrow_table()
