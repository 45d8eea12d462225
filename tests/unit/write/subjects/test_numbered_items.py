"""Numbered items: every distinct item has one number, whatever its parts hold."""

from __future__ import annotations

import random
from typing import Any

import pytest
from rounds import rounds

from lineage_tt.timeline import numbers
from lineage_tt.write.subjects.items import Item
from lineage_tt.write.subjects.numbered_items import NumberedItems

A: Item = ("n:a#x", "n:b#x", "DIRECT", "IDENTITY", "")
FACT: Item = ("n:b", "owner", "ann")


def test_an_item_keeps_its_number() -> None:
    """Items are numbered in the order in which they are first stated."""
    items = NumberedItems()

    assert [items.mask([A, FACT]), items.mask([FACT]), items.mask([A, A])] == [0b11, 0b10, 0b01]
    assert [items[0], items[1], len(items)] == [A, FACT, 2]


@pytest.mark.parametrize("parts", [5, 3])
def test_parts_that_hold_the_separator_make_other_items(parts: int) -> None:
    """Also where their texts, one after the other, are the same, and where one looks like what is made of another."""
    texts = ["\0", "a\0", "\0a", "", '["a", "b", "c"]']
    each: list[Item] = [tuple(texts[(at + shift) % 5] for at in range(parts)) for shift in range(5)]  # type: ignore[misc]
    edges: list[Item] = [("a", "b", "c", "d", "e"), ("a\0b\0c", "d", "e"), ("a", "b", "c\0d\0e")]
    items = NumberedItems()

    items.mask([*each, *edges])

    assert [items[number] for number in range(len(items))] == [*each, *edges]


def test_facts_are_noted_until_they_are_forgotten() -> None:
    """A fact with an odd value is one, too."""
    odd: Item = ("n:b", "owner", "a\0b\0c")
    items = NumberedItems()
    items.mask([A])
    assert not items.has_facts

    items.mask([odd])
    assert items.has_facts

    items.truncate(1)
    assert (items.has_facts, len(items), items.mask([FACT])) == (False, 1, 0b10)


def test_a_wide_task_is_numbered_like_a_narrow_one() -> None:
    """Also when it is read back."""
    wide: list[Item] = [(f"n:a#{number}", "n:b#x", "DIRECT", "IDENTITY", "") for number in range(1_300)]
    items = NumberedItems()

    assert items.mask(wide) == (1 << 1_300) - 1
    assert NumberedItems(items.texts()).mask(wide[600:]) == (1 << 1_300) - (1 << 600)


@pytest.mark.parametrize("seed", range(rounds(50)))
def test_numbers_are_those_of_a_table_of_items(seed: int) -> None:
    """With random parts, some odd, and read back from their texts between two messages."""
    print("seed", seed)
    draw = random.Random(seed)
    table: list[Any] = []
    items = NumberedItems()

    def part() -> str:
        return "".join(draw.choice('ab\0[]",') for _ in range(draw.randrange(4)))

    for _ in range(30):
        stated: list[Any] = [
            draw.choice(table) if table and draw.random() < 0.5 else tuple(part() for _ in range(draw.choice((3, 5))))
            for _ in range(draw.randrange(6))
        ]
        table += [item for item in dict.fromkeys(stated) if item not in table]
        mask = items.mask(stated)

        assert {items[number] for number in numbers(mask)} == set(stated)
        assert {table[number] for number in numbers(mask)} == set(stated)
        if draw.random() < 0.3:
            count = draw.randrange(len(table) + 1)
            items.truncate(count)
            del table[count:]
        if draw.random() < 0.5:
            items = NumberedItems([*items.texts()], has_facts=items.has_facts)
        assert items.has_facts == any(len(item) == 3 for item in table)
