"""The log's data files rebuilt under a policy."""

from __future__ import annotations

from pathlib import Path

from literals import MASK, found, text

from lineage_tt import Store
from lineage_tt.write.past.tighten.files import Files


def test_files_are_rebuilt_beside_those_in_force(literal_store: Store, tmp_path: Path) -> None:
    """What came meanwhile is taken in; what is discarded leaves nothing."""
    log = literal_store.opened_log
    files = Files(log, MASK, None, lambda done, of: None)
    files.advance()
    assert (files.version, files.replaces(path.name for path in log.files())) == (4, True)
    assert [file.first for file in files.changed()] == [1, 2, 3, 4]
    literal_store.append([text("e4", "s3cr3tW0rd", 30)], resolver=found)
    files.advance()
    names = [file.name for file in files.changed()]
    assert files.version == 5
    files.discard()

    assert not any((tmp_path / "log" / name).exists() for name in names)
    assert not files.replaces(path.name for path in log.files())
