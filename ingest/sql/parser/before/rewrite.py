"""Forms that mean the same as others which the parser reads well, changed before it sees them."""

from __future__ import annotations

from sqlglot.tokens import Token, TokenType

from ingest.sql.dialects.engine import Engine
from ingest.sql.parser.before.engines.forms import plain_form
from ingest.sql.parser.before.engines.identifiers import plain_identifiers
from ingest.sql.parser.before.engines.recursion import plain_recursion
from ingest.sql.parser.before.fitting import with_all_arguments
from ingest.sql.parser.before.heads import plain_create, plain_delete, plain_insert, plain_merge
from ingest.sql.parser.before.loads import (
    copy_of_files,
    copy_of_outfile,
    copy_of_unload,
    insert_of_append,
    plain_copied,
    plain_directory,
    plain_load,
    without_data,
)
from ingest.sql.parser.before.pipes import unfold, with_single_pipes
from ingest.sql.parser.before.storage import plain_storage
from ingest.sql.parser.before.stream_tables import plain_stream
from ingest.sql.parser.before.views import replaced, unchecked
from ingest.sql.text.tokens import (
    NAMES,
    after_name,
    as_names,
    closing,
    kinds_of,
    places_of,
    select_all_from,
    start_of_name,
    token_like,
    word_at,
)
from ingest.sql.words import words

_BEFORE_QUERY = frozenset(["UNION", "ALL", "DISTINCT", "EXCEPT", "INTERSECT", "MINUS", "AS", "|>"])
_BEFORE_ROW = frozenset([TokenType.COMMA, TokenType.L_PAREN, TokenType.L_BRACKET])
_QUERY = frozenset([TokenType.SELECT, TokenType.WITH])
_CONSTANTS = frozenset([TokenType.NUMBER, TokenType.STRING, TokenType.TRUE, TokenType.FALSE, TokenType.NULL])
_WORD_BEFORE_BRACKET = (TokenType.VAR, TokenType.IDENTIFIER, TokenType.DOT)
# After these a name in front of a bracket is a table's, a view's, or that of what is being defined.
_BEFORE_OTHER_NAMES = words(
    "from join into insert merge table view function procedure call exists model index references using overwrite"
)
_BEFORE_NO_CALL = _BEFORE_OTHER_NAMES | words("cross outer macro with recursive copy as")
_BEFORE_ALIAS = (*NAMES, TokenType.R_PAREN)
# Packages of BigQuery whose functions the parser knows by their own rules.
_KNOWN_PACKAGES = words("safe net ai ml")


def rewritten(tokens: list[Token], engine: Engine) -> list[Token]:
    """Return a statement's tokens with pipes, ``TABLE t`` queries and ``IDENTIFIER('t')`` in plainer form."""
    rules, dialect = engine.rules, engine.dialect
    if rules.forms:
        tokens = plain_form(tokens, engine)
    if rules.stream_tables:
        tokens = plain_stream(tokens)
    if rules.storage_statements:
        tokens = plain_storage(tokens, dialect)
    if _may_go_to_file(tokens):
        tokens = copy_of_outfile(tokens)
    if tokens[0].token_type is TokenType.ALTER:
        tokens = replaced(tokens)
    if tokens[0].text.upper() == "UNLOAD":
        tokens = copy_of_unload(tokens, dialect)
    elif tokens[0].token_type is TokenType.COPY:
        tokens = plain_copied(tokens)
    elif tokens[0].token_type is TokenType.LOAD:
        tokens = plain_load(tokens)
    elif tokens[0].token_type is TokenType.CREATE:
        tokens = plain_create(without_data(tokens))
    elif tokens[0].token_type is TokenType.ALTER:
        tokens = unchecked(_plain_mutation(insert_of_append(tokens, dialect)))
    elif tokens[0].token_type is TokenType.INSERT:
        tokens = plain_insert(copy_of_files(plain_directory(tokens)))
    elif tokens[0].token_type is TokenType.DELETE and rules.partition_clause_names_partitions:
        tokens = plain_delete(tokens)
    elif tokens[0].token_type is TokenType.MERGE:
        tokens = plain_merge(tokens, dialect)
    tokens, listed = _plainer_rows(tokens, kinds_of(tokens))
    kinds = set(listed)
    if rules.transforms:
        tokens = with_all_arguments(tokens, listed)
    if TokenType.DOT in kinds and rules.functions_have_paths:
        tokens = _called_by_whole_name(tokens, listed)
    if rules.called_otherwise:
        tokens = _called_otherwise(tokens, dict(rules.called_otherwise))
    if rules.identifier_clause and any(token.text.upper() == "IDENTIFIER" for token in tokens):
        tokens = plain_identifiers(tokens, dialect)
    if rules.transforms and TokenType.USING in kinds and any(token.text.upper() == "TRANSFORM" for token in tokens):
        tokens = bracketed_aliases(tokens)
    if TokenType.WITH in kinds and (TokenType.RECURSIVE in kinds or TokenType.SET in kinds):
        tokens = plain_recursion(tokens)
    if TokenType.TABLE in kinds:
        tokens = _table_queries(tokens)
    if rules.all_is_name and TokenType.ALL in kinds:
        tokens = _named_all(tokens)
    if rules.zeroifnull:
        tokens = [_coalesced(token) if token.text.upper() == "ZEROIFNULL" else token for token in tokens]
    if rules.single_pipes and TokenType.PIPE in kinds:
        tokens = with_single_pipes(tokens)
        kinds = set(kinds_of(tokens))
    return unfold(tokens) if TokenType.PIPE_GT in kinds else tokens


def _may_go_to_file(tokens: list[Token]) -> bool:
    """Whether INTO is in a query that OUTFILE may follow."""
    if tokens[0].token_type not in _QUERY:
        return any(token.text.upper() == "OUTFILE" for token in tokens[-12:])
    return any(word_at(tokens, place + 1) == "outfile" for place in places_of(TokenType.INTO, kinds_of(tokens)))


def _coalesced(token: Token) -> Token:
    """``ZEROIFNULL(a)``, which the parser takes for a condition, has the value of ``COALESCE(a)``."""
    return token_like(token, token.token_type, "COALESCE") if token.token_type is TokenType.VAR else token


def _named_all(tokens: list[Token]) -> list[Token]:
    """Spark's ``SELECT all, a``: before a comma the word is a column's name."""
    kinds = kinds_of(tokens)
    named = (place for place in places_of(TokenType.ALL, kinds) if kinds[place + 1 : place + 2] == [TokenType.COMMA])
    return as_names(tokens, named) or tokens


def _plain_mutation(tokens: list[Token]) -> list[Token]:
    """ClickHouse's ``ALTER TABLE t UPDATE a = x WHERE …`` and ``ALTER TABLE t DELETE WHERE …`` change rows."""
    end = after_name(tokens, 2)
    clause = end + 3 if [word_at(tokens, end), word_at(tokens, end + 1)] == ["on", "cluster"] else end
    word = word_at(tokens, clause)
    if word_at(tokens, 1) != "table" or word not in ("update", "delete") or clause + 1 >= len(tokens):
        return tokens
    verb, rest = tokens[clause], tokens[clause + 1 :]
    if word == "delete":
        return [verb, token_like(verb, TokenType.FROM, "FROM"), *tokens[2:end], *rest]
    return [verb, *tokens[2:end], token_like(verb, TokenType.SET, "SET"), *rest]


def _plainer_rows(tokens: list[Token], kinds: list[TokenType]) -> tuple[list[Token], list[TokenType]]:
    """A bracket of constants in a row, as in ``('a', t.x, (1, 50, 51))``, is read as one constant.

    Nothing flows from either, and where a text lists thousands of rows the parser needs two fifths less time. The
    outer bracket must be a row, neither a call's nor an IN's, so that what is inside is one value.
    """
    comma, end = TokenType.COMMA, TokenType.R_PAREN
    places = [*places_of(TokenType.L_PAREN, kinds), len(kinds)]
    plainer: list[Token] = []
    left: list[TokenType] = []
    done = 0
    for row, start, following in zip(places, places[1:], places[2:], strict=False):
        if kinds[start - 1] is not comma or kinds[row - 1] not in _BEFORE_ROW or kinds[row + 1] in _QUERY:
            continue
        inside = kinds[start + 1 : following]
        if end in kinds[row:start] or end not in inside:
            continue
        size = inside.index(end)
        if size > 1 and _CONSTANTS.issuperset(inside[:size:2]) and {comma}.issuperset(inside[1:size:2]):
            plainer += tokens[done:start]
            left += kinds[done:start]
            plainer.append(tokens[start + 1])
            left.append(kinds[start + 1])
            done = start + size + 2
    return (plainer + tokens[done:], left + kinds[done:]) if done else (tokens, kinds)


def _called_otherwise(tokens: list[Token], names: dict[str, str]) -> list[Token]:
    """DuckDB's ``apply(a, f)`` and ``reduce(a, f)``, in which the parser sees a clause, and Spark's function."""
    changed = tokens
    for place in range(len(tokens) - 1):
        name = names.get(word_at(tokens, place), "")
        if name and tokens[place + 1].token_type is TokenType.L_PAREN and _is_called(tokens, place):
            changed = list(tokens) if changed is tokens else changed
            changed[place] = token_like(tokens[place], TokenType.VAR, name)
    return changed


def _is_called(tokens: list[Token], place: int) -> bool:
    """Whether a name in front of a bracket is a function's: not that of a table, of a query in WITH, or an alias."""
    start = start_of_name(tokens, place)
    if start < place and tokens[start].token_type not in NAMES:  # ``f(a).apply(g)``
        return True
    before = word_at(tokens, start - 1)
    if before in _BEFORE_NO_CALL or (start and tokens[start - 1].token_type in _BEFORE_ALIAS):
        return False
    end = closing(tokens, place + 1) if before == "," else 0
    defines = word_at(tokens, end + 1) == "as" and word_at(tokens, end + 2) in ("(", "materialized", "not")
    return not (end and defines)


def _called_by_whole_name(tokens: list[Token], kinds: list[TokenType]) -> list[Token]:
    """BigQuery's ``project.dataset.f(x)``: the function's name as one word.

    Only a function can be there, but the parser reads a path to a field and then makes copies of it: an eighth of
    its time where there are many, and a tree that looks as if ``f`` were the field.
    """
    dot = TokenType.DOT
    changed: list[Token] = []
    done = 0
    for end in places_of(TokenType.L_PAREN, kinds):
        if end < 3 or kinds[end - 2] is not dot:
            continue
        start = end - 3
        while start > 1 and kinds[start - 1] is dot:
            start -= 2
        if kinds[start] is not TokenType.VAR or word_at(tokens, start) in _KNOWN_PACKAGES:
            continue
        if start and word_at(tokens, start - 1) in _BEFORE_OTHER_NAMES:
            continue
        first = tokens[start]
        name = ".".join(token.text for token in tokens[start:end:2])
        changed += tokens[done:start]
        changed.append(Token(TokenType.VAR, name, first.line, first.col, first.start, tokens[end - 1].end))
        done = end
    return changed + tokens[done:] if done else tokens


def _table_queries(tokens: list[Token]) -> list[Token]:
    """``TABLE t`` as a query is ``SELECT * FROM t``."""
    changed: list[Token] = []
    done = 0
    for place in places_of(TokenType.TABLE, kinds_of(tokens)):
        named = place + 1 < len(tokens) and tokens[place + 1].token_type in NAMES
        if named and _starts_query(tokens, place):
            changed += [*tokens[done:place], *select_all_from(tokens[place])]
            done = place + 1
    return changed + tokens[done:] if done else tokens


def _starts_query(tokens: list[Token], place: int) -> bool:
    if place == 0:
        return True
    before = tokens[place - 1]
    if before.token_type == TokenType.L_PAREN:  # not the argument of a function: f(TABLE t)
        return place < 2 or tokens[place - 2].token_type not in _WORD_BEFORE_BRACKET
    if before.token_type == TokenType.R_PAREN:  # WITH q AS (…) TABLE t
        return True
    inserts = tokens[0].token_type == TokenType.INSERT and place > 2
    if inserts and before.token_type in NAMES:
        return True  # INSERT INTO [TABLE] o [(a, b)] TABLE t
    return before.text.upper() in _BEFORE_QUERY and before.token_type != TokenType.STRING


def bracketed_aliases(tokens: list[Token]) -> list[Token]:
    """``USING 'x' AS a, b``: the parser wants the names in brackets."""
    changed: list[Token] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        changed.append(token)
        place += 1
        starts = token.token_type == TokenType.ALIAS and len(changed) > 2 and changed[-3].text.upper() == "USING"
        if starts and place < len(tokens) and tokens[place].token_type != TokenType.L_PAREN:
            changed.append(token_like(token, TokenType.L_PAREN, "("))
            changed.append(tokens[place])
            place += 1
            while place + 1 < len(tokens) and tokens[place].token_type == TokenType.COMMA:
                changed += tokens[place : place + 2]
                place += 2
            changed.append(token_like(token, TokenType.R_PAREN, ")"))
    return changed
