"""Points, and what is asked of a store: which times are read, which nodes and tasks are known."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from lineage_tt import Store
from lineage_tt.model.answers import Basis
from lineage_tt.model.errors import InvalidRequestError, UnknownNodeError, VersionNotReachedError
from lineage_tt.model.messages import Lineage, Problem, RejectedMessage, TaskChange
from lineage_tt.model.times import LAST
from lineage_tt.read.questions import Questions, nearest
from lineage_tt.testing import ManualClock, task_change


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Questions:
    """Three versions a second apart: an edge with a star, an untraced read, a dead letter."""
    clock = ManualClock(1_000_000)
    made = Store.create(tmp_path_factory.mktemp("store"), clock=clock)
    made.append([task_change("load", "online", 10, [("n:a#x", "n:b#y"), ("n:s#*", "n:b#*")])])
    clock.advance()
    untraced = Lineage(coverage="partial", problems=[Problem("untraced-read", "", "n:raw")], outputs=[("n:o", ("k",))])
    made.append([TaskChange("e", "guess", "online", 10, lineage=untraced)])
    clock.advance()
    made.append([RejectedMessage(b"{", "syntax", "cut")])
    return made


@pytest.mark.parametrize(
    ("given", "instant"),
    [(5, 5), ("1970-01-01T00:00:01Z", 1_000_000), (datetime(1970, 1, 1, tzinfo=UTC), 0), ("now", 3_000_000),
     ("1970-01-01T01:00:00+01:00", 0)],
)  # fmt: skip
def test_a_time_may_come_in_several_forms(store: Questions, given: Any, instant: int) -> None:
    """All are UTC microseconds."""
    assert store.instant(given) == instant


@pytest.mark.parametrize("given", [True, 1.5, None, LAST + 1, "1970-01-01T00:00:00", "someday", datetime(1970, 1, 1)])  # noqa: DTZ001
def test_what_is_no_time_or_has_no_zone_is_rejected(store: Questions, given: Any) -> None:
    """It is never guessed."""
    with pytest.raises(InvalidRequestError):
        store.instant(given)


def test_a_point_is_now_unless_it_is_given(store: Questions) -> None:
    """A system time is the last version known then; before the first there is none."""
    assert store.basis() == Basis(3_000_000, 3, 3_000_000)
    assert store.basis(5, version=2) == Basis(5, 2, 2_000_000)
    assert store.basis(5, system_at=2_999_999) == Basis(5, 2, 2_000_000)
    assert store.basis(5, system_at=LAST) == Basis(5, 3, 3_000_000)
    assert store.basis(5, version=0) == store.basis(5, system_at=999_999) == Basis(5, 0, 0)


def test_a_point_that_is_not_there_is_rejected(store: Questions) -> None:
    """A version to come may be waited for; two answers to one question are a mistake."""
    for version in (4, -1):
        with pytest.raises(VersionNotReachedError):
            store.basis(version=version)
    with pytest.raises(InvalidRequestError, match="not both"):
        store.basis(system_at=5, version=1)


def test_nodes_are_known_by_what_named_them(store: Questions) -> None:
    """An edge, a star of its dataset, a text whose edges are not known, or one that states its columns."""
    known = ["n:a#x", "n:a", "n:s#any", "n:b#any", "n:raw", "n:raw#any", "n:o#k"]

    assert store.unknown_nodes(known) == []
    assert store.unknown_nodes(["n:z", "n:a#q", "n:a#x"]) == ["n:z", "n:a#q"]
    with pytest.raises(UnknownNodeError, match="n:a#q"):
        store.check_nodes(["n:a#x", "n:a#q"])


def test_near_names_are_those_of_the_same_dataset_first() -> None:
    """At most three; none where nothing looks alike."""
    names = ["n:a#amount", "n:a#id", "n:b#amoun"]

    assert nearest("n:a#amoun", names)[0] == "n:a#amount"
    assert nearest("n:c#amoun", names)[0] == "n:b#amoun"
    assert "n:b#amoun" not in nearest("n:a#amoun", names)
    assert nearest("x", names) == ()


def test_an_unknown_task_is_answered_with_near_ones(store: Questions) -> None:
    """A known one that did nothing since is not an error."""
    with pytest.raises(InvalidRequestError) as raised:
        store.log(task_id="laod")
    assert "load" in (raised.value.hint or "")
    assert store.log(task_id="load", after=1) == []


def test_a_version_that_was_not_rejected_is_no_dead_letter(store: Questions) -> None:
    """With how to list them."""
    assert store.dead_letter(3).raw == b"{"
    with pytest.raises(InvalidRequestError, match="version 1 is not a dead letter"):
        store.dead_letter(1)


def test_the_state_at_a_version_is_what_its_changes_are_added_to(store: Questions) -> None:
    """Nothing at version 0."""
    assert [row[1:3] for row in store.rectangles(1)] == [("n:a#x", "n:b#y"), ("n:s#*", "n:b#*")]
    assert list(store.rectangles(0)) == []
    assert list(store.fact_rectangles()) == []


def test_a_users_query_is_run_and_a_wrong_one_is_explained(store: Questions) -> None:
    """Instants are text in rows, datetimes where parameters are bound."""
    assert store.sql("SELECT max(version) AS last FROM log") == (["last"], [(3,)])
    assert store.ask("SELECT version FROM log WHERE version > $v ORDER BY 1", v=1) == [(2,), (3,)]
    with pytest.raises(InvalidRequestError, match="no_such"):
        store.sql("FROM no_such")
    assert "CREATE OR REPLACE VIEW log" in store.setup_sql()
