"""What a bulk import reads: files of JSON Lines, Parquet folders, tables of Delta, Hive or a database.

Every source has an order, since versions are numbered in it: a file has that of its lines, a Parquet folder that of its
files' names and rows; a table has none and is sorted by ``order_by``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ingest.messages.bombs import refuse_parquet_bombs
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.os_errors import files_below

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

Format = Literal["parquet", "delta", "hive", "jdbc"]
_DEFAULT_ORDER = ("recorded_at",)
_MESSAGE = "lineage_tt_message"


@dataclass(frozen=True, slots=True)
class LinesFile:
    """A file of JSON Lines: plain, gzip or zstd."""

    path: str

    @property
    def name(self) -> str:
        """How the log calls the source: as ``lineage-tt ingest`` does."""
        return Path(self.path).resolve().as_uri()


@dataclass(frozen=True, slots=True)
class Table:
    """Rows that Spark reads. ``name`` is how the log calls the source; ``options`` may hold secrets and go nowhere."""

    name: str
    form: Format
    where: str
    order_by: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict, repr=False)


Source = LinesFile | Table


def sources_of(
    words: Sequence[str], order_by: Sequence[str] = (), options: Mapping[str, str] | None = None
) -> list[Source]:
    """Return the sources that these words name, files of a folder in the order of their names.

    A word is a file or folder, ``delta:PATH``, ``hive:DATABASE.TABLE``, or a JDBC URL with ``dbtable`` or ``query``
    in ``options``. Raises InvalidRequestError for a source that does not exist, and for a folder that cannot be read.
    """
    return [source for word in words for source in _sources_of(word, tuple(order_by), options or {})]


def _sources_of(word: str, order_by: tuple[str, ...], options: Mapping[str, str]) -> list[Source]:
    scheme, _, rest = word.partition(":")
    if scheme == "hive":
        return [Table(word, "hive", rest, order_by, options)]
    if scheme == "jdbc":
        what = options.get("dbtable") or options.get("query")
        if not what:
            raise InvalidRequestError(
                f"which table of {_without_secrets(word)}?", hint="add: --option dbtable=SCHEMA.TABLE"
            )
        return [Table(f"{_without_secrets(word)}#{what}", "jdbc", word, order_by, options)]
    path = Path(rest if scheme == "delta" else word.removeprefix("file://"))
    if scheme == "delta" or (path / "_delta_log").is_dir():
        return [Table(path.resolve().as_uri(), "delta", str(path.resolve()), order_by, options)]
    if path.is_dir():
        return _in_folder(path, order_by, options)
    if not path.is_file():
        raise InvalidRequestError(
            f"there is no file or folder {word}", hint="give files, folders, hive:, jdbc: or delta:"
        )
    if path.suffix == ".parquet":
        return [Table(path.resolve().as_uri(), "parquet", str(path.resolve()), order_by, options)]
    return [LinesFile(str(path.resolve()))]  # executors have working folders of their own


def _in_folder(path: Path, order_by: tuple[str, ...], options: Mapping[str, str]) -> list[Source]:
    files = sorted(f for f in files_below(path) if not _hidden(f.relative_to(path)))
    if not files:
        raise InvalidRequestError(f"the folder {path} is empty", hint="give a folder of JSON Lines or Parquet files")
    parquet = [f for f in files if f.suffix == ".parquet"]
    if not parquet:
        return [LinesFile(str(f.resolve())) for f in files]
    if len(parquet) < len(files):
        other = next(f for f in files if f.suffix != ".parquet")
        raise InvalidRequestError(
            f"{path} holds Parquet files and {other.name}", hint="give one kind of files at a time"
        )
    return [Table(path.resolve().as_uri(), "parquet", str(path.resolve()), order_by, options)]


def _hidden(path: Path) -> bool:
    return any(part.startswith((".", "_")) for part in path.parts)


def _without_secrets(url: str) -> str:
    """Return a JDBC URL without what may follow the database's name: user and password, in some dialects."""
    return url.split("?", 1)[0].split(";", 1)[0]


def rows_of(spark: SparkSession, table: Table) -> DataFrame:
    """Return the messages of a table as JSON, one string a row, in order."""
    from pyspark.sql import functions as f
    from pyspark.sql import types as t

    rows = _read(spark, table)
    plain = len(rows.columns) == 1 and isinstance(rows.schema[0].dataType, t.StringType | t.BinaryType)
    if plain:
        text: Column = f.col(f"`{rows.columns[0]}`").cast("string")
    else:
        form = "yyyy-MM-dd'T'HH:mm:ss.SSSSSS"
        text = f.to_json(f.struct("*"), {"timestampFormat": f"{form}XXX", "timestampNTZFormat": f"{form}'Z'"})
    order: list[Any] = [f.col(name) for name in _order(table, rows.columns)]
    stated = rows.withColumn(_MESSAGE, text)
    if table.form == "parquet":
        order += [f.col("_metadata.file_path"), f.col("_metadata.row_index")]
    else:
        order.append(f.col(_MESSAGE))  # equal rows are one message; others come in an order that is always the same
    return stated.orderBy(*order).select(_MESSAGE)


def _read(spark: SparkSession, table: Table) -> DataFrame:
    if table.form == "hive":
        return spark.table(table.where)
    if table.form in ("parquet", "delta"):
        refuse_parquet_bombs(table.where)
    if table.form == "jdbc":
        return spark.read.format("jdbc").options(url=table.where, **table.options).load()
    return spark.read.format(table.form).options(**table.options).load(table.where)


def _order(table: Table, columns: Sequence[str]) -> tuple[str, ...]:
    unknown = [name for name in table.order_by if name not in columns]
    if unknown:
        raise InvalidRequestError(f"{table.name} has no column {unknown[0]}", hint=f"it has: {', '.join(columns)}")
    if table.order_by or table.form == "parquet":
        return table.order_by
    if not set(_DEFAULT_ORDER) <= set(columns):
        raise InvalidRequestError(
            f"a table has no order, and {table.name} has no column recorded_at to sort by",
            hint="give the order of its messages: --order-by COLUMN[,COLUMN…]",
        )
    return _DEFAULT_ORDER


def bytes_of(source: Source) -> int | None:
    """Return how many bytes a file has; None for a table."""
    return os.stat(source.path).st_size if isinstance(source, LinesFile) else None
