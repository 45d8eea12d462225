"""How much a text may hold of what, and why: a text beyond these limits would crash or stall the parser.

The guard (``guard``) checks them; why each limit is what it is is stated beside its field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Limits:
    """How much a text may hold of what; the figures were measured with sqlglot 30.30 (compiled) on one core."""

    size: int = 4 << 20
    """Bytes of UTF-8. The real stream's largest text has 1.0 MB and parses in 0.4 s."""
    tokens: int = 400_000
    """Words, numbers, strings and signs. The largest real text has 117,000."""
    nesting: int = 48
    """Brackets and CASE open at once; the deepest real text has 9. sqlglot in pure Python fails from 50 at the usual
    recursion limit. The compiled one reaches 300 (EXISTS) to 600 (parentheses), where subqueries take 2 s to parse."""
    guesses: int = 8
    """Brackets after a type's name open at once, ``STRUCT(DATE(…))``, ``ARRAY[ARRAY[…]]``, ``STRUCT<a INT>(…)``; the
    deepest real text has 4. The parser tries a type first, then a call or an array, so that each level doubles the
    time: 0.1 to 0.5 s at 14 levels, 9 s at 20. Of 85 kinds of nesting, alone and in pairs, in 29 dialects, no other
    does but calls in Materialize's."""
    arrows: int = 4
    """Arrows of a text whose dialect has none (T-SQL): the parser reads what comes after each twice, so that each
    doubles the time: 0.2 s at 16."""
    work: int = 800_000
    """Words and signs, each counted twice as often for each guess that is open around it: about what the parser reads,
    at some 1.3 µs each. A real text comes to 131,000 at most. Many guesses side by side cost as much as one that is
    deeper. Each guess allowed beyond eight doubles it."""
    joins: int = 12
    """Joins that wait for their ON or USING, ``a JOIN b JOIN c … ON``, in all open brackets; the most in a real text
    are 6. The parser tries whether a later ON closes each, so that each doubles the time: 0.3 s at 14, with subqueries
    2 s."""
    run: int = 200
    """Prefixes or suffixes in a row (``NOT NOT``, ``a.b.c``, ``::int::int``, ``[0][0]``), a level each."""
    chain: int = 10_000
    """Operators of one flat chain (AND, OR, ``+``; ``||`` counts twice); the longest real one has 399. The extractor
    resolves 10,000 in 0.3 s, where sqlglot's own qualifier needs 13 s for 8,000."""
    queries: int = 2_500
    """SELECTs of unions, CTEs and scripts together; the most in a real text are 59. 2,000 unions or CTEs take the
    qualifier 1 s, 8,000 take it 14 to 18 s."""

    def allow(self, size: int, guesses: int) -> bool:
        """Return whether a text of this many words or characters may have this many guesses open everywhere."""
        return guesses <= self.guesses and size << guesses <= self.max_work

    @property
    def max_work(self) -> int:
        """The limit ``work`` at the number of guesses that are allowed."""
        return self.work << max(0, self.guesses - Limits.guesses)


DEFAULT_LIMITS: Final = Limits()
