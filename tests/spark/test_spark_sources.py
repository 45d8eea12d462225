"""What a bulk import reads: the files of a folder, none passed over in silence."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from users import someone_else

from ingest.spark.sources import LinesFile, sources_of
from lineage_tt.model.errors import InvalidRequestError


def test_a_folder_that_cannot_be_read_is_refused() -> None:
    """Its messages were missing from the import without a word."""
    with someone_else():
        top = Path(tempfile.mkdtemp(dir="/tmp"))  # pytest's own folder belongs to the user who runs it
        (top / "a.jsonl").write_text("")
        (top / "closed").mkdir(mode=0)
        try:
            with pytest.raises(InvalidRequestError, match=f"cannot read folder {top / 'closed'}: Permission denied"):
                sources_of([str(top)])
        finally:
            (top / "closed").chmod(0o700)
            shutil.rmtree(top)


def test_files_of_a_folder_are_in_order_without_hidden_ones(tmp_path: Path) -> None:
    """At any depth."""
    for name in ("b.jsonl", "a/c.jsonl", "_x/d.jsonl", ".e.jsonl"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    found = sources_of([str(tmp_path)])

    assert [Path(each.path).name for each in found if isinstance(each, LinesFile)] == ["c.jsonl", "b.jsonl"]
