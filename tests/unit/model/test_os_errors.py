"""Errors of the system become errors that say what to do."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
from users import closed_folder

from lineage_tt.model.errors import ConflictError, CorruptError, InvalidRequestError, UnavailableError
from lineage_tt.model.os_errors import MEMORY_HINT, files_below, of_system, system_errors


@pytest.mark.parametrize("number", [errno.ENOENT, errno.EISDIR, errno.ENOTDIR, errno.ELOOP, errno.EIO])
def test_a_file_of_the_store_that_is_missing_is_damage(number: int) -> None:
    """A store without one of its files must be checked, not tried again."""
    found = of_system("read the log", OSError(number, "gone", "/x"))

    assert isinstance(found, CorruptError)
    assert str(found).startswith("cannot read the log: gone (/x)")


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES, errno.EMFILE, errno.EROFS])
def test_what_an_operator_can_change_is_unavailable(number: int) -> None:
    """A full disk, permissions and limits: the same call works later."""
    found = of_system("append", OSError(number, "no"))

    assert isinstance(found, UnavailableError)
    assert "then try again" in (found.hint or "")


def test_lack_of_memory_is_reported_alike_by_system_and_interpreter() -> None:
    """ENOMEM and MemoryError give the same error and hint."""
    with pytest.raises(UnavailableError) as caught, system_errors("answer"):
        raise MemoryError

    assert caught.value.hint == MEMORY_HINT == of_system("answer", OSError(errno.ENOMEM, "no")).hint
    assert str(caught.value).startswith("out of memory: cannot answer")


def test_an_error_without_words_is_named_by_its_class() -> None:
    """Never an empty reason."""
    assert "cannot open: TimeoutError" in str(of_system("open", TimeoutError()))
    assert "cannot open: a b" in str(of_system("open", OSError("a\n  b")))


def test_errors_of_the_product_and_of_code_pass_through() -> None:
    """Only the system's are turned into others."""
    mine = ConflictError("m")
    with pytest.raises(ConflictError) as caught, system_errors("x"):
        raise mine

    assert caught.value is mine
    with pytest.raises(KeyError), system_errors("x"):
        raise KeyError("bug")


def test_files_below_a_folder_are_at_any_depth(tmp_path: Path) -> None:
    """Hidden ones, too; linked folders are not followed. What is not a folder has none."""
    (tmp_path / "a" / ".b").mkdir(parents=True)
    (tmp_path / "a" / ".b" / "c").write_text("")
    (tmp_path / "d").symlink_to(tmp_path / "a")
    (tmp_path / "e").symlink_to("gone")

    assert [*files_below(tmp_path)] == [tmp_path / "a" / ".b" / "c"]
    assert [*files_below(tmp_path / "none")] == [*files_below(tmp_path / "a" / ".b" / "c")] == []


@pytest.mark.parametrize("mode", [0, 0o400])
def test_a_folder_below_that_cannot_be_read_is_no_empty_one(mode: int) -> None:
    """Its files would be missing without a word."""
    with closed_folder("a", mode=mode) as top:
        words = f"cannot read .*{top / 'closed'}.*: Permission denied"
        with pytest.raises(InvalidRequestError, match=words):
            list(files_below(top))
