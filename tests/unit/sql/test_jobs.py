"""What an extraction depends on, as one value that crosses process borders."""

from __future__ import annotations

import pickle

from ingest.sql.jobs import ExtractionJob, Masking


def test_a_job_arrives_in_another_process_as_it_was() -> None:
    """Mappings that cannot be changed are none there."""
    job = ExtractionJob(
        "select 1", "hive", "n", "d", "n:t", {"day": "1"}, {"n:a": ("x",)}, "toml", Masking(b"d", ("x",))
    )

    assert pickle.loads(pickle.dumps(job)) == job
    plain = ExtractionJob("select 1", "hive", "n")
    assert pickle.loads(pickle.dumps(plain)) == plain
