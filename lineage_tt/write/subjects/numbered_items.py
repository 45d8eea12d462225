"""The distinct items of a subject, each with a number.

An item is held as one string of its parts, not as a tuple: that takes half the memory, is looked up faster, and is
written to a file and read back in a third of the time.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Final

from lineage_tt.write.subjects.items import FACT_PARTS, Item

#: Between the parts of an item. Where a part holds it, the item is a JSON array instead, which never does.
_SEPARATOR: Final = "\0"


class NumberedItems:
    """Items in the order in which they were first stated; an item's bit in a mask is one shifted by its number."""

    __slots__ = ("_bits", "_texts", "has_facts")

    def __init__(self, texts: list[str] | None = None, *, has_facts: bool = False) -> None:
        self._texts = texts if texts is not None else []
        self._bits = {text: 1 << number for number, text in enumerate(self._texts)}
        #: Whether any item is a fact.
        self.has_facts = has_facts

    def __len__(self) -> int:
        return len(self._texts)

    def __getitem__(self, number: int) -> Item:
        """Return the item with a number."""
        return _item_of(self._texts[number])

    def texts(self) -> list[str]:
        """Return the items as strings, from which a new ``NumberedItems`` is made; not to be changed."""
        return self._texts

    def mask(self, items: Sequence[Item]) -> int:
        """Return the mask of these items; gives a number to those that have none yet."""
        known = self._bits.get
        return reduce(or_, [known(text) or self._bit(text) for text in _texts_of(items)], 0)

    def truncate(self, count: int) -> None:
        """Forget all items but the first ``count``."""
        for text in self._texts[count:]:
            del self._bits[text]
        del self._texts[count:]
        self.has_facts = any(map(_is_fact, self._texts))

    def _bit(self, text: str) -> int:
        count = len(self._texts)
        bit = self._bits.setdefault(text, 1 << count)
        if len(self._bits) > count:
            self._texts.append(text)
            self.has_facts = self.has_facts or _is_fact(text)
        return bit


def _texts_of(items: Sequence[Item]) -> list[str]:
    """Return a string for each item, another one for each distinct item.

    It has one separator fewer than the item has parts, or none.
    """
    texts = list(map(_SEPARATOR.join, items))
    if "".join(texts).count(_SEPARATOR) != sum(map(len, items)) - len(items):
        texts = [
            text if text.count(_SEPARATOR) == len(item) - 1 else json.dumps(item)
            for text, item in zip(texts, items, strict=True)
        ]
    return texts


def _item_of(text: str) -> Item:
    item: Item = tuple(text.split(_SEPARATOR) if _SEPARATOR in text else json.loads(text))
    return item


def _is_fact(text: str) -> bool:
    separators = text.count(_SEPARATOR)
    return separators == FACT_PARTS - 1 if separators else len(json.loads(text)) == FACT_PARTS
