"""Text that is safe to show and, on a terminal, coloured.

Names come from messages and may be hostile: see ``lineage_tt.model.names.shown``.
"""

from __future__ import annotations

import re
import unicodedata

from lineage_tt.model.names import UNSAFE, shown


def _spell_json(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x10000:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"


def shown_json(text: str) -> str:
    """Return JSON text of the same value in which unsafe characters are spelled as JSON escapes."""
    return UNSAFE.sub(_spell_json, text)


def width(text: str) -> int:
    """Return how many terminal columns a shown text takes."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


class Ink:
    """Makes text safe and, where ``colour`` is on, coloured. Every name on a page goes through it."""

    def __init__(self, colour: bool = False) -> None:
        self.colour = colour

    def _paint(self, text: object, code: str) -> str:
        safe = shown(text)
        return f"\x1b[{code}m{safe}\x1b[0m" if self.colour and safe else safe

    def plain(self, text: object) -> str:
        """A name or a value."""
        return shown(text)

    def strong(self, text: object) -> str:
        """The subject of the page."""
        return self._paint(text, "1")

    def faint(self, text: object) -> str:
        """Text that a reader may skip."""
        return self._paint(text, "2")

    def good(self, text: object) -> str:
        """Something added, or accepted."""
        return self._paint(text, "32")

    def bad(self, text: object) -> str:
        """Something removed, refused or damaged."""
        return self._paint(text, "31")

    def kind(self, text: object) -> str:
        """The kind of an edge."""
        return self._paint(text, "36")
