"""Made histories: the shared generator's, as files of native messages, kept between runs.

Found through ``$LINEAGE_TT_SHARED`` or ``../shared``. Files go to ``$LINEAGE_TT_BENCH_DIR``, else to a folder of the
system's temporary directory; never into the repository.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import orjson

ROOT = Path(__file__).resolve().parents[2]
#: tasks of a scale; each is stated about ten times
SCALES = {"tiny": 2_000, "S": 20_000, "L": 200_000}
SEED = 1
_OPS = {"create": "online", "update": "update", "delete": "offline"}


@dataclass(frozen=True, slots=True)
class History:
    """A made history: ``messages`` in native form, its first ``tenth``, messages recorded later, what it comes to."""

    folder: Path
    facts: dict[str, Any]

    @property
    def messages(self) -> Path:
        """The whole history, JSON Lines in order of ``recorded_at``."""
        return self.folder / "native.jsonl"

    @property
    def tenth(self) -> Path:
        """The first tenth of the messages."""
        return self.folder / "tenth.jsonl"

    @property
    def intervals(self) -> Path:
        """The generator's own answer: every rectangle with its system interval, instants in milliseconds."""
        return self.folder / "intervals.parquet"

    def tail(self) -> Iterator[bytes]:
        """Yield native messages recorded after the history."""
        with (self.folder / "tail-native.jsonl").open("rb") as lines:
            yield from lines


def shared_folder() -> Path:
    """Return the folder of shared material; exits with status 2 where it is not found."""
    given = os.environ.get("LINEAGE_TT_SHARED")
    folder = Path(given) if given else ROOT.parent / "shared"
    if not (folder / "tools").is_dir():
        print("the shared material is not found: set LINEAGE_TT_SHARED to its folder", file=sys.stderr)
        sys.exit(2)
    return folder


def bench_folder() -> Path:
    """Return the folder in which made data is kept."""
    given = os.environ.get("LINEAGE_TT_BENCH_DIR")
    folder = Path(given) if given else Path(tempfile.gettempdir()) / f"lineage-tt-bench-{os.getuid()}"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def made_history(scale: str, tasks: int | None = None) -> History:
    """Return the history of a scale (``tasks`` cuts it down), made now if it was not before."""
    count = tasks or SCALES[scale]
    folder = bench_folder() / f"history-{count}x10-{SEED}"
    if not (folder / "made").exists():
        _make(count, folder)
    return History(folder, orjson.loads((folder / "meta.json").read_bytes()))


def _make(tasks: int, folder: Path) -> None:
    print(f"making a history of {tasks:,} tasks in {folder} ...", file=sys.stderr)
    generator = shared_folder() / "tools" / "gen_lineage_history.py"
    command = [sys.executable, str(generator), "--tasks", str(tasks), "--versions", "10", "--seed", str(SEED)]
    subprocess.run([*command, "--messages", "--out", str(folder)], check=True, timeout=3600)
    made = folder / "messages.jsonl"
    with made.open("rb") as lines, (folder / "native.jsonl").open("wb") as native:
        total = 0
        for line in lines:
            native.write(_native(orjson.loads(line)))
            total += 1
    made.unlink()
    with (folder / "native.jsonl").open("rb") as native, (folder / "tenth.jsonl").open("wb") as tenth:
        tenth.writelines(islice(native, total // 10))
    _write_tail(folder)
    (folder / "made").touch()


def _write_tail(folder: Path) -> None:
    import pyarrow.parquet as pq

    names = pq.read_table(folder / "columns.parquet", columns=["name"])["name"].to_pylist()
    with (folder / "tail.jsonl").open("rb") as lines, (folder / "tail-native.jsonl").open("wb") as native:
        for line in lines:
            document = orjson.loads(line)
            document["edges"] = sorted({(names[source], names[target]) for source, target in document["edges"]})
            document["task_id"] = f"task_{document['task_id']:06d}"
            native.write(_native(document))


def _native(given: dict[str, Any]) -> bytes:
    """Return a generator's message in the native format, as one line."""
    message: dict[str, Any] = {
        "event_id": given["event_id"],
        "task_id": given["task_id"],
        "op": _OPS[given["op"]],
        "effective_at": given["occurred_at"] * 1000,
        "recorded_at": given["recorded_at"] * 1000,
    }
    if message["op"] != "offline":
        message["edges"] = [{"source": node(source), "target": node(target)} for source, target in given["edges"]]
    return orjson.dumps(message, option=orjson.OPT_APPEND_NEWLINE)


def node(name: str) -> str:
    """Return the node of a made column: ``hive:ods.t000001#c003`` for ``ods.t000001.c003``."""
    table, _, column = name.rpartition(".")
    return f"hive:{table}#{column}"
