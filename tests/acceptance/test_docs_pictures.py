"""Pictures in the docs are those that the product draws of the sample."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ingest.pipeline import Ingester
from lineage_tt import sample
from lineage_tt.graph.pictures.picture import picture
from lineage_tt.graph.pictures.svg import svg
from lineage_tt.store import Store

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures"
REVENUE, FIFTH_OF_MARCH = "hive:dws.revenue_daily#revenue", "2026-03-05T12:00:00Z"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A store that holds the sample, imported as a history."""
    store = Store.create(tmp_path_factory.mktemp("pictures"))
    with Ingester(store, workers=1, system_times="recorded_at") as ingester:
        ingester.ingest_file(str(sample.messages()))
    return store


def test_the_hotfix_in_the_readme_is_the_samples(store: Store) -> None:
    """What fed revenue on 5 March, as known on the 6th and today; with RENEW_PICTURES=1 the file is rewritten."""
    points = (store.as_of(FIFTH_OF_MARCH, "2026-03-06T09:00:00Z"), store.as_of(FIFTH_OF_MARCH))
    drawn = "\n".join(svg(picture(*(view.lineage(REVENUE, direction="up") for view in points)))) + "\n"
    kept = PICTURES / "hotfix.svg"
    if os.environ.get("RENEW_PICTURES"):
        kept.write_text(drawn, encoding="utf-8")

    assert kept.read_text(encoding="utf-8") == drawn
