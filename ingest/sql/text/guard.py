"""Texts that would crash or stall the parser are rejected here, in one linear pass before any parser sees them.

A recursive parser spends stack on nesting and, where it guesses and backtracks, time that doubles with each level; the
resolver spends time that grows with the square of a flat chain's length. All of this can be seen without parsing:
brackets, ``CASE … END``, operators and keywords outside of strings and comments are enough.

Why the limits are what they are is stated beside each field of :class:`Limits`.
"""

from __future__ import annotations

import re
from functools import cache
from string import ascii_letters, digits, whitespace
from typing import Any, Final, NamedTuple

from sqlglot.dialects.dialect import Dialect

from ingest.sql.dialects.registry import fallbacks, rules_or_standard
from ingest.sql.dialects.rules import Rules
from ingest.sql.result import Problem
from ingest.sql.text.limits import DEFAULT_LIMITS, Limits
from ingest.sql.text.regions import scanner_of
from ingest.sql.words import words

_TOO_MUCH_WORK: Final = Problem("too-nested", "too many brackets after types' names inside each other")

_TOKEN: Final = re.compile(r"\w+|[^\w\s]")
_ASCII_TOKEN: Final = re.compile(_TOKEN.pattern, re.ASCII)  # the same where there is nothing else, in half the time
_WORDS_AND_SPACES: Final = f"{ascii_letters}{digits}_{whitespace}".encode()
_ONE_KIND: Final = bytes.maketrans(b"[]", b"()")
_NO_BRACKETS: Final = bytes(set(range(256)) - set(b"()[]"))
# A name before an opening bracket, both reversed: the search goes by brackets, of which a text has fewer than names.
_CALLED_REVERSED: Final = re.compile(r"[(\[]\s*+(\w++)")
_CHAINING_WORDS: Final = ("and", "or", "xor", "div", "like", "collate")
_CHAINING_SIGNS: Final = "|+-*/%^&"
_CHAINED: Final = frozenset([*_CHAINING_WORDS, *_CHAINING_SIGNS])
_BREAKING: Final = frozenset(
    [
        *(",", ";", "select", "from", "join", "on", "using", "where", "having", "qualify", "group", "order"),
        *("when", "then", "else"),
    ]
)
# A comma after the select list (BigQuery's may have one) is no such place.
_BARE: Final = re.compile(
    r"\bfrom\s(?:(?!select)[^,();]){1,200}(?=,\s*+from\b)|(?:,|\bjoin)\s*+select\b|\bjoin\s++from\b"
)
_CONDITION: Final = frozenset(["on", "using"])
_NEVER_WAIT: Final = frozenset(["cross", "natural"])
_NEXT_CLAUSE: Final = frozenset([";", "select", "from", "where", "having", "qualify", "group", "order"])
_OPENING: Final = frozenset(["(", "[", "<", "case"])
_CLOSING: Final = {")": "(", "]": "[", ">": "<", "end": "case"}
_COUNTED: Final = _CHAINED | _BREAKING | _OPENING | _CLOSING.keys()
_WITH_TYPE_ARGUMENTS: Final = frozenset(["array", "struct", "map", "table", "nested", "tuple", "row", "object", "list"])
_SIGNS: Final = words("and or not || + - * / % ~ ! . : @ ^ & div like collate")


def inspect_sql(text: str, limits: Limits = DEFAULT_LIMITS, *, dialect: str = "") -> Problem | None:
    """Return why ``text`` must not be parsed, None where it may be.

    Codes: ``too-large``, ``too-many-tokens``, ``too-nested``, ``too-long-chain``, ``too-many-queries``. Linear in the
    text. Most texts are settled by counts: they hold fewer brackets, operators and SELECTs than may be nested.
    """
    size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    if size > limits.size:
        return Problem("too-large", f"{size:,} bytes, at most {limits.size:,}")
    rules = rules_or_standard(dialect)
    guessed = _guessed(rules)
    has_arrows = rules.guesses_at_arrows and text.count("->") > limits.arrows
    if not has_arrows and _is_surely_small(text, limits, guessed):
        return None
    code = scanner_of(rules).code(text).lower()
    if has_arrows and code.count("->") > limits.arrows:
        return Problem("too-nested", f"more than {limits.arrows} arrows, which {rules.name} does not have")
    signs = _signs(code)
    depth = _depth(signs, limits.nesting)
    if depth > limits.nesting:
        return Problem("too-nested", f"more than {limits.nesting} brackets inside each other")
    if (run := _long_run(code, signs, limits)) is not None:
        return run
    if _is_long_but_flat(code, signs, depth, limits, guessed):
        return None
    tokens = (_ASCII_TOKEN if code.isascii() else _TOKEN).findall(code)
    return _Walk(limits, guessed).inspect(tokens) or _bare_queries(code, limits)


class _Guessed(NamedTuple):
    """What the parser guesses at: the words that it takes for a type first, and whether any call is such a word."""

    words: frozenset[str]
    every_call: bool

    def count(self, lower: str) -> int:
        """Return how many brackets of a text in lower case are guesses; at least as many as there are."""
        called = _CALLED_REVERSED.findall(lower[::-1])
        if self.every_call:
            return len(called)
        guesses = sum(word[::-1] in self.words for word in called) + lower.count("safe.")
        return guesses + lower.count(">") if "<" in lower else guesses

    def opens(self, word: str, before: str, prefix: str, *, after_type: bool) -> bool:
        """Return whether a bracket is a guess, from the word before it and the one two places before that."""
        if word == "<" or word == "case":
            return False
        if after_type or before in self.words:
            return True
        return word == "(" and (prefix == "safe" or (self.every_call and before.isidentifier()))


@cache
def _type_names(dialect: str) -> frozenset[str]:
    """The words that the dialect's parser takes for a type before it takes them for a function."""
    rules: Any = Dialect.get_or_raise(dialect)
    keywords = rules.tokenizer_class.KEYWORDS.items()
    names = {word.lower() for word, kind in keywords if kind in rules.parser_class.TYPE_TOKENS and word.isidentifier()}
    return frozenset(names | {"object", "union"})


@cache
def _guessed(rules: Rules) -> _Guessed:
    """What a text is read as where its own parser fails (``ingest.sql.parser.parse``) may guess at more words."""
    names = _type_names(rules.parser).union(*map(_type_names, fallbacks()))
    return _Guessed(names, rules.guesses_at_calls)


def _is_surely_small(text: str, limits: Limits, guessed: _Guessed) -> bool:
    """Whether counts over the raw text, upper bounds of everything that is limited, are all within the limits."""
    opened = text.count("(") + text.count("[") + text.count("<")
    if opened > limits.nesting or len(text) > limits.tokens:
        return False
    lower = text.lower()
    if opened + lower.count("case") > limits.nesting or lower.count("select") > limits.queries:
        return False
    if sum(map(lower.count, _SIGNS)) + text.count("[") > min(limits.run, limits.chain):
        return False
    if lower.count("join") > limits.joins or lower.count("from") > limits.nesting:
        return False
    return limits.allow(len(text), opened) or limits.allow(len(text), min(opened, guessed.count(lower)))


def _signs(code: str) -> str:
    """Return what is neither a letter, a digit nor a space of ASCII: a tenth of most texts, and all that opens."""
    return code.encode("utf-8", "surrogatepass").translate(None, _WORDS_AND_SPACES).decode("utf-8", "surrogatepass")


def _depth(signs: str, most: int) -> int:
    """Return how many brackets are open at once, of whatever kind; ends where there are more than ``most``."""
    brackets = signs.encode("utf-8", "surrogatepass").translate(_ONE_KIND, _NO_BRACKETS)
    pairs = 0
    while pairs <= most and (inside := brackets.replace(b"()", b"")) != brackets:
        brackets, pairs = inside, pairs + 1
    return pairs + brackets.count(b"(")  # what is left stays open, or closes nothing


def _is_long_but_flat(code: str, signs: str, depth: int, limits: Limits, guessed: _Guessed) -> bool:
    """Whether counts over the code, with its brackets ``depth`` deep, are within all that is limited.

    Each guess is a bracket. Where one closes another's, no more of the text is parsed.
    """
    if not (
        depth + code.count("case") + signs.count("<") <= limits.nesting
        and code.count("join") <= limits.joins
        and code.count("from") <= limits.nesting
        and code.count("select") <= limits.queries
        and sum(map(signs.count, _CHAINING_SIGNS)) + sum(map(code.count, _CHAINING_WORDS)) <= limits.chain
    ):
        return False
    size = len(code)
    if size > limits.tokens or not limits.allow(size, depth):
        size = min(size, len(code.split()) + 2 * len(signs))  # with n signs a run of letters is n + 1 words at most
    return size <= limits.tokens and (limits.allow(size, depth) or limits.allow(size, min(depth, guessed.count(code))))


def _long_run(code: str, signs: str, limits: Limits) -> Problem | None:
    """Find prefixes or suffixes in a row, each of which is a level of the tree without any bracket around it."""
    for kinds, over_commas, pattern in _runs(limits.run):
        text = code if kinds[0].isalpha() else signs
        if sum(map(text.count, kinds)) <= limits.run:
            continue
        if not over_commas:  # then it is between two commas, and a search costs more than counts
            pieces = (piece for piece in text.split(",") if len(piece) > limits.run)
            if not any(sum(map(piece.count, kinds)) > limits.run for piece in pieces):
                continue
        if pattern.search(code):
            return Problem("too-nested", f"more than {limits.run} prefixes, suffixes or name parts in a row")
    return None


def _bare_queries(code: str, limits: Limits) -> Problem | None:
    """Find queries inside each other without a bracket: ``FROM a, FROM b, FROM c`` and ``FROM a, SELECT …``."""
    if code.count("from") > limits.nesting and sum(1 for _ in _BARE.finditer(code)) > limits.nesting:
        return Problem("too-nested", f"more than {limits.nesting} queries without brackets inside each other")
    return None


@cache
def _runs(most: int) -> tuple[tuple[str | tuple[str], bool, re.Pattern[str]], ...]:
    """The kinds of run: signs that must be as many for it to be worth a search, whether it may go over commas."""
    return (
        ("-+~!@", False, re.compile(rf"[-+~!@](?:\s*+[-+~!@]){{{most},}}")),
        (("not",), False, re.compile(rf"not(?:\s++not){{{most},}}")),
        (".:", False, re.compile(rf"[.:](?:[^][().,;:\s]++\s*+[.:]++\s*+){{{most},}}")),
        ("]", True, re.compile(rf"\](?:\s*+\[[^][]*+\]){{{most},}}")),
    )


# What opened; guesses open around it; operators of the chain and waiting joins of the level that it interrupts.
Open = tuple[str, int, int, int]


def _close(word: str, stack: list[Open]) -> Open | None:
    """Take off the stack what ``word`` closes, along with what was left open inside; None where it closes nothing."""
    while stack and (stack[-1][0] == "<" != _CLOSING[word] or (stack[-1][0] == "case" and word in ")]")):
        stack.pop()
    return stack.pop() if stack and stack[-1][0] == _CLOSING[word] else None


class _Walk:
    """One pass over the tokens of a text, with the open brackets on its own stack."""

    def __init__(self, limits: Limits, guessed: _Guessed) -> None:
        self._limits = limits
        self._guessed = guessed

    def inspect(self, tokens: list[str]) -> Problem | None:
        """Return the first limit that the tokens (lower case, quoted parts as one sign) exceed."""
        limits, guessed = self._limits, self._guessed
        if len(tokens) > limits.tokens:
            return Problem("too-many-tokens", f"{len(tokens):,} words and signs, at most {limits.tokens:,}")
        stack: list[Open] = []
        guesses = chain = queries = joins = work = since = 0
        after_type = -1  # the place after the > of a type's arguments
        for place in [place for place, word in enumerate(tokens) if word in _COUNTED]:
            word = tokens[place]
            if word == ",":
                chain = 0
            elif word in _CHAINED:
                chain += 1
                if chain > limits.chain:
                    return Problem("too-long-chain", f"more than {limits.chain:,} operators in one expression")
            elif word in _OPENING:
                before = tokens[place - 1] if place else ""
                if word == "<" and before not in _WITH_TYPE_ARGUMENTS:
                    continue
                stack.append((word, guesses, chain, joins))
                if guessed.opens(word, before, tokens[max(place - 3, 0)], after_type=place == after_type):
                    work += (place - since) << guesses
                    since, guesses = place, guesses + 1
                chain = joins = 0
                if len(stack) > limits.nesting:
                    return Problem("too-nested", f"more than {limits.nesting} brackets or CASE inside each other")
                if guesses > limits.guesses:
                    return Problem(
                        "too-nested", f"more than {limits.guesses} brackets after types' names inside each other"
                    )
            elif word in _CLOSING:
                if word == ">" and stack and stack[-1][0] == "<":
                    after_type = place + 1
                if closed := _close(word, stack):
                    _, around, chain, joins = closed
                    if around != guesses:
                        work += (place - since) << guesses
                        since, guesses = place, around
            elif word in _BREAKING:
                chain = 0
                queries += word == "select"
                joins = self._waiting(word, joins, tokens, place)
                if word == "join" and joins + sum(level[3] for level in stack) > limits.joins:
                    return Problem("too-nested", f"more than {limits.joins} joins that wait for their ON or USING")
        if work + ((len(tokens) - since) << guesses) > limits.max_work:
            return _TOO_MUCH_WORK
        if queries > limits.queries:
            return Problem("too-many-queries", f"{queries:,} SELECTs, at most {limits.queries:,}")
        return None

    def _waiting(self, word: str, joins: int, tokens: list[str], place: int) -> int:
        """Return how many joins of a level wait for their condition after a word of it."""
        if word == "join":
            return joins + (not _NEVER_WAIT & set(tokens[max(place - 3, 0) : place]))
        if word in _CONDITION:
            return max(joins - 1, 0)
        # after a comma begins a query without brackets
        return 0 if word in _NEXT_CLAUSE and tokens[max(place - 1, 0)] != "," else joins
