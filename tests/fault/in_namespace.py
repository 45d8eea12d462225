"""Run inside ``unshare -rm``: a small disk of our own, an ingest on it until it fails, space again, the rest.

``python in_namespace.py full|readonly FOLDER FILE FREE_KIB``. Prints one JSON object: how the commands ended, and the
rows that were acknowledged before and are there afterwards.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from crashes import COMMAND, damage, ingest, rows

DISK_KIB = 3072


def digests(store: Path) -> list[str]:
    """Return the content of every row that was committed, short enough to be printed."""
    return [digest(row) for row in rows(store)] if (store / "log" / "_head.json").exists() else []


def digest(row: tuple[Any, ...]) -> str:
    """Return a digest of a row."""
    return hashlib.sha256(repr(row).encode()).hexdigest()


def fill(path: Path, free_kib: int) -> None:
    """Take all space of the disk but so much."""
    with path.open("wb") as filler:
        filler.write(bytes((DISK_KIB - free_kib) * 1024))


def full(disk: Path, file: Path, free_kib: int) -> dict[str, object]:
    """Ingest until the disk is full, free it, and run the same command again."""
    store, filler = disk / "s", disk / "filler"
    fill(filler, free_kib)
    first = ingest(store, file, fresh=True)
    before = digests(store)
    sound = not (store / "log" / "_head.json").exists() or damage(store) == []
    filler.unlink()
    again = ingest(store, file, fresh=True)
    return {
        "first": [first.status, first.err],
        "sound": sound,
        "before": before,
        "again": [again.status, again.err],
        "after": digests(store),
        "damage": damage(store),
    }


def read_only(disk: Path, file: Path, _: int) -> dict[str, object]:
    """Ingest, make the disk read-only, try to ingest more, and read."""
    store = disk / "s"
    lines = file.read_bytes().splitlines(keepends=True)
    part = disk / "part.jsonl"
    part.write_bytes(b"".join(lines[:20]))
    assert ingest(store, part, fresh=True).status == 0
    before = digests(store)
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    refused = ingest(store, file, fresh=True)
    read = subprocess.run([COMMAND, "--store", str(store), "log"], capture_output=True, timeout=60)
    return {
        "first": [refused.status, refused.err],
        "read": read.returncode,
        "before": before,
        "after": digests(store),
        "damage": damage(store),
    }


def main() -> None:
    """Mount the disk and act on it."""
    action, folder, file, free = sys.argv[1:]
    disk = Path(folder)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_KIB}k", "tmpfs", str(disk)], check=True)
    found = {"full": full, "readonly": read_only}[action](disk, Path(file), int(free))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
