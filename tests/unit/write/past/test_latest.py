"""What the last few commits hold: the same as all of the log, without DuckDB."""

from __future__ import annotations

import pytest
from past_log import FACT, said_by

from lineage_tt.log.log import Log
from lineage_tt.model.format import LogRow
from lineage_tt.model.messages import Subject
from lineage_tt.write.past import history, latest
from lineage_tt.write.subjects.tasks import TaskHistory


def nobody(subject: Subject) -> bool:
    """No subject is remembered."""
    return False


@pytest.mark.parametrize("after", range(11))
def test_the_last_commits_say_the_same_as_all_of_the_log(past_log: Log, after: int) -> None:
    """From whichever version on, if a commit ends with it; inside a commit it is left to the other."""
    few, many = latest.load(past_log, after, nobody), history.load(past_log, after)
    if few is None:
        assert past_log.commits_after(after) is None
        return

    assert said_by(few) == said_by(many)
    said = {entry.version for _, entry in many.declared}
    assert (few.withdrawn - few.restored) & said == (many.withdrawn - many.restored) & said


def test_messages_of_remembered_subjects_come_with_the_last_commits(past_log: Log) -> None:
    """As a history takes them: it is then that of the whole log."""
    everything = latest.load(past_log, 0, lambda subject: True)
    assert everything is not None
    whole = history.task_histories(past_log, everything.tasks)

    for subject, messages in everything.messages.items():
        assert TaskHistory.rebuild(messages).state() == whole[subject].state()
    assert set(everything.messages) == everything.tasks
    some = latest.load(past_log, 0, lambda subject: subject == "u")
    assert some is not None
    assert set(some.messages) == {"u"}


def test_only_commits_up_to_a_version_are_read_if_asked(past_log: Log) -> None:
    """What came after it is taken in later."""
    past = latest.load(past_log, 1, nobody, upto=3)

    assert past is not None
    assert (past.tasks, list(past.rejected.values())) == ({"t"}, [3])


def test_plain_rows_need_no_file() -> None:
    """Those that a commit carried for others."""
    row = LogRow(11, 0, "accepted", event_id="e", task_id="k", op="update", kind="task", effective_at=5)
    past = latest.of_rows([row], lambda subject: True)

    assert past.tasks == {"k"}
    assert [message.version for message in past.messages["k"]] == [11]


def test_a_subject_is_a_task_or_a_node_under_a_key(past_log: Log) -> None:
    """Its row says which."""
    past = latest.load(past_log, 5, lambda subject: True)

    assert past is not None
    assert ("fact", "n:a", "owner") in past.messages
    message = past.messages["fact", "n:a", "owner"][0]
    assert (message.event_id, list(message.facts)) == ("f", [("n:a", "owner", "ann")])
    assert FACT.subject == message.task_id
