"""Rules on Spark: executors fold columns into tables, and the rules are checked on the tables."""

from __future__ import annotations

import numpy as np

from lineage_tt.governance.config import Config
from lineage_tt.governance.rules.engine import Checked, check
from lineage_tt.governance.rules.tables import Tables
from lineage_tt.spark.whole.arrays import columns_of, fold, mapped
from lineage_tt.spark.whole.point import WholePoint


def rules_on_spark(whole: WholePoint, config: Config, since: WholePoint | None = None) -> Checked:
    """Return what violates the rules at a point, as ``Governance.rules`` does; with ``since`` only what is new."""
    return check(_tables(whole), config, None if since is None else _tables(since))


def _tables(whole: WholePoint) -> Tables:
    point, plain = whole.parted()
    beside = {"source": whole.dataset, "target": whole.dataset}
    folded = mapped(plain.select("source", "target", "task"), fold, beside, "source int, target int, task int")
    return Tables(point, np.stack(columns_of(folded.distinct()), axis=1))
