"""The end of the log as one process knows it."""

from __future__ import annotations

from typing import Any

import pytest

from lineage_tt.log.commits import Commit, Head
from lineage_tt.log.end import MAX_RECENT, MAX_SOURCES, LogEnd
from lineage_tt.log.retention import META_CLOCK
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.format import FORMAT_VERSION
from lineage_tt.model.messages import SourcePosition
from lineage_tt.model.redaction.policy import TextPolicy


def commit(last: int, sources: dict[str, Any] | None = None, **meta: Any) -> Commit:
    """The commit of one version; its Delta version is the same number."""
    said = {"first_version": last, "last_version": last, "system_time": last * 10, "checksum": "0a" * 32,
            "sources": sources or {}} | meta  # fmt: skip
    return Commit(last, f"sha{last}", said, ())


class End(LogEnd):
    """An end that follows the commits it is given."""

    def follow(self, *fresh: Commit) -> None:
        """Take in commits that were verified."""
        self._move(fresh)

    def next_meta(self, first: int | None = None) -> dict[str, Any]:
        """What the next commit takes over."""
        return self._carried(first)

    def next_head(self) -> Head:
        """The head file after the last commit."""
        return self._next_head()


def test_the_end_is_the_last_commits() -> None:
    """Version, time and checksum are those of the commit that came last."""
    end = End([commit(1)], None)
    end.follow(commit(2), commit(3))

    assert (end.version, end.delta_version, end.system_time, end.checksum) == (3, 3, 30, b"\x0a" * 32)
    end.follow()
    assert end.version == 3


def test_commits_that_another_thread_followed_count_once() -> None:
    """Two threads ask for news at once and both get them; the one that comes last has fewer."""
    end = End([commit(1)], None)
    end.follow(commit(2), commit(3))
    end.follow(commit(2))

    assert end.version == 3
    assert [found.delta_version for found in end.commits_after(1) or ()] == [2, 3]


def test_commits_after_a_version_are_known_as_far_as_they_are_remembered() -> None:
    """A writer asks the files where it is told None: it fell back too far, or the version is inside a commit."""
    end = End([commit(1)], None)
    end.follow(commit(2), commit(4, first_version=3))

    assert [found.delta_version for found in end.commits_after(1) or ()] == [2, 4]
    assert end.commits_after(4) == []
    assert end.commits_after(3) is None
    end.follow(*map(commit, range(5, 5 + MAX_RECENT)))
    assert end.commits_after(4) is None


def test_the_newest_position_of_a_source_counts_and_outlives_its_commit() -> None:
    """The head file brings older ones; a source that was never read has none."""
    end = End([commit(1)], Head(1, "sha1", sources={"old": (7, "d")}))
    end.follow(commit(2, {"s": (1, "a")}), commit(3, {"s": (5, "b")}))

    assert end.source_position("s") == SourcePosition("s", 5, "b")
    assert end.source_position("old") == SourcePosition("old", 7, "d")
    assert end.source_position("none") is None
    assert list(end.next_head().sources) == ["old", "s"]


def test_the_head_remembers_a_bounded_number_of_sources() -> None:
    """The ones read longest ago go first."""
    end = End([commit(1)], None)
    end.follow(commit(2, {f"s{n}": (n, "d") for n in range(MAX_SOURCES + 3)}), commit(3, {"s0": (9, "e")}))
    kept = end.next_head().sources

    assert len(kept) == MAX_SOURCES
    assert "s0" in kept
    assert "s1" not in kept


def test_an_accepted_clock_is_stated_until_a_commit_holds_it() -> None:
    """The next commit says so; meanwhile it must not take rows of others, who did not accept anything."""
    end = End([commit(1)], None)
    assert end.is_shareable
    end.accept_clock(99)

    assert (end.clock_accepted, end.is_shareable, end.next_meta()[META_CLOCK]) == (99, False, 99)
    end.follow(commit(2, None, **{META_CLOCK: 99}))
    assert (end.clock_accepted, end.is_shareable) == (99, True)


def test_a_policy_is_adopted_by_the_commit_made_inside() -> None:
    """The format rises with it, for an older release must not write there; the policy in force is refused."""
    end = End([commit(1)], None)
    other = next(policy for policy in TextPolicy if policy is not end.texts.policy)

    with end.adopting(other):
        assert not end.is_shareable
        assert end.next_meta(2)["format"] == FORMAT_VERSION
    assert "format" not in end.next_meta(3)
    with pytest.raises(InvalidRequestError, match="already"), end.adopting(end.texts.policy):
        pass
