"""What a name may be: bounded, valid Unicode, and not reserved for the product; and which one a misspelt one may mean.

Names come from messages, so anybody may have chosen them. The bounds apply to new messages; a store that was written
before the bounds existed still opens and answers.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from heapq import nsmallest
from typing import Final

#: Nodes whose facts the product itself acts upon. Messages may not name them: only the product's own commands and API
#: write their facts (``Writer.append(own=True)``).
RESERVED: Final = ("subscription:", "token:", "policy:")
#: Namespaces of the reserved nodes.
RESERVED_NAMESPACES: Final = frozenset(prefix[:-1] for prefix in RESERVED)
#: Prefixes of the ids of tasks that hold what people state: aliases, edges, annotations. Task changes may not use them.
CURATED: Final = ("alias:", "edge:", "note:")
#: The longest name (task id, event id, node, fact key, actor) in bytes of UTF-8.
MAX_NAME_BYTES: Final = 4096
#: The bounds of the integers that the log's columns hold.
MIN_INTEGER: Final = -(2**63)
MAX_INTEGER: Final = 2**63 - 1
#: Characters that a terminal interprets or does not show: control, bidirectional and zero-width characters.
UNSAFE: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U000110bd\U000110cd\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)

_NUMBERS: Final = re.compile("0*([0-9]+)")
#: From this similarity on, a name may be a typing error.
ALIKE: Final = 0.6
#: The most known names, and about the most of their characters, that are compared with one: 10 µs for a short name.
MAX_COMPARED: Final = 5_000
_MAX_CHARACTERS: Final = 200_000


def is_reserved(node: str) -> bool:
    """Return whether a node, or a column of it, belongs to the product."""
    return node.startswith(RESERVED)


def too_long(name: str) -> bool:
    """Return whether a name has more than ``MAX_NAME_BYTES``; UnicodeEncodeError for a lone surrogate in it."""
    if len(name) * 4 <= MAX_NAME_BYTES or name.isascii():
        return len(name) > MAX_NAME_BYTES
    return len(name.encode()) > MAX_NAME_BYTES


def storable(text: str) -> str:
    """Return text that UTF-8 can hold: lone surrogates become ``\\udXXX``."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def natural_order(name: str) -> tuple[tuple[str, int, str], ...]:
    """Return the key by which names are sorted for people: ``c2`` comes before ``c10``."""
    parts = _NUMBERS.split(name)
    numbers = [*parts[1::2], ""]
    return tuple((text, len(number), number) for text, number in zip(parts[::2], numbers, strict=True))


def clipped(name: str, most: int = 60) -> str:
    """Return the beginning of a name for a message, quoted and with unprintable characters escaped."""
    return repr(name) if len(name) <= most else f"{name[:most]!r}…"


def shortened(words: str, most: int = 200) -> str:
    """Return words that quote what somebody sent, cut to ``most`` characters."""
    return words if len(words) <= most else words[: most - 1] + "…"


def first_lines(lines: Sequence[str], most: int, where: str) -> Sequence[str]:
    """Return the first lines of a list; one more counts those that are left out, and says where they are."""
    more = len(lines) - most
    return (*lines[:most], *([f"{more:,} more: see {where}"] if more > 0 else ()))


def and_more(names: Sequence[str], most: int = 8) -> str:
    """Return the first names of a list for a message, and how many more there are."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")


def repeated(names: Iterable[str]) -> list[str]:
    """Return the names that come more than once, each once, in the order in which they first come."""
    return [name for name, count in Counter(names).items() if count > 1]


def _spell(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def shown(text: object) -> str:
    """Return text as it may be shown on a terminal or a page: unsafe characters spelled as ``\\uXXXX``."""
    return UNSAFE.sub(_spell, str(text))


def near_names(
    name: str, known: Iterable[str], cutoff: float = ALIKE, most: int = 1, *, any_case: bool = False
) -> tuple[str, ...]:
    """Return up to ``most`` known names whose similarity, from 0 to 1, is at least ``cutoff``; the most alike first.

    Of more names than ``most_compared`` allows, those are compared that begin alike, then those of nearly its length.
    With ``any_case``, names are compared without case, and returned as they are known.
    """
    fold = str.casefold if any_case else str
    sought = fold(name)
    size, bound = len(sought), most_compared(sought)
    # names of other lengths are less similar, whatever their letters
    pool = [each for each in known if 2 * min(size, len(each)) >= cutoff * (size + len(each))]
    if len(pool) > bound:
        longer = sought
        for begin in (*beginnings(sought), ""):
            alike = [each for each in pool if fold(each).startswith(begin)]
            if len(alike) > bound:
                break
            longer = begin
        pool = nsmallest(bound, alike, lambda x: (not fold(x).startswith(longer), abs(len(x) - size), x))
    by_fold = {fold(each): each for each in sorted(pool, reverse=True)}
    return tuple(by_fold[near] for near in difflib.get_close_matches(sought, by_fold, most, cutoff))


def beginnings(name: str) -> tuple[str, str, str]:
    """Return the first three quarters of a name, its first half and its first quarter."""
    return name[: len(name) * 3 // 4], name[: len(name) // 2], name[: len(name) // 4]


def most_compared(name: str) -> int:
    """Return with how many known names one is compared at most: with fewer, the longer it is."""
    return max(1, min(MAX_COMPARED, _MAX_CHARACTERS // max(1, len(name))))


def meaning(near: str | Sequence[str] | None, mark: str = "; ") -> str:
    """Return ``; did you mean X or Y?`` for the end of a sentence; empty without names. ``mark`` comes before it."""
    names = [near] if isinstance(near, str) else near
    return f"{mark}did you mean {' or '.join(map(shown, names))}?" if names else ""
