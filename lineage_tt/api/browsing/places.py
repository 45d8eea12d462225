"""The places in a SQL text that make an edge: the statement, and in it the edge's expression or columns.

The text is read as a sequence of words and signs, without a grammar: comments and white space do not count, case does
not matter, and a quoted name equals the name. So the search supports every dialect and texts that cannot be parsed, and
takes linear time. It returns the places where the words occur, and nothing if they do not occur.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple

from lineage_tt.model.answers import EdgeAsOf
from lineage_tt.model.edges import column_of, dataset_of, name_of

What = Literal["statement", "expression", "column"]
#: Maximum length of a text that is searched (characters), and maximum number of places that are returned.
MAX_TEXT: Final = 500_000
MAX_SPANS: Final = 200
#: Maximum number of edges between two nodes that are searched for.
MAX_EDGES: Final = 20
_TOKEN: Final = re.compile(
    r"""(?P<skip>\s+|--[^\n]*|/\*.*?(?:\*/|\Z)|\{\#.*?(?:\#\}|\Z))
    |(?P<string>'(?:[^'\\]|''|\\.)*(?:'|\Z))
    |(?P<name>`(?:[^`]|``)*(?:`|\Z)|"(?:[^"]|"")*(?:"|\Z)|\[[A-Za-z_][\w ]*\])
    |(?P<word>\w+|\$\{[^{}]*\})
    |(?P<sign>.)""",
    re.DOTALL | re.VERBOSE,
)


class Token(NamedTuple):
    """A word or sign in the form that is compared, and its place (in characters)."""

    text: str
    start: int
    end: int


class Span(NamedTuple):
    """A place in a text, in characters; ``end`` is exclusive."""

    start: int
    end: int
    what: What


def spans(text: str, edges: Sequence[EdgeAsOf]) -> tuple[list[Span], str]:
    """Return the places of a text that make these edges, in order, each once, and words for what is left out.

    The search covers each statement that names an edge's source and target, or, if a script has temporary tables
    between them, one of the two. In it, the places are those of the edge's expression or, if the statement does not
    contain it, of the names of the edge's columns.
    """
    if len(text) > MAX_TEXT:
        return [], f"it has more than {MAX_TEXT:,} characters, so it is not searched for places"
    statements = list(_statements(text))
    places: set[Span] = set()
    for edge in edges[:MAX_EDGES]:
        ends = [_words(dataset_of(node)) for node in (edge.source, edge.target)]
        counts = [sum(_names(each, words) for words in ends) for each in statements]
        most = max(counts, default=0)
        named = [each for each, count in zip(statements, counts, strict=True) if most and count == most]
        for statement in named:
            places.add(Span(statement[0].start, statement[-1].end, "statement"))
            places.update(_within(statement, edge))
    left_out = []
    if len(edges) > MAX_EDGES:
        left_out.append(f"of {len(edges):,} edges only the first {MAX_EDGES} are searched for")
    if len(places) > MAX_SPANS:
        left_out.append(f"of {len(places):,} places only the first {MAX_SPANS} are listed")
    return sorted(places)[:MAX_SPANS], "; ".join(left_out)


def _within(statement: Sequence[Token], edge: EdgeAsOf) -> Iterator[Span]:
    """Yield the places where a statement contains the edge's expression; otherwise those of the edge's columns."""
    words = [token.text for token in _tokens(edge.expression)] if edge.expression else []
    places = list(_runs(statement, words)) if words else []
    for first, last in places:
        yield Span(first.start, last.end, "expression")
    if places:
        return
    columns = {name.casefold() for name in (column_of(edge.source), column_of(edge.target)) if name and name != "*"}
    for token in statement:
        if token.text in columns:
            yield Span(token.start, token.end, "column")


def _runs(statement: Sequence[Token], words: Sequence[str]) -> Iterator[tuple[Token, Token]]:
    """Yield the first and last token of each place where the words follow one another (Knuth, Morris, Pratt)."""
    back = [0] * len(words)
    matched = 0
    for i in range(1, len(words)):
        while matched and words[i] != words[matched]:
            matched = back[matched - 1]
        matched += words[i] == words[matched]
        back[i] = matched
    matched = 0
    for i, token in enumerate(statement):
        while matched and token.text != words[matched]:
            matched = back[matched - 1]
        matched += token.text == words[matched]
        if matched == len(words):
            yield statement[i - matched + 1], token
            matched = back[matched - 1]


def _names(statement: Sequence[Token], words: Sequence[str]) -> bool:
    """Return whether a statement names a table: by the last word of its name, alone or qualified by the word before."""
    for i, token in enumerate(statement):
        if words and token.text == words[-1]:
            qualified = i >= 2 and statement[i - 1].text == "."
            if not qualified or len(words) < 2 or statement[i - 2].text == words[-2]:
                return True
    return False


def _words(dataset: str) -> list[str]:
    """Return the words of a dataset's name in the form in which statements contain them."""
    return [token.text for token in _tokens(name_of(dataset)) if token.text[:1].isalnum() or token.text[:1] == "_"]


def _statements(text: str) -> Iterator[list[Token]]:
    """Yield the tokens of each statement; semicolons separate statements."""
    tokens: list[Token] = []
    for token in _tokens(text):
        if token.text != ";":
            tokens.append(token)
        elif tokens:
            yield tokens
            tokens = []
    if tokens:
        yield tokens


def _tokens(text: str) -> Iterator[Token]:
    """Yield words and signs without comments and white space; names are unquoted, and case is folded."""
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "skip":
            continue
        word = match.group()
        if kind == "name":
            word = word[1:-1].casefold()
        elif kind == "word":
            word = word.casefold()
        yield Token(word, match.start(), match.end())
