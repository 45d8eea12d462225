"""Statements that engines take and sqlglot does not, put into a form that it reads with the same lineage."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from sqlglot.tokens import Token, TokenType

from ingest.sql.dialects.engine import Engine
from ingest.sql.parser.after.assignments import plain_assignments
from ingest.sql.parser.after.bare_create import bare_create
from ingest.sql.parser.after.bracketed import computed_columns, prior_items
from ingest.sql.parser.after.json_clauses import bracketed_paths, plain_json
from ingest.sql.parser.after.json_tables import plain_json_tables
from ingest.sql.parser.after.left_out import (
    called_defaults,
    named_target,
    plain_clone,
    plain_shapes,
    plain_unions,
    without_collation,
    without_column_aggregates,
    without_interval_units,
    without_lateral,
    without_level,
    without_logged_errors,
    without_partitioned_on,
    without_snapshot,
    without_subsets,
    without_watermarks,
    without_with_options,
)
from ingest.sql.parser.after.model_functions import plain_models
from ingest.sql.parser.after.other_words import in_other_words, joined_texts
from ingest.sql.parser.after.unique_joins import plain_unique_joins
from ingest.sql.parser.before.heads import insert_of_replace
from ingest.sql.parser.before.rewrite import bracketed_aliases
from ingest.sql.text.tokens import (
    NAMES,
    after_name,
    as_names,
    bracketed,
    closing,
    kinds_of,
    places_of,
    select_all_from,
    token_like,
    word_at,
)

_IN_PATHS = (TokenType.DOT, TokenType.L_BRACKET, TokenType.DCOLON)
_AFTER_LIMIT = (
    *(TokenType.R_PAREN, TokenType.UNION, TokenType.EXCEPT, TokenType.INTERSECT),
    *(TokenType.SETTINGS, TokenType.FORMAT),
)


def repaired(tokens: list[Token], engine: Engine) -> Iterator[list[Token]]:
    """Yield other forms of a statement, each with one more change than the one before."""
    if plain := insert_of_replace(tokens, engine.dialect):
        tokens = plain
        yield tokens
    for change in (
        without_snapshot,
        in_other_words,
        joined_texts,
        _called_words,
        *((called_defaults,) if engine.rules.defaults_are_called else ()),
        _words_after_dots,
        plain_unique_joins,
        without_level,
        without_lateral,
        without_watermarks,
        without_partitioned_on,
        _map_reduce_as_transform,
        plain_unions,
        plain_shapes,
        without_collation,
        without_with_options,
        without_interval_units,
        without_column_aggregates,
        plain_assignments,
        named_target,
        without_logged_errors,
        without_subsets,
        plain_clone,
        bare_create,
        _selected_values,
        _called_pivot_values,
        plain_models,
        _table_arguments,
        _plain_exceptions,
        _one_limit,
        bracketed_paths,
        plain_json,
        plain_json_tables,
        computed_columns,
        prior_items,
    ):
        changed = change(tokens)
        if changed is not None:
            tokens = changed
            yield tokens


def _one_limit(tokens: list[Token]) -> list[Token] | None:
    """ClickHouse's ``LIMIT 1 BY a LIMIT 10``: the second limit names no column, and the first is one as well."""
    kinds = kinds_of(tokens)
    changed: list[Token] = []
    done = 0
    for first, second in pairwise(places_of(TokenType.LIMIT, kinds)):
        between = kinds[first:second]
        apart = between.count(TokenType.L_PAREN) != between.count(TokenType.R_PAREN) or TokenType.SELECT in between
        if not apart and any(token.text.upper() == "BY" for token in tokens[first:second]):
            changed += tokens[done:second]
            done = next((end for end in range(second, len(tokens)) if kinds[end] in _AFTER_LIMIT), len(tokens))
    return changed + tokens[done:] if done else None


def _called_words(tokens: list[Token]) -> list[Token] | None:
    """``window(c, '1 day')`` (Spark's) and ``apply(a, x -> b)``: before a bracket neither word is a clause's."""
    return as_names(tokens, (place for place in range(len(tokens) - 1) if _is_called(tokens, place)))


def _words_after_dots(tokens: list[Token]) -> list[Token] | None:
    """``FROM lake.revoke`` and ``v:using.x``: after a dot, or the colon of a path, every word is a name."""
    return as_names(
        tokens,
        (
            place
            for place in range(1, len(tokens))
            if (tokens[place - 1].token_type is TokenType.DOT or _is_key(tokens, place))
            and tokens[place].token_type not in NAMES
            and tokens[place].text.isidentifier()
        ),
    )


def _is_key(tokens: list[Token], place: int) -> bool:
    """Whether a word begins a path into a document, ``v:using.x``: the path, or a cast, continues after it."""
    around = [token.token_type for token in tokens[max(place - 2, 0) : place + 2]]
    return len(around) == 4 and around[0] in NAMES and around[1] is TokenType.COLON and around[3] in _IN_PATHS


def _is_called(tokens: list[Token], place: int) -> bool:
    if tokens[place + 1].token_type is not TokenType.L_PAREN:
        return False
    kind = tokens[place].token_type
    joined = word_at(tokens, place - 1) in ("cross", "outer")
    return kind is TokenType.WINDOW or (kind is TokenType.APPLY and not joined)


def _map_reduce_as_transform(tokens: list[Token]) -> list[Token] | None:
    """Hive's ``MAP a, b USING 'x'`` and ``REDUCE a, b USING 'x'`` are ``SELECT TRANSFORM (a, b) USING 'x'``."""
    changed: list[Token] = []
    waiting: list[int] = []
    found = False
    depth = 0
    for place, token in enumerate(tokens):
        text = token.text.upper()
        depth += (token.token_type == TokenType.L_PAREN) - (token.token_type == TokenType.R_PAREN)
        if text in ("MAP", "REDUCE") and _starts_list(tokens, place):
            found = True
            changed += [token_like(token, TokenType.SELECT, "SELECT"), token_like(token, TokenType.VAR, "TRANSFORM")]
            changed.append(token_like(token, TokenType.L_PAREN, "("))
            waiting.append(depth)
        elif text == "USING" and waiting and waiting[-1] == depth:
            waiting.pop()
            changed += [token_like(token, TokenType.R_PAREN, ")"), token]
        else:
            changed.append(token)
    return bracketed_aliases(changed) if found else None


def _selected_values(tokens: list[Token]) -> list[Token] | None:
    """``VALUES (1), (2) UNION …``: ``SELECT * FROM VALUES (1), (2)``, which the parser takes for a query everywhere."""
    changed: list[Token] = []
    for place, token in enumerate(tokens):
        if token.token_type == TokenType.VALUES and (not place or tokens[place - 1].token_type not in _BEFORE_ROWS):
            changed += select_all_from(token)
        changed.append(token)
    return changed if len(changed) > len(tokens) else None


_BEFORE_ROWS = (TokenType.FROM, TokenType.JOIN, TokenType.COMMA, TokenType.USING)


def _called_pivot_values(tokens: list[Token]) -> list[Token] | None:
    """``PIVOT (avg(a) + 1 AS b FOR …)``: the parser wants one call, and COALESCE of one value is that value."""
    changed: list[Token] = []
    place = 0
    while place < len(tokens):
        changed.append(tokens[place])
        place += 1
        opens = tokens[place - 1].token_type == TokenType.PIVOT and place < len(tokens)
        if opens and tokens[place].token_type == TokenType.L_PAREN:
            end = place + 1
            while end < len(tokens) and tokens[end].token_type != TokenType.FOR:
                end = (closing(tokens, end) or end) + 1 if tokens[end].token_type == TokenType.L_PAREN else end + 1
            changed.append(tokens[place])
            for item in _items(tokens[place + 1 : end]):
                changed += _called(item)
            place = end
    return changed if len(changed) > len(tokens) else None


def _table_arguments(tokens: list[Token]) -> list[Token] | None:
    """``f(TABLE t)``: a table function's argument is what ``(SELECT * FROM t)`` gives."""
    changed: list[Token] = []
    done = 0
    for place in places_of(TokenType.TABLE, kinds_of(tokens)):
        end = after_name(tokens, place + 1)
        around = (tokens[place - 1], tokens[end]) if place > 0 and end < len(tokens) else ()
        if around and around[0].token_type in _BEFORE_ARGUMENT and around[1].token_type in _AFTER_ARGUMENT:
            like = tokens[place]
            query = [*select_all_from(like), *tokens[place + 1 : end]]
            changed += [*tokens[done:place], *bracketed(query, like)]
            done = end
    return changed + tokens[done:] if done else None


_BEFORE_ARGUMENT = (TokenType.L_PAREN, TokenType.COMMA)
_AFTER_ARGUMENT = (TokenType.R_PAREN, TokenType.COMMA)


def _plain_exceptions(tokens: list[Token]) -> list[Token] | None:
    """``* EXCEPT (inner)``: any word may name a column that a star leaves out."""
    named: list[int] = []
    for place in range(len(tokens) - 3):
        star, word, bracket = tokens[place : place + 3]
        left_out = word.token_type == TokenType.EXCEPT or word.text.upper() == "EXCLUDE"
        if star.token_type == TokenType.STAR and left_out and bracket.token_type == TokenType.L_PAREN:
            inside = range(place + 3, closing(tokens, place + 2))
            named += [
                p for p in inside if tokens[p].text.isidentifier() and tokens[p].token_type != TokenType.IDENTIFIER
            ]
    return as_names(tokens, named)


def _items(tokens: list[Token]) -> Iterator[list[Token]]:
    """Yield the items of a list, each with the comma after it."""
    item: list[Token] = []
    depth = 0
    for token in tokens:
        depth += (token.token_type == TokenType.L_PAREN) - (token.token_type == TokenType.R_PAREN)
        item.append(token)
        if token.token_type == TokenType.COMMA and not depth:
            yield item
            item = []
    if item:
        yield item


def _called(item: list[Token]) -> list[Token]:
    last = len(item) - (item[-1].token_type == TokenType.COMMA)
    end = next((p for p, t in enumerate(item) if t.token_type == TokenType.ALIAS), last)
    opened = next((p for p, t in enumerate(item[:end]) if t.token_type == TokenType.L_PAREN), 0)
    if not opened or closing(item, opened) == end - 1:
        return item
    like = item[0]
    return [token_like(like, TokenType.VAR, "coalesce"), *bracketed(item[:end], like), *item[end:]]


def _starts_list(tokens: list[Token], place: int) -> bool:
    following = tokens[place + 1] if place + 1 < len(tokens) else None
    before = tokens[place - 1].text.upper() if place else ""
    if following is None or following.token_type in (TokenType.DOT, TokenType.COMMA, TokenType.L_PAREN, TokenType.LT):
        return False
    return before not in ("AS", ",", ".", "BY", "SELECT", "<", "VIEW")
