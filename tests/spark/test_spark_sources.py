"""What a bulk import reads: the files of a folder, none passed over in silence."""

from __future__ import annotations

from pathlib import Path

import pytest
from users import closed_folder

from ingest.spark.sources import LinesFile, sources_of
from lineage_tt.model.errors import InvalidRequestError


def test_a_folder_that_cannot_be_read_is_refused() -> None:
    """Its messages were missing from the import without a word."""
    with closed_folder("a.jsonl") as top:
        words = f"cannot read folder {top / 'closed'}: Permission denied"
        with pytest.raises(InvalidRequestError, match=words):
            sources_of([str(top)])


def test_files_of_a_folder_are_in_order_without_hidden_ones(tmp_path: Path) -> None:
    """At any depth."""
    for name in ("b.jsonl", "a/c.jsonl", "_x/d.jsonl", ".e.jsonl"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    found = sources_of([str(tmp_path)])

    assert [Path(each.path).name for each in found if isinstance(each, LinesFile)] == ["c.jsonl", "b.jsonl"]
