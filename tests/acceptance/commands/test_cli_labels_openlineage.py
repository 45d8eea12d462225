"""An OpenLineage event says that a transformation masks: labels heed it, from the file of events to the answer."""

from __future__ import annotations

import json
from pathlib import Path

from commandline import call

_PRODUCER = "https://example.org/producer"


def event(masking: bool) -> str:
    """A finished run that makes one column of another, masked or not."""
    field = {"namespace": "db", "name": "users", "field": "mail", "transformations": [
        {"type": "DIRECT", "subtype": "TRANSFORMATION", "masking": masking}]}  # fmt: skip
    facet = {"_producer": _PRODUCER, "_schemaURL": "https://openlineage.io/spec/facets/1-2-0/ColumnLineageDatasetFacet.json",
             "fields": {"mail": {"inputFields": [field]}}}  # fmt: skip
    return json.dumps({
        "eventType": "COMPLETE", "eventTime": "2026-01-01T00:00:00Z", "producer": _PRODUCER,
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json",
        "run": {"runId": "01900000-0000-7000-8000-000000000001"}, "job": {"namespace": "jobs", "name": "load"},
        "inputs": [{"namespace": "db", "name": "users"}],
        "outputs": [{"namespace": "db", "name": "people", "facets": {"columnLineage": facet}}],
    })  # fmt: skip


def test_what_a_producer_masks_carries_no_label(tmp_path: Path) -> None:
    """Masked: the label stays behind. The same without masking: it comes through."""
    found = {}
    for masking in (True, False):
        folder, file = tmp_path / f"s{masking}", tmp_path / f"{masking}.jsonl"
        file.write_text(event(masking), encoding="utf-8")
        said = call("ingest", "--from", "openlineage", file, "--no-progress", store=folder)
        assert said.status == 0, said.err
        assert (
            call("annotate", "db:users#mail", "--label", "pii", "--at", "2026-01-01T00:00:00Z", store=folder).status
            == 0
        )
        rows = call("labels", "--all", "--valid-at", "2026-06-01T00:00:00Z", "--format", "json", store=folder).result
        found[masking] = [row["node"] for row in rows]

    assert found == {True: ["db:users#mail"], False: ["db:people#mail", "db:users#mail"]}
