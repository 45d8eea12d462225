"""Answers as JSON on a terminal. ``lineage_tt.read.shapes``, which the service also uses, defines their form."""

from __future__ import annotations

import json
from typing import Any

from lineage_tt.cli.render.ink import shown_json
from lineage_tt.read.shapes import (
    EDGE_KEYS,
    INSTANTS,
    answer,
    blame_result,
    cell,
    dead_letter_object,
    diff_result,
    feed_object,
    known_by,
    lineage_result,
    plain,
    record,
    task_object,
)

__all__ = [
    "EDGE_KEYS",
    "INSTANTS",
    "answer",
    "blame_result",
    "cell",
    "dead_letter_object",
    "diff_result",
    "dumps",
    "feed_object",
    "known_by",
    "lineage_result",
    "record",
    "task_object",
]


def dumps(value: Any) -> str:
    """Return a value as one line of JSON without terminal control characters."""
    return shown_json(json.dumps(value, ensure_ascii=False, allow_nan=False, default=plain))
