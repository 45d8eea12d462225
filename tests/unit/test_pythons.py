r"""The packages must do the same on every Python that they support; CI runs one.

Before 3.11.5, a possessive repeat whose last try fails inside may continue after characters that this try consumed.
After ``\}(?!\})`` failed in ``(?:a|\}(?!\}))*+``, for example, the first of two braces is gone (CPython issues 100061
and 106052; Debian 12 has 3.11.2). A later alternative that is tried at the same place, such as ``(?!)``, puts it right.
Groups inside a possessive repeat are another fault of these versions (issue 101955).
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

import pytest

import ingest
import lineage_tt
from ingest.sql.dialects.registry import DIALECTS
from ingest.sql.text.regions import scanner_of

_REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)
_SAVE = (*_REPEATS, sre.ATOMIC_GROUP, sre.BRANCH)


def test_no_possessive_repeat_loses_characters_on_older_pythons() -> None:
    """Checks all patterns of both packages; what a pattern does on an older Python is read off its parts."""
    patterns = {each.pattern: each.flags for each in _patterns()}
    assert len(patterns) > 250
    found = {pattern for pattern, flags in patterns.items() if _faults(_parser.parse(pattern, flags))}
    assert not found, "add (?!) as the last alternative, or see the first lines of this file"


@pytest.mark.parametrize(
    ("pattern", "is_faulty"),
    [
        (r"(?:a|\}(?!\}))*+", True),
        (r"(?:a|\}(?!\})|(?!))*+", False),
        (r"(?:ab?c)++", True),
        (r"(?:ab?)++", False),
        (r"(?:'[^']*+'|['\"])*+", False),
        (r"(?:'[^']*+'|\")*+", True),
        (r"(?>(?:.(?!D))+)", True),
        (r"(?:(x)|y)*+", True),
        (r"(?:''|[^'])*+", False),
    ],
)
def test_what_older_pythons_read_wrongly_is_known(pattern: str, is_faulty: bool) -> None:
    """The check itself finds what those versions get wrong, and no more."""
    assert _faults(_parser.parse(pattern)) is is_faulty


def test_no_query_of_sqlite_binds_numbered_parameters_to_a_sequence() -> None:
    """Python 3.12 warns of it, 3.14 refuses it: parameters that a query repeats have names."""
    files = (path for package in (lineage_tt, ingest) for path in Path(package.__path__[0]).rglob("*.py"))
    found = [path for path in files if re.search(r"[ (=<>*]\?[1-9]\b", path.read_text(encoding="utf-8"))]
    assert not found


def _patterns() -> Iterator[re.Pattern[str]]:
    """Yield the patterns in the modules of both packages, and those of the dialects' scanners."""
    for package in (lineage_tt, ingest):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            yield from _held(vars(importlib.import_module(module.name)).values())
    for rules in DIALECTS:
        for templated in (False, True):
            yield scanner_of(rules, templated).pattern


def _held(values: Any, depth: int = 3) -> Iterator[re.Pattern[str]]:
    for value in values:
        if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
            yield value
        elif depth and isinstance(value, (tuple, list, frozenset)):
            yield from _held(value, depth - 1)
        elif depth and type(value) is dict:
            yield from _held(value.values(), depth - 1)


def _faults(sequence: Any) -> bool:
    """Return whether any possessive repeat or atomic group may lose characters, or holds a group."""
    for operation, value in sequence:
        inner = _inner(operation, value)
        if operation in (sre.POSSESSIVE_REPEAT, sre.ATOMIC_GROUP) and any(
            _loses(each) or _has_group(each) for each in inner
        ):
            return True
        if any(map(_faults, inner)):
            return True
    return False


def _inner(operation: Any, value: Any) -> list[Any]:
    if operation in _REPEATS:
        return [value[2]]
    if operation in (sre.ASSERT, sre.ASSERT_NOT):
        return [value[1]]
    if operation is sre.BRANCH:
        return list(value[1])
    if operation is sre.SUBPATTERN:
        return [value[3]]
    return [value] if operation is sre.ATOMIC_GROUP else []


def _has_group(sequence: Any) -> bool:
    return any(
        (operation is sre.SUBPATTERN and value[0] is not None) or any(map(_has_group, _inner(operation, value)))
        for operation, value in sequence
    )


def _flat(sequence: Any) -> Iterator[tuple[Any, Any]]:
    for operation, value in sequence:
        if operation is sre.SUBPATTERN:
            yield from _flat(value[3])
        else:
            yield operation, value


def _loses(sequence: Any) -> bool:
    """Return whether a sequence that fails may leave the position after characters that it consumed or looked at."""
    consumed = saved = False
    for operation, value in _flat(sequence):
        can_fail = operation not in _REPEATS or value[0] > 0
        if consumed and can_fail and (saved or operation in _SAVE):
            return True
        if operation in (sre.ASSERT, sre.ASSERT_NOT):
            return bool(operation is sre.ASSERT or len(value[1]))  # (?!) looks at nothing
        if operation is sre.BRANCH and _branches_lose(value[1]):
            return True
        if operation in (sre.MAX_REPEAT, sre.MIN_REPEAT) and can_fail and _loses(value[2]):
            return True
        saved = saved or operation in _SAVE
        consumed = True
    return False


def _branches_lose(branches: Any) -> bool:
    """Return whether alternatives lose characters: a later one that is tried at the same character finds them again."""
    lost: Any = None
    for branch in branches:
        first = next(_flat(branch), None)
        if _loses(branch):
            lost = first
        elif lost is not None and _is_tried(first, lost):
            lost = None
    return lost is not None


def _is_tried(first: Any, lost: Any) -> bool:
    """Return whether an alternative is tried wherever the lost one was: ``re`` compares first characters before."""
    return (
        first is None
        or first[0] not in (sre.LITERAL, sre.IN)
        or first == lost
        or (first[0] is sre.IN and lost in first[1])
    )
