"""What a writer reads back from the log with DuckDB."""

from __future__ import annotations

from pathlib import Path

from past_log import said_by

from lineage_tt import Store
from lineage_tt.log.log import Log
from lineage_tt.model.messages import Lineage, Problem, TaskChange
from lineage_tt.testing import ManualClock
from lineage_tt.write.past import history
from lineage_tt.write.past.history import Past


def test_everything_that_a_writer_needs_is_found(past_log: Log) -> None:
    """Subjects, dead letters, columns, stars, and which versions do not count."""
    past = history.load(past_log)

    assert past.tasks == {"t", "u", "w", ("dataset", "n:a", ""), ("fact", "n:a", "owner")}
    assert list(past.rejected.values()) == [3]
    assert past.stars == [("t", "n:a")]
    assert {5, 9} <= past.withdrawn
    assert {4, 8} <= past.restored
    assert sorted((dataset, entry.version) for dataset, entry in past.declared) == [
        ("n:a", 1), ("n:a", 7), ("n:out_t", 2), ("n:out_t", 8),
    ]  # fmt: skip


def test_of_several_messages_at_one_time_one_counts(past_log: Log) -> None:
    """Tasks with such messages are asked about apart."""
    assert history.superseding(past_log, None) == ["u"]
    assert history.superseding(past_log, ["t", "w"]) == []


def test_statements_come_with_what_they_are_resolved_with(past_log: Log) -> None:
    """By version; what is not there is left out."""
    found = history.statements(past_log, [2, 99])

    assert {v: (m.event_id, m.task_id, m.op, m.effective_at, m.sql) for v, m in found.items()} == {
        2: ("t/10", "t", "update", 10, "n:a"),
    }  # fmt: skip
    assert found[2].text_sha256 is not None


def test_what_was_made_of_sql_is_listed(past_log: Log) -> None:
    """Itself and what was derived; of a task, or not by a parser."""
    made = history.resolutions(past_log)

    assert [(each.version, each.statement, each.effective_at) for each in made] == [(2, 2, 10), (8, 2, 20)]
    assert history.resolutions(past_log, parser="star") == []
    assert history.resolutions(past_log, task_id="u") == []


def test_a_statement_that_a_limit_cut_counts_as_made_by_no_parser(tmp_path: Path) -> None:
    """It is tried again with the same one."""
    late = Lineage((), "opaque", [Problem("timeout", "")], parser="p")
    store = Store.create(tmp_path, clock=ManualClock(90))
    store.append([TaskChange("e", "t", "update", 10, sql="x")], resolver=lambda waiting: [late])

    assert [each.version for each in history.resolutions(store.opened_log, parser="p")] == [1]


def test_an_empty_log_holds_nothing(tmp_path: Path) -> None:
    """No file is there to be read."""
    log = Store.create(tmp_path).opened_log

    assert said_by(history.load(log)) == said_by(Past())
    assert history.resolutions(log) == []
    assert history.task_histories(log, ["t"]) == {}
