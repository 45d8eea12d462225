"""Words that are one slip away from a keyword: a parser takes them for names, and their meaning is lost."""

from __future__ import annotations

from collections.abc import Iterable


def misspelt(word: str, keywords: Iterable[str]) -> str:
    """Return the keyword that ``word`` was most likely meant to be, "" for a keyword itself and for any other word.

    A slip is two neighbouring letters swapped, one left out, one replaced, or one too many inside. One too many at the
    end makes another word (``order`` and ``orders``), and so does a different first letter.
    """
    word = word.lower()
    return next((keyword for keyword in keywords if word != keyword and _is_slip(word, keyword)), "")


def _is_slip(word: str, keyword: str) -> bool:
    if len(keyword) < 4 or abs(len(word) - len(keyword)) > 1 or word[:1] != keyword[0]:
        return False
    same = next(
        (n for n, (a, b) in enumerate(zip(word, keyword, strict=False)) if a != b), min(map(len, (word, keyword)))
    )
    if len(word) == len(keyword):
        swapped = word[same : same + 2] == keyword[same : same + 2][::-1] and word[same + 2 :] == keyword[same + 2 :]
        return swapped or word[same + 1 :] == keyword[same + 1 :]
    if len(word) < len(keyword):
        return word[same:] == keyword[same + 1 :]
    return same < len(keyword) and word[same + 1 :] == keyword[same:]
