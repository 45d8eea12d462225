"""Patterns of mappings: those that a value could hold up for ever are refused, the others end soon on any value."""

from __future__ import annotations

import os
import random
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from ingest.messages.mapping import load_mapping
from ingest.messages.parsing import parse_line
from ingest.messages.patterns import UnsafePatternError, judged
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.messages import RejectedMessage

SEED = int(os.environ.get("LINEAGE_TT_SEED", "20261123"))
SECONDS = 5.0
ROUNDS = 10_000 if os.environ.get("LINEAGE_TT_PROFILE") == "deep" else 800


@contextmanager
def at_most(seconds: float, what: str) -> Iterator[None]:
    """End the block with TimeoutError after so many seconds of the processor; the matcher looks for signals."""

    def stop(*_: object) -> None:
        raise TimeoutError(what)

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+", "(a*)*", r"(\w+\s?)*", "(x+x+)+y", "(a|a)*", "(a|ab)*", "((a)|(a))*c", r"(.*\.)*", "(?:a?){30}a{30}",
        "a?" * 30 + "a" * 30, "(a{1,3})*b", "(x(a|a))*c", "(.*)(.*)(.*)(.*)", r"^(([a-z])+.)+[A-Z]([a-z])+$",
        "(?=(a+)+b).*", r"(a+|b)*c|(a+)+", "([a-z]{1,10})*1", r"(\w)(\1+)+x", r"((\w*?)\w{1,3}\.)*",
        r"(?:a?a?b)*c", r"([ab]*\.++[ab]?)*",
    ],
)  # fmt: skip
def test_a_catastrophic_pattern_is_refused(pattern: str) -> None:
    """Before any value is matched against it."""
    re.compile(pattern)
    with pytest.raises(UnsafePatternError):
        judged(pattern)


@pytest.mark.parametrize(
    ("pattern", "longest"),
    [
        (r"([^.]+)\..*", 1 << 20),
        (r"(.*)\.([^.]*)", 4472),
        (r"(.*)\.(.*)", 4472),
        (r"(.*)\.(.*)\.(.*)", 271),
        (r"([a-z0-9_]+)\.([a-z0-9_]+)\.([a-z0-9_]+)", 1 << 20),
        (r"(?:[a-z]+\.)*([a-z]+)", 4472),
        (r"(?:\d{1,3}\.){3}\d{1,3}", 1 << 20),
        (r"\d{4}-\d{2}-\d{2}T.*", 1 << 20),
        (r"(?>a+)b", 1 << 20),
        ("(a++)+b", 1 << 20),
    ],
)
def test_an_ordinary_pattern_is_taken(pattern: str, longest: int) -> None:
    """With the length up to which it is matched."""
    assert longest == judged(pattern)


def random_pattern(rng: random.Random, depth: int = 0) -> str:
    """Return a pattern of a few characters, repeats and groups."""
    pieces = []
    for _ in range(rng.randrange(1, 4)):
        piece = rng.choice(["a", "b", "[ab]", "[^a]", ".", r"\.", "ab", r"\w"])
        if depth < 3 and rng.random() < 0.45:
            inner = "|".join(random_pattern(rng, depth + 1) for _ in range(rng.choice((1, 1, 2))))
            piece = f"({inner})"
        elif len(piece.lstrip("\\")) > 1 and piece == "ab":
            piece = "(?:ab)"
        pieces.append(piece + rng.choice(["", "", "*", "+", "?", "*?", "{1,3}", "{2}", "++"]))
    return "".join(pieces)


@pytest.mark.long
def test_no_value_holds_up_a_pattern_that_is_taken() -> None:
    """Random patterns against values that almost fit, as long as they may be: each is judged within seconds."""
    print("seed", SEED)
    rng = random.Random(SEED)
    taken = 0
    for _ in range(ROUNDS):
        pattern = random_pattern(rng)
        try:
            longest = min(judged(pattern), 20_000)
        except UnsafePatternError:
            continue
        taken += 1
        compiled = re.compile(pattern)
        for unit in ("a", "b", "ab", "aab", ".", "a.", "ab."):
            value = (unit * longest)[: longest - 1] + "!"
            # Python 3.11's matcher fails on some possessive repeats; what matters here is that it ends.
            with at_most(SECONDS, f"{pattern} with {unit}"), suppress(SystemError):
                compiled.fullmatch(value)
    assert taken > ROUNDS // 6


def test_a_mapping_with_a_catastrophic_pattern_is_refused(tmp_path: Path) -> None:
    """The error names the field and says what is wrong."""
    (tmp_path / "m.toml").write_text('[fields]\nop = { field = "a", pattern = "(a+)+", template = "{1}" }\n')
    with pytest.raises(InvalidRequestError, match=r"op.*repeat inside a repeat"):
        load_mapping(tmp_path / "m.toml")


def test_a_value_too_long_for_a_pattern_is_a_dead_letter(tmp_path: Path) -> None:
    """At once, and with words."""
    (tmp_path / "m.toml").write_text(
        '[fields]\nevent_id = { field = "a", pattern = "(.*)x(.*)x(.*)", template = "{1}" }\n'
    )
    found = parse_line(
        load_mapping(tmp_path / "m.toml"), b'{"a": "' + b"x" * 100_000 + b'"}', 0
    )  # matching it would take 10¹⁵ steps

    assert isinstance(found, RejectedMessage)
    assert "more than 271 characters" in found.detail


def test_a_mapping_nested_too_deep_is_refused(tmp_path: Path) -> None:
    """Lists, tables and dotted keys; neither a traceback nor a minute of parsing."""
    for content in ("keep = " + "[" * 100_000 + "]" * 100_000, ".".join(["a"] * 100_000) + " = 1"):
        (tmp_path / "m.toml").write_text(content)
        with at_most(SECONDS, content[:20]), pytest.raises(InvalidRequestError, match="nested too deep"):
            load_mapping(tmp_path / "m.toml")
