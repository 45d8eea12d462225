"""Commit files and the head file verify themselves and each other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from lineage_tt.log.commits import (
    HEAD_NAME,
    LAST_CHECKPOINT,
    Commit,
    Head,
    commit_path,
    data_file_name,
    last_checkpoint,
    listed_commits,
    parse_commit,
    parse_head,
    read_commit,
    read_head,
    verify_chain,
    verify_head,
    write_head,
)
from lineage_tt.model.errors import CorruptError, InvalidRequestError
from lineage_tt.model.format import FORMAT_VERSION

NAME = data_file_name(4, 5, b"rows", "a" * 32)


def commit_bytes(version: int = 5, **changed: Any) -> bytes:
    """The bytes of a commit of versions 4 and 5; ``changed`` replaces parts of what it says of itself."""
    meta = {"format": 1, "writer": "w", "previous": "00", "first_version": 4, "last_version": version,
            "system_time": 9, "checksum": "00" * 32, "files": [NAME], "sources": {}} | changed  # fmt: skip
    actions = [
        {"commitInfo": {"timestamp": 7, "lineage_tt": meta}},
        {"txn": {"appId": "lineage_tt.log", "version": 5}},
        {"add": {"path": NAME}},
    ]
    return b"\n".join(map(orjson.dumps, actions))


def commit(delta: int, first: int, last: int, sha: str = "aa", previous: str = "aa") -> Commit:
    """A verified commit of these versions."""
    return Commit(delta, sha, {"first_version": first, "last_version": last, "previous": previous}, ())


def test_a_whole_commit_is_read_with_its_files_and_time() -> None:
    """Delta's time is in milliseconds, ours in microseconds."""
    found = parse_commit(commit_bytes(), 3)

    assert (found.added, found.removed, found.made_at, found.adds_no_version) == ((NAME,), (), 7_000, False)
    assert commit(1, 6, 5).adds_no_version


@pytest.mark.parametrize(
    "data",
    [commit_bytes()[:-5], b"", commit_bytes(6), commit_bytes(files=[]), commit_bytes(checksum="00"),
     commit_bytes(checksum="zz" * 32), commit_bytes(previous=None),
     commit_bytes().replace(NAME.encode(), b"x.parquet")],
    ids=["cut", "empty", "another version", "another file", "short", "no hex", "no hash", "no name of ours"],
)  # fmt: skip
def test_a_commit_that_is_cut_or_contradicts_itself_is_damage(data: bytes) -> None:
    """The error names the commit, so that an operator knows which file to restore."""
    with pytest.raises(CorruptError, match=r"commit 3 of the log \(00000000000000000003.json, \d+ bytes\)"):
        parse_commit(data, 3)


def test_a_commit_of_a_newer_release_is_no_damage() -> None:
    """An older release says that it is too old, and does not ask to restore anything."""
    with pytest.raises(InvalidRequestError, match=f"format {FORMAT_VERSION + 1}"):
        parse_commit(commit_bytes(format=FORMAT_VERSION + 1), 3)


def test_commits_follow_each_other_by_hash_and_version() -> None:
    """An altered commit is named; so is one that begins at another version than the next."""
    verify_chain([commit(1, 1, 2), commit(2, 3, 2), commit(3, 3, 7)])

    with pytest.raises(CorruptError, match="commit 1 of the log was altered"):
        verify_chain([commit(1, 1, 2, sha="bb"), commit(2, 3, 4)])
    with pytest.raises(CorruptError, match="commit 2 begins at version 4, not 3"):
        verify_chain([commit(1, 1, 2), commit(2, 4, 4)])


def test_the_head_finds_what_the_chain_lost() -> None:
    """Acknowledged commits that are missing or altered; a head from before the chain says nothing."""
    chain = [commit(4, 8, 9), commit(5, 10, 11, sha="cc")]
    verify_head(None, chain)
    verify_head(Head(3, "ff"), chain)
    verify_head(Head(4, "aa"), chain)

    with pytest.raises(CorruptError, match="ends at version 11, but version 15 was acknowledged: commits 6 to 7"):
        verify_head(Head(7, "dd", version=15), chain)
    with pytest.raises(CorruptError, match="commit 5 of the log was altered after it was acknowledged"):
        verify_head(Head(5, "aa"), chain)


def test_a_head_file_is_read_as_written_and_damage_is_found(tmp_path: Path) -> None:
    """A missing one is None; a flipped or missing byte is damage; a newer release's further field is passed over."""
    head = Head(3, "ab", 9, 10, checkpoints={"c": "d"}, sources={"s": (4, "e")})
    assert read_head(tmp_path) is None
    write_head(tmp_path, head)

    data = (tmp_path / HEAD_NAME).read_bytes()
    assert read_head(tmp_path) == Head(3, "ab", 9, 10, checkpoints={"c": "d"}, sources={"s": [4, "e"]})  # type: ignore[dict-item]
    for damaged in (data[:-1], data.replace(b'"version":9', b'"version":8'), data + b"x", b""):
        with pytest.raises(CorruptError, match="cut or altered"):
            parse_head(damaged)


def test_commit_files_are_listed_in_order_of_their_numbers(tmp_path: Path) -> None:
    """Other files of the folder are none; a folder that is not there has none."""
    assert listed_commits(tmp_path) == []
    (tmp_path / "_delta_log").mkdir()
    for name in (f"{10:020d}.json", f"{9:020d}.json", f"{9:020d}.checkpoint.parquet", f"{11:020d}.json#1", "x.json"):
        (tmp_path / "_delta_log" / name).touch()

    assert listed_commits(tmp_path) == [9, 10]
    assert listed_commits(tmp_path, after=9) == [10]
    assert commit_path(tmp_path, 9).exists()


def test_a_missing_commit_and_a_damaged_checkpoint_note_are_named(tmp_path: Path) -> None:
    """Without a note there is no checkpoint; one that cannot be read is damage, not the lack of one."""
    assert last_checkpoint(tmp_path) == -1
    with pytest.raises(CorruptError, match="commit 4 of the log is missing"):
        read_commit(tmp_path, 4)

    (tmp_path / "_delta_log").mkdir()
    note = tmp_path / "_delta_log" / LAST_CHECKPOINT
    note.write_bytes(b'{"version": 12}')
    assert last_checkpoint(tmp_path) == 12
    note.write_bytes(b'{"size": 1}')
    with pytest.raises(CorruptError, match="checkpoint note"):
        last_checkpoint(tmp_path)
