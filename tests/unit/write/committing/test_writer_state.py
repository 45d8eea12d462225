"""What a writer knows of its log, kept up to date with what others commit."""

from __future__ import annotations

from planned import define
from writing import LETTER, Writing, change

from lineage_tt.write.committing.writer_state import Known


def test_what_others_commit_is_taken_in(writing: Writing) -> None:
    """Their columns, and their dead letters: a message that they refused is refused once."""
    writing.other.append([define("d", 0, "x"), LETTER])
    writing.known.look()

    assert writing.known.catalog.columns("n:a", 0) == ("x",)
    assert [receipt.status for receipt in writing.plan(LETTER, define("d", 0, "x")).receipts] == ["duplicate"] * 2


def test_a_history_in_memory_is_extended_and_another_one_read_when_it_is_needed(writing: Writing) -> None:
    """A message that others sent is a duplicate either way."""
    writing.commit(change("mine", 10))
    writing.other.append([change("mine", 20), change("theirs", 20)])
    receipts = writing.plan(change("mine", 20), change("theirs", 20), change("mine", 10)).receipts

    assert [receipt.status for receipt in receipts] == ["duplicate"] * 3
    assert [receipt.version for receipt in receipts] == [2, 3, 1]


def test_it_is_known_which_subjects_nobody_wrote_about(writing: Writing) -> None:
    """As far back as is remembered; a version to come is not known."""
    writing.commit(change("mine", 10))
    writing.other.append([change("theirs", 20)])
    writing.known.look()

    assert writing.known.is_untouched({"mine"}, 1)
    assert not writing.known.is_untouched({"theirs"}, 1)
    assert writing.known.is_untouched({"theirs"}, 2)
    assert not writing.known.is_untouched({"mine"}, 0)
    assert not writing.known.is_untouched({"mine"}, 3)


def test_a_plan_that_was_not_committed_leaves_nothing(writing: Writing) -> None:
    """Neither in the histories nor in the catalog."""
    writing.known.drop(writing.draft(change("mine", 10), define("d", 0, "x")))
    writing.known.draft = None

    assert writing.known.catalog.columns("n:a", 0) is None
    assert [receipt.status for receipt in writing.plan(change("mine", 10)).receipts] == ["accepted"]


def test_it_begins_with_what_the_log_holds(writing: Writing) -> None:
    """A writer that is opened later knows the same."""
    writing.other.append([define("d", 0, "x"), change("theirs", 20)])
    writing.log.refresh()
    known = Known(writing.log)

    assert known.catalog.columns("n:a", 0) == ("x",)
    assert known.tasks.is_known("theirs")
    assert [receipt.status for receipt in writing.plan(change("theirs", 20)).receipts] == ["duplicate"]
