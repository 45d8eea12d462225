"""Messages in batches, each of which becomes one commit; and the tally of their outcomes."""

from __future__ import annotations

from collections.abc import Sequence

from ingest.batches import Batch, Batcher, Summary
from ingest.messages.parsing import Chunk
from lineage_tt.log.system_times import SystemTimes
from lineage_tt.model.messages import Message, Problem, Receipt, SourcePosition, TaskChange


def chunks(*parts: Sequence[Message | None]) -> list[tuple[Chunk, Sequence[Message | None]]]:
    """Chunks of lines with their messages; the place after the n-th is n."""
    return [
        (Chunk(0, [b"x" * 10 for _ in part], SourcePosition("f", number), number * 100), part)
        for number, part in enumerate(parts, 1)
    ]


def message(name: str, at: int | None = None, sql: str | None = None) -> TaskChange:
    """A message that was recorded at a time."""
    return TaskChange(name, "t", "update", 5, recorded_at=at, sql=sql)


def cut(
    parts: list[tuple[Chunk, Sequence[Message | None]]], system_times: SystemTimes = "clock", *, max_sql: int = 10**9,
    max_tied: int = 10**9, least: int = 1, max_bytes: int | None = None,
) -> list[tuple[list[str], int | None]]:  # fmt: skip
    """The events of each batch, and how far the source is then."""
    batcher = Batcher(Summary("f"), system_times, max_sql=max_sql, max_tied=max_tied, least=least, max_bytes=max_bytes)
    return [
        ([m.event_id or "" for m in batch.messages], batch.place.offset if batch.place else None)
        for batch in batcher.batches(parts)
    ]


A, B, C = (message(name, at) for name, at in (("a", 1), ("b", 2), ("c", 2)))


def test_a_chunk_is_a_batch_unless_it_is_small() -> None:
    """Small ones wait for more; the last is a batch in any case."""
    assert cut(chunks([A], [B], [C])) == [(["a"], 1), (["b"], 2), (["c"], 3)]
    assert cut(chunks([A], [B], [C]), least=2) == [(["a", "b"], 2), (["c"], 3)]
    assert cut(chunks([A], [B]), least=9, max_bytes=20) == [(["a", "b"], 2)]
    assert cut(chunks([])) == []


def test_lines_that_are_no_message_are_counted() -> None:
    """They are in no batch."""
    summary = Summary("f")
    batches = list(Batcher(summary, "clock", max_sql=9, max_tied=9).batches(chunks([None, A, None])))

    assert (summary.received, summary.ignored) == (3, 2)
    assert batches == [Batch([A], SourcePosition("f", 1), 100)]


def test_long_sql_cuts_a_batch() -> None:
    """The position is beyond none of what is to come: only the last batch of a chunk has its place."""
    long = [message(name, number, "x" * 10) for number, name in enumerate("abc")]

    assert cut(chunks(long), max_sql=5) == [(["a"], None), (["b"], None), (["c"], 1)]


def test_a_history_does_not_part_messages_of_one_time() -> None:
    """Those at the end wait for the next chunk; then the place is before them."""
    assert cut(chunks([A, B], [C]), "recorded_at") == [(["a"], None), (["b", "c"], 2)]
    assert cut(chunks([A, B], [C]), "recorded_at", max_tied=1) == [(["a", "b"], 1), (["c"], 2)]
    tied = [message(name, 1, "x" * 10) for name in "ab"]
    assert cut(chunks(tied), "recorded_at", max_sql=5, max_tied=1) == [(["a", "b"], 1)]


def test_receipts_are_added_up() -> None:
    """Duplicates of dead letters by their version; problems by code, with the first example."""
    summary = Summary("f")
    problems = [Problem("p", "one"), Problem("p", "two"), Problem("q", "three")]
    summary.count([
        Receipt(3, "accepted", 2), Receipt(4, "accepted", 1, superseded_by=1), Receipt(5, "rejected"),
        Receipt(1, "duplicate"), Receipt(2, "duplicate", repeats_rejected=True),
        Receipt(6, "accepted", coverage="partial", problems=problems), Receipt(7, "accepted", coverage="opaque"),
    ])  # fmt: skip

    assert (summary.accepted, summary.rejected, summary.duplicates, summary.changes) == (4, 1, 2, 3)
    assert (summary.superseded, summary.partial, summary.opaque) == (1, 1, 1)
    assert (summary.first_version, summary.last_version, dict(summary.repeated)) == (3, 7, {2: 1})
    assert {code: count for code, (count, _) in summary.problems.items()} == {"p": 1, "q": 1}
