"""Matches: the similarity of a name and a search, computed from words alone, so all services order matches alike."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from typing import Final, NamedTuple

#: Number of letters in a run of the index; shorter words match only the beginnings of parts.
_RUN: Final = 3
_NOT_ASCII: Final = re.compile(r"[^\W\x00-\x7f]+")
LEAST: Final = 0.3
LEAST_NEAR: Final = 0.42
#: From this score on, a name contains the text or its words; below it, a name only resembles the text.
LEAST_MATCH: Final = 0.6
#: The end of an interval without end, as the index stores it: NULLs are never equal in a key.
ENDLESS: Final = 2**63 - 1
#: A name of the index: name, kind, subject, folded, since, until.
Row = tuple[str, str, str, str, int, int]


class Hit(NamedTuple):
    """A name that matches a search, and its score; 1 means that the text is the name itself.

    An owner, a label or a description also has the valid times from and to which it is in force, as known at the
    version.
    """

    name: str
    kind: str
    subject: str
    score: float
    valid_from: int | None = None
    valid_to: int | None = None


def score(query: str, folded: str) -> float:
    """Return how well a name matches: as a whole, by its last part, a beginning, a part, all words, or similarity."""
    if query == folded:
        return 1.0
    if not query:
        return 0.0
    parts = _parts(folded)
    if query in parts:
        return 0.95
    share = len(query) / max(len(folded), len(query))
    if folded.startswith(query):
        return round(0.8 + 0.1 * share, 6)
    if any(part.startswith(query) for part in parts):
        return round(0.75 + 0.1 * share, 6)
    if query in folded:
        return round(0.65 + 0.1 * share, 6)
    words = query.split()
    if len(words) > 1 and all(word in folded for word in words):
        return round(LEAST_MATCH + 0.1 * share, 6)
    like = max((_likeness(query, part) for part in [*parts[-3:], folded[-200:]]), default=0.0)
    return round(LEAST_MATCH * like, 6) if like >= 0.6 else 0.0


def fold(text: str) -> str:
    """Return a text in the form that is compared, without case."""
    return text.casefold()


def words_of(folded: str) -> str:
    """Return a text in the form that is indexed: with the pairs of letters of each run that is not ASCII."""
    if folded.isascii():
        return folded
    runs = _NOT_ASCII.findall(folded)
    pairs = (run[i : i + 2] for run in runs for i in range(1, len(run)))
    return f"{folded} {' '.join(pairs)} {' '.join(runs)}"


def _likeness(query: str, part: str) -> float:
    matcher = SequenceMatcher(None, query, part, autojunk=False)
    return matcher.ratio() if matcher.real_quick_ratio() >= 0.6 and matcher.quick_ratio() >= 0.6 else 0.0


def _parts(folded: str) -> list[str]:
    for mark in ":#/_-":
        folded = folded.replace(mark, ".")
    return [part for part in folded.split(".") if part]


def grams(text: str) -> list[str]:
    """Return the distinct runs of three letters among the first forty of a text."""
    return list(dict.fromkeys(text[i : i + 3] for i in range(min(len(text) - 2, 40))))


def hits_of(query: str, rows: Iterable[Row]) -> Iterator[Hit]:
    """Yield each name once, with its score, from the start of its first to the end of its last interval."""
    spans: dict[tuple[str, str, str, str], list[tuple[int, int]]] = {}
    for *name, since, until in rows:
        spans.setdefault((name[0], name[1], name[2], name[3]), []).append((since, until))
    for (text, kind, subject, folded), intervals in spans.items():
        first, last = min(since for since, _ in intervals), max(until for _, until in intervals)
        fact = kind in ("owner", "label", "description")
        ends = last if fact and last != ENDLESS else None
        yield Hit(text, kind, subject, score(query, folded), first if fact else None, ends)
