"""What the tests of the import compare: two stores, row for row."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import os
import sys
from pathlib import Path
from typing import Any, NamedTuple

from lineage_tt import Store
from lineage_tt.cli.app import run
from lineage_tt.log.log import Log
from lineage_tt.maintenance.check import check

SAMPLE = Path(__file__).resolve().parents[2] / "lineage_tt" / "sample" / "retail.jsonl"
COMMAND = str(Path(sys.executable).with_name("lineage-tt"))


class Said(NamedTuple):
    """What a call of the command printed, and its exit status."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON object on standard output."""
        return json.loads(self.out)


def call(*args: object, store: Path) -> Said:
    """Run a command line in this process, whose Spark session it takes."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = run([*map(str, args), "--store", str(store)])
    return Said(status, out.getvalue(), err.getvalue())


def environment(**changed: str) -> dict[str, str]:
    """Return a plain environment: no store, no failpoint of the caller's."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LINEAGE", "PYTEST"))}
    return kept | changed


def checksum(store: Path) -> str:
    """Return the checksum of the last row, which is chained over all rows before."""
    return Log.open(store / "log").checksum.hex()


def rows(store: Path, *left_out: str) -> list[tuple[Any, ...]]:
    """Return every row of the log as text, without some columns."""
    opened = Store.open(store)
    columns = ", ".join(left_out)
    exclude = f"EXCLUDE ({columns})" if columns else ""
    return opened.sql(f"SELECT * {exclude} FROM log ORDER BY version")[1]


def is_sound(store: Path) -> bool:
    """Say whether ``check`` finds nothing."""
    return check(store) == []


def sample_lines() -> list[bytes]:
    """Return the sample's messages."""
    return SAMPLE.read_bytes().splitlines(keepends=True)


def real_lines(shared: Path, count: int) -> list[bytes]:
    """Return the first messages of the real stream."""
    with gzip.open(shared / "data" / "bqetl_stream" / "messages-2019.jsonl.gz", "rb") as file:
        return [line for _, line in zip(range(count), file, strict=False)]


def task(number: int, **changed: Any) -> dict[str, Any]:
    """Return a message of SQL."""
    made = {
        "event_id": f"e{number}",
        "task_id": f"t{number}",
        "op": "online",
        "effective_at": "2024-01-01T00:00:00Z",
        "recorded_at": f"2024-01-01T00:{number // 60:02d}:{number % 60:02d}Z",
        "sql": f"INSERT INTO dw.t{number} SELECT a, b AS c FROM ods.s{number}",
        "dialect": "hive",
        "namespace": "hive",
    }
    return {name: value for name, value in (made | changed).items() if value is not None}


def write(path: Path, *messages: dict[str, Any]) -> Path:
    """Write messages as JSON Lines."""
    path.write_text("".join(json.dumps(message) + "\n" for message in messages), encoding="utf-8")
    return path
