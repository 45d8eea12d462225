"""The files below a folder: in order, without what is hidden, and nothing passed over in silence."""

from __future__ import annotations

from pathlib import Path

import pytest
from users import closed_folder

from lineage_tt.cli.folders import walk
from lineage_tt.model.errors import InvalidRequestError


def test_files_are_listed_in_order_without_what_is_hidden(tmp_path: Path) -> None:
    """Folders are gone through at any depth; names that begin with a dot are left out, with all below them."""
    for name in ("b.sql", "a/z.sql", "a/.x.sql", ".git/c.sql", "_d/e.sql"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")

    assert [each.relative_to(tmp_path).as_posix() for each in walk(tmp_path).files] == [
        "_d/e.sql", "a/z.sql", "b.sql",
    ]  # fmt: skip
    assert [each.name for each in walk(tmp_path, hidden="._").files] == ["z.sql", "b.sql"]
    assert list(walk(tmp_path).notes()) == []


def test_links_that_are_not_read_are_said(tmp_path: Path) -> None:
    """A link to a file is read; one to a folder is not followed, even into itself, and one to nothing is counted."""
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "a.sql").write_text("")
    (tmp_path / "jobs" / "b.sql").symlink_to("a.sql")
    (tmp_path / "jobs" / "c.sql").symlink_to("gone.sql")
    (tmp_path / "jobs" / "d.sql").symlink_to("d.sql")
    (tmp_path / "jobs" / "round").symlink_to(tmp_path)

    walked = walk(tmp_path / "jobs")

    assert [each.name for each in walked.files] == ["a.sql", "b.sql"]
    folder = tmp_path / "jobs"
    assert list(walked.notes()) == [
        f"1 linked folder ({folder / 'round'}) not followed: give a linked folder by name to read it",
        f"2 links ({folder / 'c.sql'}, {folder / 'd.sql'}) not read: nothing is where a link leads",
    ]


@pytest.mark.parametrize("mode", [0o000, 0o444])
def test_a_folder_that_cannot_be_read_is_refused(mode: int) -> None:
    """It counted as empty, so that a gate passed over the tasks in it; the message names the folder."""
    with closed_folder("a.sql", mode=mode) as top:
        words = rf"cannot read .*{top / 'closed'}.*: Permission denied"
        with pytest.raises(InvalidRequestError, match=words):
            walk(top)
