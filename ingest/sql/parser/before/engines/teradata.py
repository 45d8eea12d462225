"""Forms of Teradata that the parser does not know, in words that mean the same; what has no lineage is removed."""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from sqlglot import exp
from sqlglot.tokens import Token, TokenType

from ingest.sql.text.tokens import (
    NAMES,
    after_name,
    bracketed,
    closing,
    items_of,
    kinds_of,
    outside,
    places_of,
    select_all_from,
    start_of_name,
    token_like,
    word_at,
)
from ingest.sql.words import words

_LOCKED: Final = words("row table database view")
_LOCKING_ENDS: Final = words("access read write exclusive share checksum")
_QUERY: Final = words("select sel with ( locking")
_TYPES: Final = words(
    """decimal dec numeric number integer int smallint bigint byteint float real double char character varchar long
    clob byte varbyte blob date time timestamp"""
)
#: Types that alone are functions as well: ``f(DATE)`` may be called with today.
_ALSO_FUNCTIONS: Final = words("date time")
#: How many tokens ``d.f`` has.
_TWO_NAMES: Final = 3
_BEFORE_SOURCE: Final = words("from join update into using")
_BEFORE_NAMED: Final = words("from join ,")
_OF_TYPES: Final = words("precision varying large object with time zone")
#: What brackets after a value may say beside a type, and each with a word or a text after it.
_DISPLAYED: Final = words("format title named")
_PAIR: Final = 2
_COMPARED: Final = words("uppercase casespecific cs")
_FIRST: Final = _TYPES | _DISPLAYED | _COMPARED | {"not"}
_QUERY_WORDS: Final = words(
    "select sel distinct all from where and or not in on then else when as having qualify by , ("
)
_BEFORE_VALUE: Final = words(
    """select sel distinct all case when then else and or not where on having qualify between like set , (
    + - * / ** = < > <= >= <> != ^= ||"""
) | {"group by", "order by", "partition by"}
_AFTER_ITEM: Final = words(", from ) where qualify union")
#: Functions of a period that are words of other things as well.
_OF_PERIODS: Final = words("begin end interval")
#: Functions of old that list what they sort by.
_SORTING: Final = words("csum mavg msum mdiff mlinreg quantile")
_OWN_FUNCTIONS: Final = words("to_char to_number weeknumber_of_year weeknumber_of_month")


def plain_teradata(tokens: list[Token]) -> list[Token]:
    """Return a statement of Teradata without ``LOCKING … FOR ACCESS`` before a query; a copied table as a query.

    Casts and periods' ends are written as in other dialects.
    """
    tokens = _plain_attributes(_plain_functions(_unlocked(tokens)))
    if tokens and tokens[0].token_type is TokenType.UPDATE:
        return _with_alias(tokens)
    if not tokens or tokens[0].token_type is not TokenType.CREATE:
        return tokens
    tokens = _without_statistics(tokens)
    place = next((p for p in range(2, min(len(tokens), 40)) if word_at(tokens, p) == "as"), 0)
    end = after_name(tokens, place + 1)
    copies = place and word_at(tokens, place + 1) not in _QUERY and word_at(tokens, end) == "with"
    if not copies or not any(word_at(tokens, p) == "table" for p in range(1, place)):
        return tokens
    like = tokens[place]
    query = bracketed([*select_all_from(like), *tokens[place + 1 : end]], like)
    has_rows = word_at(tokens, end + 1) == "data"
    return [*tokens[: place + 1], *query, *tokens[end : end + (2 if has_rows else 3)]]


def _without_statistics(tokens: list[Token]) -> list[Token]:
    """``WITH DATA AND NO STATS`` is WITH DATA: statistics have no lineage."""
    for place in range(2, len(tokens) - 1):
        if word_at(tokens, place) != "and" or word_at(tokens, place - 1) != "data":
            continue
        end = place + 1 + (word_at(tokens, place + 1) == "no")
        if word_at(tokens, end) in ("stats", "statistics", "stat"):
            return tokens[:place] + tokens[end + 1 :]
    return tokens


def _with_alias(tokens: list[Token]) -> list[Token]:
    """``UPDATE x FROM d.t x, d.s SET …`` is ``… d.s s SET …``: else the parser takes SET for the alias."""
    place = next((place for place in outside(tokens) if tokens[place].token_type is TokenType.SET), 0)
    named = place > 0 and word_at(tokens, start_of_name(tokens, place - 1) - 1) in _BEFORE_NAMED
    if not named or not any(tokens[each].token_type is TokenType.FROM for each in outside(tokens[:place])):
        return tokens
    last = tokens[place - 1]
    return [*tokens[:place], token_like(last, last.token_type, last.text), *tokens[place:]]


def _unlocked(tokens: list[Token]) -> list[Token]:
    """Return a statement without ``LOCKING [TABLE] t FOR ACCESS MODE NOWAIT`` at its start and after AS."""
    result: list[Token] = []
    place = 0
    while place < len(tokens):
        may_lock = not result or result[-1].token_type is TokenType.ALIAS
        locks = may_lock and word_at(tokens, place) in ("locking", "lock")
        if locks and (end := _end_of_lock(tokens, place + 1)):
            place = end
        else:
            result.append(tokens[place])
            place += 1
    return result if len(result) < len(tokens) else tokens


def _end_of_lock(tokens: list[Token], place: int) -> int:
    """Return the place after a lock of which ``place`` is the second word, 0 where there is none."""
    named = place + (word_at(tokens, place) in _LOCKED)
    end = named if word_at(tokens, named) in ("for", "in") else after_name(tokens, named)
    if word_at(tokens, end) not in ("for", "in") or word_at(tokens, end + 1) not in _LOCKING_ENDS:
        return 0
    end += 2 + (word_at(tokens, end + 2) == "mode")
    return end + (word_at(tokens, end) == "nowait")


def _plain_functions(tokens: list[Token]) -> list[Token]:
    """``BEGIN(p)`` and ``END(p)`` of a period are calls, ``RANK(a DESC)`` is a window, ``CSUM(a, b DESC)`` a call."""
    changed: list[Token] = []
    ends = _ends(_starts(tokens))
    sorted_to = 0  # where the brackets end in which DESC is left out
    for place, token in enumerate(tokens):
        word = word_at(tokens, place)
        if word == "(" and _is_old_rank(tokens, place, ends):
            called = [token, token_like(token, TokenType.R_PAREN, ")"), token_like(token, TokenType.OVER, "OVER")]
            changed += [*called, token, token_like(token, TokenType.ORDER_BY, "ORDER BY")]
        elif word in _OF_PERIODS and word_at(tokens, place + 1) == "(" and _is_called(tokens, place, ends):
            changed.append(token_like(token, TokenType.VAR, token.text))
        elif word not in ("asc", "desc") or place > sorted_to:
            changed.append(token)
        if word in _SORTING and word_at(tokens, place + 1) == "(":
            sorted_to = max(sorted_to, ends.get(place + 1, 0))
    return changed


def _is_called(tokens: list[Token], place: int, ends: dict[int, int]) -> bool:
    """Whether a word is a function of a period: where a value may begin, and not the end of a CASE that is cast."""
    called = word_at(tokens, place - 1) in _BEFORE_VALUE
    return called and _attributes(tokens, place + 1, ends) is None


def _is_old_rank(tokens: list[Token], opened: int, ends: dict[int, int]) -> bool:
    """Whether brackets are those of ``RANK(a DESC)``, not of a window's ``RANK() OVER``, or of WITHIN GROUP."""
    end = ends.get(opened, 0) if word_at(tokens, opened - 1) == "rank" else 0
    return end > opened + 1 and word_at(tokens, end + 1) not in ("over", "within", "within group")


def _plain_attributes(tokens: list[Token]) -> list[Token]:
    """``a (DATE, FORMAT 'YYYY')`` is CAST(a AS DATE), ``a (NAMED b)`` is a AS b, ``a (TITLE 'x')`` is a."""
    starts = _starts(tokens)
    ends = _ends(starts)
    kinds = kinds_of(tokens)
    sources = _sources(tokens) if TokenType.DOT in kinds else set()
    before: dict[int, list[Token]] = defaultdict(list)  # what is put in front of a place, and in the place of brackets
    instead: dict[int, tuple[int, list[Token]]] = {}
    for place in places_of(TokenType.L_PAREN, kinds):
        said = _attributes(tokens, place, ends) if 0 < place < len(tokens) - 2 else None
        start = _start_of_value(tokens, place - 1, starts) if said is not None else None
        if said is None or start is None or not _are_attributes(tokens, start, place, ends[place], sources):
            continue
        end = ends[place]
        kind, name = said
        like, written = tokens[place], list[Token]()
        if kind:
            before[start] += [token_like(like, TokenType.L_PAREN, "("), token_like(like, TokenType.VAR, "CAST")]
            written = [token_like(like, TokenType.ALIAS, "AS"), *kind, token_like(like, TokenType.R_PAREN, ")")]
        if name and (end + 1 == len(tokens) or word_at(tokens, end + 1) in _AFTER_ITEM):
            written += [token_like(like, TokenType.ALIAS, "AS"), *name]
        instead[place] = end, written
        starts[end] = start  # brackets may follow brackets
    changed: list[Token] = []
    place = 0
    while instead and place < len(tokens):
        changed += reversed(before.get(place, ()))
        end, written = instead.get(place, (place, [tokens[place]]))
        changed += written
        place = end + 1
    return changed if instead else tokens


def _starts(tokens: list[Token]) -> dict[int, int]:
    """Return where each bracket and each CASE begins, by the place where it ends."""
    starts: dict[int, int] = {}
    brackets, cases = list[int](), list[int]()
    for place, kind in enumerate(kinds_of(tokens)):
        if kind in (TokenType.L_PAREN, TokenType.CASE):
            (brackets if kind is TokenType.L_PAREN else cases).append(place)
        elif kind is TokenType.R_PAREN and brackets:
            starts[place] = brackets.pop()
        elif kind is TokenType.END and cases:
            starts[place] = cases.pop()
    return starts


def _attributes(tokens: list[Token], opened: int, ends: dict[int, int]) -> tuple[list[Token], list[Token]] | None:
    """Return the type and the name that brackets give a value; None where they hold anything else."""
    if word_at(tokens, opened + 1) not in _FIRST or opened not in ends:
        return None
    kind: list[Token] = []
    name: list[Token] = []
    for item in items_of(tokens[opened + 1 : ends[opened]]):
        word, following = word_at(item, 0), word_at(item, 1)
        if word in _TYPES and (typed := _type(item)):
            kind = typed
        elif word in _DISPLAYED and len(item) == _PAIR:
            name = item[1:] if word == "named" else name
        elif not (word in _COMPARED or (word == "not" and following in _COMPARED)):
            return None
    return kind, name


def _type(item: list[Token]) -> list[Token]:
    """Return a type without its CHARACTER SET, nothing where it is none."""
    end = next((p for p in range(1, len(item)) if word_at(item, p) in ("character", "format")), len(item))
    sized = closing(item, 1) if word_at(item, 1) == "(" else 0
    numbers = (token.token_type in (TokenType.NUMBER, TokenType.COMMA, TokenType.STAR) for token in item[2:sized])
    others = all(word_at(item, place) in _OF_TYPES for place in range(sized + 1, end))
    return item[:end] if others and all(numbers) else []


def _are_attributes(tokens: list[Token], start: int, opened: int, end: int, sources: set[str]) -> bool:
    """Whether brackets of a type alone are a cast; ``LAST_DAY(DATE)`` is a call, ``WITH q (date) AS (…)`` a name.

    ``d.f(DATE)`` calls a database's function unless ``d`` is a source. ``f(DATE)`` without a space stays a call, too:
    only the columns tell whether it casts one.
    """
    if word_at(tokens, end + 1) == "as" and word_at(tokens, end + 2) == "(":
        return False
    last = tokens[opened - 1]
    is_named = last.token_type in NAMES  # not a constant, a call or a CASE
    if end > opened + 2 or word_at(tokens, opened + 1) not in _ALSO_FUNCTIONS or not is_named:
        return True
    if last.token_type is TokenType.IDENTIFIER and start == opened - 1:
        return True
    if start < opened - 1:
        return opened - start > _TWO_NAMES or tokens[start].text.lower() in sources
    name = last.text.upper()
    known = name in exp.FUNCTION_BY_NAME or name.lower() in _OWN_FUNCTIONS or name.startswith("TD_")
    return not known and last.end + 1 < tokens[opened].start


def _sources(tokens: list[Token]) -> set[str]:
    """Return the last names of tables and the words after them, or after brackets, that may be aliases."""
    sources: set[str] = set()
    for place in range(1, len(tokens)):
        before = word_at(tokens, place - 1)
        if before in _BEFORE_SOURCE or tokens[place - 1].token_type is TokenType.COMMA:
            end = after_name(tokens, place)
            sources.add(tokens[end - 1].text.lower() if end <= len(tokens) else "")
            alias = end + (word_at(tokens, end) == "as")
        elif before == ")":
            alias = place + (word_at(tokens, place) == "as")
        else:
            continue
        if alias < len(tokens) and tokens[alias].token_type in NAMES:
            sources.add(tokens[alias].text.lower())
    return sources


def _ends(starts: dict[int, int]) -> dict[int, int]:
    """Return where each bracket that is closed ends, by the place where it begins."""
    return {start: end for end, start in starts.items()}


def _start_of_value(tokens: list[Token], place: int, starts: dict[int, int]) -> int | None:
    """Return where the name, constant, call, bracket or CASE that ends at ``place`` begins; None for anything else."""
    kind = tokens[place].token_type
    if kind is TokenType.END:
        return starts.get(place)
    if kind is TokenType.R_PAREN:
        start = starts.get(place)
        if start is None or tokens[start].token_type is not TokenType.L_PAREN:
            return start
        called = start > 0 and tokens[start - 1].text.isidentifier() and word_at(tokens, start - 1) not in _QUERY_WORDS
        return start_of_name(tokens, start - called)
    if kind in (TokenType.STRING, TokenType.NUMBER) or word_at(tokens, place).startswith("current_"):
        return place if word_at(tokens, place - 1) in _BEFORE_VALUE else None
    if kind not in NAMES or word_at(tokens, place) in _QUERY_WORDS:
        return None
    place = start_of_name(tokens, place)
    return place if word_at(tokens, place - 1) in _BEFORE_VALUE else None
