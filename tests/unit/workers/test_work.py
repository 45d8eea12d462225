"""One job to its extraction, in any process."""

from __future__ import annotations

from ingest.sql.jobs import ExtractionJob
from ingest.sql.masked import expected_of
from ingest.sql.text.limits import Limits
from ingest.workers.work import own_the_parser, run_job

JOB = ExtractionJob("INSERT INTO d.b SELECT x FROM d.a WHERE y = 'secret'", "hive", "n", columns={"n:d.b": ("x",)})


def test_a_job_is_run_here_as_in_a_worker() -> None:
    """Without touching the parser of another library."""
    own_the_parser()
    found = run_job(JOB)

    assert ("n:d.a#x", "n:d.b#x") in {(edge.source, edge.target) for edge in found.edges}
    assert found.text is None


def test_limits_hold_here_too() -> None:
    """A text beyond them is not parsed."""
    found = run_job(JOB, Limits(tokens=3))

    assert found.coverage == "opaque"
    assert [problem.code for problem in found.problems] == ["too-many-tokens"]


def test_a_masked_text_says_the_same() -> None:
    """It is asked for with what it must say."""
    plain = run_job(JOB)
    masked = run_job(
        ExtractionJob(JOB.sql, JOB.dialect, JOB.namespace, columns=JOB.columns, masking=expected_of(plain))
    )

    assert masked.text is not None
    assert "secret" not in masked.text
