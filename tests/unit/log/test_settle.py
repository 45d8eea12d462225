"""When a commit in an object store can be trusted: announced writers are waited for, the dead are not."""

from __future__ import annotations

import threading
import time

import orjson
import pytest
from memory_objects import memory_place

from lineage_tt.log.commit_file import append_bytes, meta_of
from lineage_tt.log.commits import KEY, data_file_name
from lineage_tt.log.stores.settle import FOLDER, Attempts
from lineage_tt.storage.objects import ObjectPath


def commit(log: ObjectPath, writer: str, delta_version: int = 1) -> None:
    """Put a commit file that names a writer, whatever is there."""
    name = data_file_name(1, 1, b"", "a" * 32)
    meta = meta_of(1, "", 1, 1, 1, bytes(32), [name], {}, writer)
    data = append_bytes(name, 1, "{}", meta, {f"{KEY}.log": 1}, 0)
    (log / "_delta_log" / f"{delta_version:020d}.json").write_bytes(data)


def announced(log: ObjectPath, delta_version: int = 1) -> list[str]:
    """The writers that are announced for a commit."""
    return [entry.name for entry in (log / FOLDER / f"{delta_version:020d}").below()]


def settled(log: ObjectPath) -> str | None:
    """The writer of the commit that the log settles at."""
    found = Attempts(log).settle(1)
    return found.meta["writer"] if found is not None else None


def test_there_is_no_commit() -> None:
    """A writer that is announced may still put one; nobody waits for it."""
    log = memory_place()
    Attempts(log).announce(1, "me")

    assert settled(log) is None


def test_a_commit_alone_is_settled_at_once() -> None:
    """Its own writer's announcement is not a reason to wait."""
    log = memory_place()
    Attempts(log).announce(1, "me")
    commit(log, "me")

    assert settled(log) == "me"


def test_an_announcement_is_taken_back() -> None:
    """The put has ended, this way or that; to take back what is not there is no error."""
    log = memory_place()
    attempts = Attempts(log)
    attempts.announce(1, "me")
    assert announced(log) == ["me"]
    attempts.withdraw(1, "me")
    attempts.withdraw(1, "me")

    assert announced(log) == []


def test_another_live_writer_is_waited_for() -> None:
    """Its put may overwrite the commit: what is read after it has ended counts."""
    log = memory_place()
    Attempts(log).announce(1, "other")
    commit(log, "me")

    def later() -> None:
        time.sleep(0.03)
        commit(log, "other")
        Attempts(log).withdraw(1, "other")

    thread = threading.Thread(target=later)
    thread.start()
    found = settled(log)
    thread.join()

    assert found == "other"


@pytest.mark.parametrize("who", [{"gone": True}, None])
def test_a_writer_that_is_gone_is_not_waited_for_for_ever(who: dict[str, bool] | None) -> None:
    """One that gave up, and one that announced and died: each counts until a put can take no effect any more."""
    log = memory_place(settle_seconds="0")
    attempts = Attempts(log)
    attempts.announce(1, "other")
    if who is not None:
        attempts.give_up(1, "other")
        assert orjson.loads((log / FOLDER / f"{1:020d}" / "other").read_bytes()) == who
    commit(log, "me")

    assert settled(log) == "me"


def test_what_the_dead_left_is_cleared_after_the_commit_was_settled() -> None:
    """Only what was there then: a writer that announces later is alive."""
    log = memory_place(settle_seconds="0")
    attempts = Attempts(log)
    attempts.announce(1, "dead")
    commit(log, "me")
    assert attempts.settle(1) is not None
    Attempts(log).announce(1, "late")
    attempts.clear(1)

    assert announced(log) == ["late"]
    attempts.clear(1)
    assert announced(log) == ["late"]
