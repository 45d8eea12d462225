"""Which edges carry labels in a scene: not those of other types, nor through masking, nor past what people block.

A masking function is looked for in an edge's normalised expression. It stops a source only where each place at which
the source's column is named lies inside such a call, or where the whole expression is one such call: what cannot be
decided lets the label through.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Final

import numpy as np

from lineage_tt.governance.labels.scene import Scene
from lineage_tt.governance.ports import MASKED, Bools, PointGraph
from lineage_tt.model.edges import column_of

_CALL: Final = re.compile(r"([A-Za-z_][A-Za-z0-9_.]*)\s*\(")
_QUOTED: Final = re.compile(r"'(?:[^'\\]|''|\\.)*'")
#: An expression longer than this is not looked into: it lets labels through.
MAX_EXPRESSION: Final = 1 << 16


def carrying(point: PointGraph, scene: Scene) -> Bools:
    """Return which edges carry labels in a scene; what people block is left to ``statements``."""
    wanted = [kind in scene.carry for kind, _ in point.kinds]
    if scene.stop_aggregation:
        wanted = [each and point.kinds[at][1] != "AGGREGATION" for at, each in enumerate(wanted)]
    result: Bools = np.ones(len(point.target), np.bool_)
    if not all(wanted):
        result = np.array([*wanted, False], np.bool_)[point.kind]
    if scene.stop_masking and point.facts(MASKED):
        result &= ~point.masking
    if scene.stop_functions:
        result &= ~_masked(point, scene.stop_functions)
    return result


def _masked(point: PointGraph, patterns: Sequence[str]) -> Bools:
    """Return which edges lead through a masking function."""
    numbers, place = np.unique(point.expression, return_inverse=True)
    texts = point.expression_texts(numbers)
    calls = np.array([bool(masked_spans(text, patterns)) for text in texts] + [False], np.bool_)
    result = calls[place] if len(place) else np.zeros(0, np.bool_)
    for at in np.flatnonzero(result).tolist():
        (source,) = point.node_texts([point.source[at]])
        result[at] = is_masked(texts[place[at]], column_of(source), patterns)
    return result


def masked_spans(expression: str, patterns: Sequence[str]) -> list[tuple[int, int]]:
    """Return where the calls of masking functions in an expression begin and end."""
    if len(expression) > MAX_EXPRESSION:
        return []
    text = _QUOTED.sub(lambda found: " " * len(found.group()), expression)
    spans = []
    for call in _CALL.finditer(text):
        name = call.group(1).lower()
        if any(fnmatchcase(name, pattern.lower()) for pattern in patterns):
            end = _closing(text, call.end() - 1)
            if end is not None:
                spans.append((call.start(), end))
    return spans


def is_masked(expression: str, column: str | None, patterns: Sequence[str]) -> bool:
    """Say whether a source's column is only used inside of masking functions, as far as the expression shows it."""
    spans = masked_spans(expression, patterns)
    if any(start == 0 and end == len(expression.rstrip()) for start, end in spans):
        return True
    if not spans or not column:
        return False
    text = _QUOTED.sub(lambda found: " " * len(found.group()), expression)
    name = re.escape(column.rpartition(".")[2])
    uses = [at.start() for at in re.finditer(rf"(?<![\w$]){name}(?![\w$])", text, flags=re.IGNORECASE)]
    return bool(uses) and all(any(start <= at < end for start, end in spans) for at in uses)


def _closing(text: str, at: int) -> int | None:
    """Return the place after the parenthesis that closes the one at a place, None where none does."""
    depth = 0
    for place in range(at, len(text)):
        depth += (text[place] == "(") - (text[place] == ")")
        if not depth:
            return place + 1
    return None
