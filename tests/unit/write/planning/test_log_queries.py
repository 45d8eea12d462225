"""What a plan asks of the log, and reads off a message and the history of its subject."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lineage_tt.model.facts import LABEL, OWNER
from lineage_tt.model.format import GENESIS, LogRow, chain_checksum
from lineage_tt.model.messages import NodeChange, RejectedMessage, TaskChange
from lineage_tt.model.redaction.policy import TextPolicy, TextState
from lineage_tt.timeline import NO_SOURCE_VERSION
from lineage_tt.write.planning.log_queries import Refusals, edges_stated, rank_of, retained_facts, stamped, words_in
from lineage_tt.write.subjects.tasks import TaskHistory

EDGE = ("n:a#x", "n:b#y", "DIRECT", "TRANSFORMATION", "x + 1")
LETTER = RejectedMessage(b'{"sql":"select 41"}', "syntax", "bad", sql="select 41")
OTHER = RejectedMessage(b'{"sql":"select 42"}', "syntax", "bad", sql="select 42")
MASKING = TextState(((3, TextPolicy.MASK),))


def test_a_message_is_refused_once() -> None:
    """By its bytes: in the log before, or in this plan, whose numbers may still rise."""
    refusals = Refusals({}, TextState())
    seen, digest = refusals.find(LETTER)
    refusals.fresh[digest] = 7
    refusals.renumber(2)

    assert seen is None
    assert refusals.find(LETTER) == (9, digest)
    assert refusals.find(OTHER)[0] is None
    assert Refusals({digest: 4}, TextState()).find(LETTER)[0] == 4


def test_where_texts_are_not_kept_a_dead_letter_is_known_by_what_is() -> None:
    """And by its bytes, for it may have come before the policy did."""
    _, plain = Refusals({}, TextState()).find(LETTER)
    _, masked = Refusals({}, MASKING).find(LETTER)

    assert masked != plain
    assert Refusals({masked: 4}, MASKING).find(OTHER) == (4, masked)
    assert Refusals({plain: 4}, MASKING).find(LETTER) == (4, masked)


def test_after_a_policy_was_lifted_bytes_count_first() -> None:
    """What is new is kept whole; what was refused under the policy is still known."""
    lifted = MASKING.changed(TextPolicy.KEEP, 5)
    _, plain = Refusals({}, TextState()).find(LETTER)
    _, masked = Refusals({}, MASKING).find(LETTER)

    assert Refusals({masked: 4}, lifted).find(LETTER) == (4, plain)


def test_bytes_that_are_no_json_are_known_by_themselves() -> None:
    """Nothing of them is kept, so that two of them must not be taken for one."""
    one, two = (replace(LETTER, raw=raw, sql=None) for raw in (b"select 41", b"select 42"))

    assert Refusals({}, MASKING).find(one)[1] != Refusals({}, MASKING).find(two)[1]


def test_what_a_message_does_not_speak_of_stays() -> None:
    """Owners and labels of its own node alone, those that it clears excepted."""
    history = TaskHistory()
    stated = [("n:a", OWNER, "ann"), ("n:a", LABEL, "pii"), ("n:a", "own-key", "x"), ("n:other", OWNER, "bob")]
    history.place(1, 5, None, stated)
    message = NodeChange("e", "dataset", "n:a", "define", 9, facts=[("n:a", LABEL, "new")])

    assert retained_facts(message, "n:a", history) == [("n:a", OWNER, "ann")]
    assert retained_facts(replace(message, cleared=[OWNER]), "n:a", history) == []
    assert retained_facts(replace(message, effective_at=4), "n:a", history) == []


def test_edges_are_compared_as_the_policy_would_have_them() -> None:
    """Where texts are dropped, an expression is a digest in the log and must be one here."""
    history = TaskHistory()
    history.place(1, 5, None, [EDGE])

    assert edges_stated(history, 1, TextPolicy.KEEP) == [EDGE]
    assert edges_stated(history, 1, TextPolicy.DROP)[0][4].startswith("~")


def test_words_of_a_statement_come_from_its_text_or_its_edges() -> None:
    """Where the text is not kept, the expressions say which columns it names."""
    history = TaskHistory()
    history.place(1, 5, None, [EDGE])
    statement = TaskChange("e", "t", "update", 5, sql="select abc from t")

    assert "abc" in (words_in(statement, history, 1) or "")
    without = words_in(replace(statement, sql=None), history, 1)
    assert without is None or "abc" not in without


def test_a_message_without_source_version_comes_last() -> None:
    """A version of 0 or below still wins over none."""
    message = TaskChange("e", "t", "update", 5)

    assert rank_of(message) == NO_SOURCE_VERSION < rank_of(replace(message, source_version=-5)) == -5


def test_rows_are_stamped_and_chained() -> None:
    """Each checksum is over the one before it and the row with its time."""
    rows = [LogRow(1, 0, "accepted"), LogRow(2, 0, "accepted")]
    one, two = stamped(rows, [10, 11], GENESIS)

    assert (one.system_time, two.system_time) == (10, 11)
    assert one.checksum == chain_checksum(GENESIS, one)
    assert two.checksum == chain_checksum(one.checksum, two)
    with pytest.raises(ValueError, match="argument"):
        stamped(rows, [10], GENESIS)
