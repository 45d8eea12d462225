"""Credentials in names: URLs and connection strings may name datasets, and a name is never removed from the log.

Names are masked where a message arrives and where a parser finds them, so that the timeline, the catalog and the rows
hold the same names. Two URLs that differ only in their signatures are one dataset.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

from lineage_tt.model.edges import EdgeTuple
from lineage_tt.model.facts import FactTuple
from lineage_tt.model.messages import Lineage, NodeChange, Problem, TaskChange
from lineage_tt.model.redaction.credentials import mask_credentials, mask_name, mask_values, mask_words
from lineage_tt.model.redaction.positional import MASK

#: What words quote of a value that is shorter than this says nothing about it, and may be any word.
_LEAST_QUOTED: Final = 4
#: The most values of one text that are looked for where a quotation cuts them.
_MAX_CUT: Final = 256
Reported = TypeVar("Reported")
AnyChange = TypeVar("AnyChange", bound=TaskChange | NodeChange)


def with_masked_names(message: AnyChange) -> AnyChange:
    """Return a message with names and fact values without credentials; the same message where it has none."""
    if (raw := message.raw) is not None and not (
        b"=" in raw or b"@" in raw or b"'" in raw or b"\\" in raw or b"earer " in raw
    ):
        return message
    masked: dict[str, Any] = {"facts": masked_facts(message.facts)}
    if isinstance(message, NodeChange):
        masked["node"] = mask_name(message.node)
    else:
        for name in ("namespace", "default_database", "target"):
            masked[name] = mask_name(value) if (value := getattr(message, name)) else value
        if message.lineage is not None and (edges := masked_edges(message.lineage.edges)) is not message.lineage.edges:
            masked["lineage"] = replace(message.lineage, edges=edges)
    changed = {name: value for name, value in masked.items() if value != getattr(message, name)}
    return replace(message, **changed) if changed else message


def masked_edges(edges: Sequence[EdgeTuple]) -> Sequence[EdgeTuple]:
    """Return edges with masked names and expressions, sorted and distinct; the same where there is nothing to mask."""
    masked = [
        (mask_name(source), mask_name(target), *kind, mask_credentials(text) if "'" in text else text)
        for source, target, *kind, text in edges
    ]
    return edges if masked == list(edges) else sorted(set(masked))  # type: ignore[arg-type]


def masked_facts(facts: Sequence[FactTuple]) -> Sequence[FactTuple]:
    """Return facts with masked nodes and values; the same where there is nothing to mask."""
    masked = [(mask_name(node), key, _masked_value(key, value)) for node, key, value in facts]
    return facts if masked == list(facts) else masked


def _masked_value(key: str, value: str) -> str:
    """Return the value of a fact without credentials: masked as words, unless it is a name or a definition (SQL)."""
    is_words = key != "definition" and len(value.split(None, 1)) > 1
    return mask_words(value) if is_words else str(mask_values(value))


def masked_problem(problem: Problem) -> Problem:
    """Return a problem with no credentials in its subject and words, which name datasets."""
    return problem._replace(detail=mask_words(problem.detail), subject=mask_name(problem.subject))


def masked_problems(problems: Iterable[Problem], sql: str | None, masked: str | None) -> list[Problem]:
    """Return problems without credentials, also where they quote a part of ``sql`` that does not show what it is.

    ``masked`` is the text with its credentials masked: what it lacks is masked in the problems' words.
    """
    values = _masked_values(sql, masked) if sql and masked and sql != masked else []
    return [_without(masked_problem(each), values) for each in problems]


def _without(problem: Problem, values: Sequence[str]) -> Problem:
    detail = problem.detail
    for value in values:
        detail = detail.replace(value, MASK)
    for value in values[:_MAX_CUT]:
        detail = _without_cut(detail, value)
    return problem._replace(detail=detail, subject=MASK if problem.subject in values else problem.subject)


def _without_cut(detail: str, value: str) -> str:
    """Return words without a part of a value, where their quotation ends, or begins, inside of it."""
    if value[:_LEAST_QUOTED] not in detail and value[-_LEAST_QUOTED:] not in detail:
        return detail
    for cut in range(min(len(value), len(detail)) - 1, _LEAST_QUOTED - 1, -1):
        if detail.endswith(value[:cut]):
            return detail[:-cut] + MASK
        if f"near: {value[-cut:]}" in detail:
            return detail.replace(f"near: {value[-cut:]}", f"near: {MASK}")
    return detail


def _masked_values(text: str, masked: str) -> list[str]:
    """Return the parts of a text in whose place ``masked`` has a mask; the longest first."""
    values, at = set(), 0
    for kept in masked.split(MASK):
        start = text.find(kept, at)
        if start < 0:
            break
        values.add(text[at:start])
        at = start + len(kept)
    values.add(text[at:])
    return sorted((value for value in values if len(value) >= _LEAST_QUOTED), key=len, reverse=True)


def masked_lineage(lineage: Lineage) -> Lineage:
    """Return a parser's result with masked names, lookups included; the same result where there is nothing to mask."""
    names = [end for edge in lineage.edges for end in edge[:2]]
    names += [dataset for pairs in (lineage.outputs, lineage.lookups, lineage.types, lineage.filled)
              for dataset, _ in pairs]  # fmt: skip
    names += [text for problem in lineage.problems for text in (problem.subject, problem.detail)]
    if not any("=" in name or "@" in name for name in names):
        return lineage
    return replace(
        lineage,
        edges=masked_edges(lineage.edges),
        problems=list(map(masked_problem, lineage.problems)),
        outputs=_renamed(lineage.outputs),
        lookups=_renamed(lineage.lookups),
        stars=list(dict.fromkeys(map(mask_name, lineage.stars))),
        types=_renamed(lineage.types),
        filled=_renamed(lineage.filled),
    )


def _renamed(pairs: Iterable[tuple[str, Reported]]) -> list[tuple[str, Reported]]:
    """Return pairs with masked datasets; where two become equal, the later one wins."""
    return list({mask_name(dataset): reported for dataset, reported in pairs}.items())
