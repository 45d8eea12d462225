"""``log``: the messages received."""

from __future__ import annotations

from pathlib import Path

import pytest

from lineage_tt.cli.app import run
from lineage_tt.store import Store
from lineage_tt.testing import task_change


@pytest.mark.parametrize(("after", "said"), [(0, ""), (1, ""), (9, "note: there is no version 9: the last one is 1\n")])
def test_a_version_that_is_not_there_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], after: int, said: str
) -> None:
    """A list that is empty because nothing came since is not the same as one after a version that never was."""
    store = Store.create(tmp_path / "s")
    store.append([task_change("t", "online", 0, [("n:a", "n:b")])])

    status = run(["--store", str(tmp_path / "s"), "log", "--after", str(after)])

    assert (status, capsys.readouterr().err) == (0, said)
