"""A copy of a store taken while a writer continues, in the order that the docs give, is a whole store."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lineage_tt import sample
from lineage_tt.store import Store
from lineage_tt.testing import task_change

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "run-in-production.md"
COMMAND = [str(Path(sys.executable).with_name("lineage-tt"))]


def copied(store: Path, backup: Path) -> int:
    """Copy a store as docs/how-to/run-in-production.md does; return the number of commits copied."""
    commands = re.search(r"```sh\n(mkdir[^`]*)lineage-tt check", PAGE.read_text(encoding="utf-8"))
    assert commands is not None
    script = commands[1].replace("lineage/", f"{store}/").replace("backup/", f"{backup}/")
    done = subprocess.run(["bash", "-euc", script], capture_output=True, text=True, timeout=60, check=False)

    assert done.returncode == 0, done.stderr
    return len(list((backup / "log" / "_delta_log").glob("*.json")))


def test_copies_during_an_ingest_are_whole(tmp_path: Path) -> None:
    """Each of several copies taken during an ingest in small commits is clean, and holds a prefix of the log."""
    store = tmp_path / "store"
    Store.create(store)
    argv = ["ingest", str(sample.messages()), "--batch", "4", "--system-time-from", "recorded_at", "--no-progress"]
    writer = subprocess.Popen([*COMMAND, *argv, "--store", str(store)], stdout=subprocess.DEVNULL)
    backups: list[Path] = []
    try:
        while writer.poll() is None:
            backups.append(tmp_path / f"backup-{len(backups)}")
            if copied(store, backups[-1]) == 1:  # not begun yet
                shutil.rmtree(backups.pop())
            time.sleep(0.05)
    finally:
        assert writer.wait(timeout=120) == 0
    versions = [checked_version(backup) for backup in backups[:: max(1, len(backups) // 6)]]

    assert len(set(versions)) > 3
    assert sorted(versions) == versions
    assert versions[-1] <= Store.open(store).version


def test_a_commit_that_is_being_written_is_not_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy taken while a commit's file is written and not linked yet holds what was committed before it."""
    store, backup, commits = tmp_path / "store", tmp_path / "backup", []
    opened = Store.create(store)
    link = os.link

    def copied_before(fresh: Path, path: Path) -> None:
        assert fresh.exists()
        commits.append(copied(store, backup))
        link(fresh, path)

    monkeypatch.setattr(os, "link", copied_before)
    opened.append([task_change("t", "online", "2026-01-01T00:00:00Z", [("n:a#x", "n:b#x")])])

    assert commits == [1]
    assert sorted(p.name for p in (backup / "log" / "_delta_log").iterdir()) == [f"{0:020d}.json"]


def checked_version(backup: Path) -> int:
    """Return the version of a store that ``check`` finds clean."""
    done = subprocess.run(
        [*COMMAND, "check", "--store", str(backup)], capture_output=True, text=True, timeout=60, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr
    return Store.open(backup).version
