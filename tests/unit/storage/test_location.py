"""Where a store is: paths, URIs and what cannot be opened."""

from __future__ import annotations

from pathlib import Path

import pytest

from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.storage.location import delta_options, is_local, local_file, local_files, place


def test_a_path_and_its_uri_are_one_place(tmp_path: Path) -> None:
    """A text, a ``file://`` URI and a Path name the same folder; a Path is taken as it is."""
    assert place(str(tmp_path)) == place(f"file://{tmp_path}") == tmp_path
    assert place(tmp_path) is tmp_path


@pytest.mark.parametrize("uri", ["hdfs://n/x", "gs://b/x", "abfss://c@a/x", "https://h/x"])
def test_another_scheme_is_the_callers_mistake(uri: str) -> None:
    """The error names the URI and what can be given instead."""
    with pytest.raises(InvalidRequestError, match=r"cannot open .*://") as caught:
        place(uri)

    assert caught.value.hint == "give the path of a folder, or s3://bucket/prefix"


def test_a_folder_may_have_the_name_of_a_scheme() -> None:
    """Without ``://`` a text is a path, whatever it begins with."""
    assert place("s3/bucket") == Path("s3/bucket")


def test_a_local_file_is_its_own_copy(tmp_path: Path) -> None:
    """On a disk nothing is copied or even looked at; no options are needed to open a table there."""
    absent = tmp_path / "absent"

    assert is_local(absent)
    assert local_file(absent, "00" * 32) == absent
    assert local_files([]) == []
    assert delta_options(absent) is None
