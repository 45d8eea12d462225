"""Signed changes as rectangles: each minus closes what an earlier plus opened."""

from __future__ import annotations

import random
import secrets

import numpy as np

from lineage_tt.graph.arrays.pairing import Changes, rectangles
from lineage_tt.graph.arrays.rows import NEVER

Change = tuple[int, int, int, int, int, int, int]


def columns(changes: list[Change]) -> Changes:
    """Changes (sign, source, target, payload, from, to, version) as columns."""
    kinds = [np.int8, np.int32, np.int32, np.int32, np.int64, np.int64, np.int32]
    if not changes:
        return Changes(*(np.empty(0, kind) for kind in kinds))
    return Changes(*(np.array(column, kind) for column, kind in zip(zip(*changes, strict=True), kinds, strict=True)))


def naive(changes: list[Change]) -> tuple[list[tuple[int, ...]], list[int]]:
    """What is opened, with the version that closes it, and the places of changes that close nothing here."""
    opened: list[list[int]] = []
    left = []
    for place, (sign, *rectangle, version) in enumerate(changes):
        if sign > 0:
            opened.append([*rectangle, version, NEVER])
            continue
        match = [each for each in opened if each[:5] == rectangle and each[6] == NEVER]
        if match:
            match[-1][6] = version
        else:
            left.append(place)
    return [tuple(each) for each in opened], left


def test_random_changes_are_paired_as_a_list_pairs_them() -> None:
    """The same rectangle may open and close many times; some were opened before and are closed here."""
    seed = secrets.randbits(32)
    print("seed", seed)
    draw = random.Random(seed)
    for _ in range(200):
        held: list[tuple[int, ...]] = []
        changes: list[Change] = []
        for version in range(1, draw.randrange(2, 60)):
            rectangle = (
                draw.randrange(3),
                draw.randrange(3),
                draw.randrange(2),
                draw.randrange(2),
                5 + draw.randrange(2),
            )
            sign = -1 if rectangle in held or draw.random() < 0.1 else 1
            if sign > 0:
                held.append(rectangle)
            elif rectangle in held:
                held.remove(rectangle)
            changes.append((sign, *rectangle, version))
        found, left = rectangles(columns(changes))

        expected = naive(changes)
        assert list(zip(*(column.tolist() for column in found), strict=True)) == expected[0]
        assert left.tolist() == expected[1]


def test_no_changes_make_no_rectangles() -> None:
    """An empty store loads."""
    found, left = rectangles(columns([]))

    assert all(len(column) == 0 for column in found)
    assert len(left) == 0
