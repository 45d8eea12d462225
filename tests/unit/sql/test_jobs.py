"""What an extraction depends on, as one value that crosses process borders."""

from __future__ import annotations

import pickle

import pytest

from ingest.sql.jobs import ExtractionJob, Masking
from ingest.sql.statements.templated import extract_guarded


def test_a_job_arrives_in_another_process_as_it_was() -> None:
    """Mappings that cannot be changed are none there."""
    job = ExtractionJob(
        "select 1", "hive", "n", "d", "n:t", {"day": "1"}, {"n:a": ("x",)}, "toml", Masking(b"d", ("x",))
    )

    assert pickle.loads(pickle.dumps(job)) == job
    plain = ExtractionJob("select 1", "hive", "n")
    assert pickle.loads(pickle.dumps(plain)) == plain


@pytest.mark.parametrize(
    ("text", "coverage", "codes"),
    [
        ("{% if a %}INSERT INTO t SELECT b FROM s{% endif %}", "partial", ["template"]),
        ("{% if a %}{% else %}INSERT INTO t SELECT b FROM s{% endif %}", "partial", ["template"]),
        ("{% if a %} {% endif %}", "opaque", ["unsupported-statement", "template"]),
        ("{{ config(materialized='table') }}", "opaque", ["unsupported-statement"]),
        (" ", "opaque", ["unsupported-statement"]),
    ],
)
def test_a_branch_may_be_blank_and_a_text_may_not(text: str, coverage: str, codes: list[str]) -> None:
    """A template whose branch does nothing is understood; one that leaves no statement at all was called complete."""
    found = extract_guarded(ExtractionJob(text, "hive", "hive"))

    assert (found.coverage, [each.code for each in found.problems]) == (coverage, codes)
