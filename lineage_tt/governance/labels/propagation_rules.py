"""Which edges carry labels in a scene: not edges of other types, and not edges that mask their value.

Masking functions are searched for in an edge's normalised expression. They stop the labels of a source only if every
use of the source's column lies inside such a call, or if the whole expression is one such call: in undecided cases the
label passes. A text is scanned once, whatever it contains, since expressions may also come from messages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Final

import numpy as np

from lineage_tt.governance.labels.scene import Scene
from lineage_tt.governance.ports import MASKED, Bools, PointGraph
from lineage_tt.model.edges import column_of

#: A name, and the opening parenthesis of its arguments if it is called.
_NAME: Final = re.compile(r"([A-Za-z_][A-Za-z0-9_.]*+)(?:\s*+(\())?")
#: A quoted text, and the quote that closes it; nothing if it is never closed.
_QUOTED: Final = re.compile(r"'(?:[^'\\]|\\.)*+('?)", re.DOTALL)
#: An expression longer than this is not searched: it lets labels through.
MAX_EXPRESSION: Final = 1 << 16


def carrying(point: PointGraph, scene: Scene) -> Bools:
    """Return which edges carry labels in a scene; ``statements`` handles what people block."""
    carried_kinds = [kind in scene.carry for kind, _ in point.kinds]
    if scene.stop_aggregation:
        carried_kinds = [each and point.kinds[at][1] != "AGGREGATION" for at, each in enumerate(carried_kinds)]
    result: Bools = np.ones(len(point.target), np.bool_)
    if not all(carried_kinds):
        result = np.array([*carried_kinds, False], np.bool_)[point.kind]
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
    text = _unquoted(expression)
    calls = [
        call for call in _NAME.finditer(text)
        if call.group(2) and any(fnmatchcase(call.group(1).lower(), pattern.lower()) for pattern in patterns)
    ]  # fmt: skip
    closing = _closing(text) if calls else {}
    ends = [(call.start(), closing.get(call.end() - 1)) for call in calls]
    return [(start, end) for start, end in ends if end is not None]


def called(expression: str) -> Iterator[str]:
    """Yield the names of the functions that an expression calls, as it writes them."""
    yield from (call.group(1) for call in _NAME.finditer(_unquoted(expression)) if call.group(2))


def is_masked(expression: str, column: str | None, patterns: Sequence[str]) -> bool:
    """Return whether a source's column is only used inside masking functions, as far as the expression shows."""
    spans = masked_spans(expression, patterns)
    if any(start == 0 and end == len(expression.rstrip()) for start, end in spans):
        return True
    if not spans or not column:
        return False
    text, inside = _unquoted(expression), np.zeros(len(expression), np.bool_)
    for start, end in spans:
        inside[start:end] = True
    name = re.escape(column.rpartition(".")[2])
    uses = [at.start() for at in re.finditer(rf"(?<![\w$]){name}(?![\w$])", text, flags=re.IGNORECASE)]
    return bool(uses) and bool(inside[uses].all())


def _unquoted(expression: str) -> str:
    """Return an expression with quoted texts replaced by spaces; "" if it is too long or has an unclosed quote."""
    if len(expression) > MAX_EXPRESSION:
        return ""
    quoted = list(_QUOTED.finditer(expression))
    if quoted and not quoted[-1].group(1):
        return ""
    return _QUOTED.sub(lambda match: " " * len(match.group()), expression)


def _closing(text: str) -> dict[int, int]:
    """Return, for the place of each closed parenthesis, the place after its closing parenthesis."""
    result: dict[int, int] = {}
    open_at: list[int] = []
    for each in re.finditer(r"[()]", text):
        if each.group() == "(":
            open_at.append(each.start())
        elif open_at:
            result[open_at.pop()] = each.end()
    return result
