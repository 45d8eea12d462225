"""Whether a job has no end."""

from __future__ import annotations

import pytest

from ingest.events.runs.streaming import is_streaming

FLINK = '"run":{"processing_engine":{"name":"flink"}}'


@pytest.mark.parametrize(
    ("body", "expected"),
    [('{"job":{"facets":{"jobType":{"processingType":"STREAMING"}}}}', True), ('{"processingType":"streaming"}', True),
     ('{"processingType":"BATCH"}', False), (f'{{{FLINK}}}', True), ('{"processing_engine":{"name":"Flink"}}', True),
     ('{"processing_engine":{"name":"spark"}}', False), ('{"name":"flink"}', False),
     ('{"producer":"https://github.com/OpenLineage/OpenLineage/tree/1.9.1/integration/flink"}', True),
     ('{"producer":"https://github.com/OpenLineage/OpenLineage/tree/1.9.1/integration/spark"}', False), ("{}", False)],
)  # fmt: skip
def test_a_job_says_itself_that_it_has_no_end(body: str, expected: bool) -> None:
    """In any case of its letters; of Flink's older listeners the engine, or the address of their code, shows it."""
    assert is_streaming(body.encode()) is expected


def test_a_job_of_flink_that_says_what_it_is_counts_as_that() -> None:
    """Newer listeners tell a batch from a stream."""
    assert not is_streaming(f'{{"processingType":"BATCH",{FLINK}}}'.encode())
    assert is_streaming(f'{{"processingType":"STREAMING",{FLINK}}}'.encode())
