"""T-SQL statements in forms with the same lineage that the parser reads: OUTPUT … INTO, triggers' rows, BULK INSERT."""

from __future__ import annotations

from typing import Any, Final

from sqlglot import exp
from sqlglot.tokens import Token, TokenType

from ingest.sql.parser.scripts.moves import renamed_beside
from ingest.sql.result import Problem
from ingest.sql.text.tokens import NAMES, TEXTS, after_name, bracketed, closing, items_of, token_like, word_at
from ingest.sql.words import words

#: Statements that move no rows, and that the parser does not see.
COMMANDS: Final = words(
    """PRINT RAISERROR THROW GOTO WAITFOR SAVE DBCC FETCH OPEN CLOSE DEALLOCATE BACKUP RESTORE KILL CHECKPOINT
    RECONFIGURE SHUTDOWN GRANT DENY REVOKE GO COMMIT ROLLBACK"""
) | {"UPDATE STATISTICS"}
_HEADS: Final = words("procedure proc trigger")
_ROWS: Final = words("inserted deleted")
_VERBS: Final = words("insert update delete merge")


def is_head(tokens: list[Token]) -> bool:
    """Whether a chunk is the head of a procedure or trigger, whose body follows."""
    if word_at(tokens, 0) not in ("create", "alter") or word_at(tokens, len(tokens) - 1) != "as":
        return False
    return any(word_at(tokens, place) in _HEADS for place in range(1, 4))


def trigger_table(head: list[Token]) -> list[Token]:
    """Return the name of the table of a trigger's head, nothing for a procedure."""
    if not any(word_at(head, place) == "trigger" for place in range(1, 4)):
        return []
    on = next((place for place in range(len(head)) if word_at(head, place) == "on"), len(head))
    return head[on + 1 : after_name(head, on + 1)]


def with_rows_of(tokens: list[Token], table: list[Token]) -> list[Token]:
    """Return a trigger's statement with ``inserted`` and ``deleted`` as what they are: rows of its table."""
    changed: list[Token] = []
    for place, token in enumerate(tokens):
        is_rows = word_at(tokens, place) in _ROWS and (not place or tokens[place - 1].token_type is not TokenType.DOT)
        changed += table if is_rows else [token]
    return changed


def rows_of_output(tokens: list[Token]) -> tuple[list[Token], list[Token]] | None:
    """Split ``OUTPUT … INTO t`` off a statement that changes a table: (the change, an INSERT of what it puts out).

    The rows come from the changed table and from what the statement joins to it: ``inserted`` and ``deleted`` are the
    changed table's. None where there is no such clause.
    """
    verb = next((place for place in range(len(tokens)) if word_at(tokens, place) in _VERBS), None)
    if verb is None:
        return None  # a query, in which OUTPUT is a name
    if word_at(tokens, verb) == "insert" and (parts := _of_inner_change(tokens)) is not None:
        return parts
    start = _outside(tokens, "output", verb)
    into = _outside(tokens, "into", start) if start else 0
    if not into or into + 1 >= len(tokens):
        return None
    end = _end_of_target(tokens, into + 1)
    rest = tokens[:start] + tokens[end:]
    seen = _seen(rest, verb)
    if seen is None:
        return None
    table, others = seen
    values = _of_table(tokens[start + 1 : into], table)
    like = tokens[start]
    head = [
        *(tokens[:verb] if word_at(tokens, 0) == "with" else []),
        token_like(like, TokenType.INSERT, "INSERT"),
        *tokens[into:end],
        token_like(like, TokenType.SELECT, "SELECT"),
    ]
    return rest, [*head, *values, token_like(like, TokenType.FROM, "FROM"), *others]


def _of_inner_change(tokens: list[Token]) -> tuple[list[Token], list[Token]] | None:
    """Split ``INSERT t SELECT … FROM (MERGE … OUTPUT $action, s.a) AS c WHERE …``: the change, and what it puts out."""
    opened = next((p for p in range(len(tokens)) if tokens[p].token_type is TokenType.L_PAREN
                   and word_at(tokens, p - 1) == "from" and word_at(tokens, p + 1) in _VERBS), 0)  # fmt: skip
    inner = tokens[opened + 1 : closing(tokens, opened)] if opened else []
    start = _outside(inner, "output", 0)
    if not start:
        return None
    end = next((p for p in (_outside(inner, "from", start), _outside(inner, "where", start)) if p), len(inner))
    rest = inner[:start] + inner[end:]
    seen = _seen(rest, 0)
    if seen is None:
        return None
    like = inner[start]
    select, source = token_like(like, TokenType.SELECT, "SELECT"), token_like(like, TokenType.FROM, "FROM")
    rows = [select, *_of_table(inner[start + 1 : end], seen[0]), source, *seen[1]]
    return rest, [*tokens[: opened + 1], *rows, *tokens[closing(tokens, opened) :]]


def _outside(tokens: list[Token], word: str, start: int) -> int:
    """Return the place of a word outside of brackets, 0 where there is none."""
    depth = 0
    for place in range(start, len(tokens)):
        kind = tokens[place].token_type
        depth += (kind is TokenType.L_PAREN) - (kind is TokenType.R_PAREN)
        if not depth and word_at(tokens, place) == word:
            return place
    return 0


def _end_of_target(tokens: list[Token], place: int) -> int:
    """Return the place after ``[#@]name.name (a, b)``."""
    while tokens[place].token_type in (TokenType.PARAMETER, TokenType.HASH) and place + 1 < len(tokens):
        place += 1
    end = after_name(tokens, place)
    if end < len(tokens) and tokens[end].token_type is TokenType.L_PAREN:
        end = closing(tokens, end) + 1 or end
    return end


def _seen(tokens: list[Token], verb: int) -> tuple[list[Token], list[Token]] | None:
    """Return what names the changed table in the rest of a statement, and the FROM items that are in sight."""
    word = word_at(tokens, verb)
    start = verb + 1 + (word_at(tokens, verb + 1) in ("into", "from"))
    end = _end_of_name(tokens, start)
    table = tokens[start:end]
    if word == "merge":
        using, on = _outside(tokens, "using", verb), _outside(tokens, "on", verb)
        when = _outside(tokens, "when", on)
        if not using or not on or not when:
            return None
        alias = [token for token in tokens[end:using] if token.token_type in NAMES]
        join = token_like(tokens[using], TokenType.JOIN, "JOIN")
        return alias[-1:] or table, [*tokens[start:using], join, *tokens[using + 1 : when], *_decided(tokens, when)]
    if word == "insert":
        return table, table
    source, where = _outside(tokens, "from", end), _outside(tokens, "where", end)
    if source:
        end = where if where > source else len(tokens)
        comma = token_like(tokens[source], TokenType.COMMA, ",")
        beside = [] if _is_among(table, tokens[source + 1 : end]) else [*table, comma]
        return table, [*beside, *tokens[source + 1 :]]
    return table, [*table, *(tokens[where:] if where else [])]


def _is_among(table: list[Token], items: list[Token]) -> bool:
    """Whether FROM items name the changed table or have its name for an alias; else it is joined to them unnamed."""
    name = table[-1].text.lower()
    following = [*(token.token_type for token in items[1:]), None]
    pairs = zip(items, following, strict=True)
    return any(token.text.lower() == name and then is not TokenType.DOT for token, then in pairs)


def _decided(tokens: list[Token], when: int) -> list[Token]:
    """Return the conditions of a MERGE's branches as a WHERE: they decide which rows are changed, and put out."""
    conditions: list[Token] = []
    while when:
        condition = _outside(tokens, "and", when)
        then = _then(tokens, when)
        if 0 < condition < then:
            like = tokens[condition]
            word = token_like(like, TokenType.OR, "OR") if conditions else token_like(like, TokenType.WHERE, "WHERE")
            conditions += [word, *bracketed(tokens[condition + 1 : then], like)]
        when = _outside(tokens, "when", then) if then else 0
    return conditions


def _then(tokens: list[Token], when: int) -> int:
    """Return the place of a WHEN's THEN, ignoring that of a CASE before it; 0 where there is none."""
    inside = 0
    for place in range(when + 1, len(tokens)):
        word = word_at(tokens, place)
        inside += (word == "case") - (word == "end")
        if word == "then" and not inside:
            return place
    return 0


def _end_of_name(tokens: list[Token], place: int) -> int:
    while place + 1 < len(tokens) and tokens[place].token_type in (TokenType.PARAMETER, TokenType.HASH):
        place += 1
    return after_name(tokens, place)


def _of_table(listed: list[Token], table: list[Token]) -> list[Token]:
    """Return an OUTPUT list with the changed table's name before its columns, and a constant for ``$action``."""
    changed: list[Token] = []
    for place, token in enumerate(listed):
        if token.text.lower() in _ROWS and place + 1 < len(listed) and listed[place + 1].token_type is TokenType.DOT:
            changed += table
        elif token.text.lower() == "$action":
            changed.append(token_like(token, TokenType.STRING, "action"))
        else:
            changed.append(token)
    return changed


def without_top(tokens: list[Token]) -> list[Token]:
    """Return ``DELETE TOP (5) PERCENT FROM t`` as ``DELETE FROM t``; so of UPDATE, INSERT and MERGE."""
    if word_at(tokens, 0) not in _VERBS or word_at(tokens, 1) != "top" or len(tokens) < 4:
        return tokens
    end = closing(tokens, 2) + 1 if tokens[2].token_type is TokenType.L_PAREN else 3
    return [tokens[0], *tokens[end + (word_at(tokens, end) == "percent") :]]


def without_hints(tokens: list[Token]) -> list[Token]:
    """Return ``MERGE t WITH (HOLDLOCK) AS x …`` without the hints of the changed table; so of INSERT and the others."""
    verb = next((place for place in range(len(tokens)) if word_at(tokens, place) in _VERBS), None)
    if verb is None:
        return tokens
    end = _end_of_name(tokens, verb + 1 + (word_at(tokens, verb + 1) in ("into", "from")))
    if word_at(tokens, end) != "with" or end + 1 >= len(tokens) or tokens[end + 1].token_type is not TokenType.L_PAREN:
        return tokens
    return tokens[:end] + tokens[closing(tokens, end + 1) + 1 :]


def plain_files(tokens: list[Token]) -> list[Token]:
    """Return ``OPENROWSET(BULK 'x', FORMAT = 'PARQUET') WITH (a INT)`` as ``read_files('x')``, which others have."""
    changed: list[Token] = []
    done = 0
    for place in range(len(tokens) - 4):
        if [word_at(tokens, p) for p in range(place, place + 3)] != ["openrowset", "(", "bulk"]:
            continue
        end = closing(tokens, place + 1)
        if place < done or not end or tokens[place + 3].token_type is not TokenType.STRING:
            continue
        name = token_like(tokens[place], TokenType.VAR, "read_files")
        changed += [*tokens[done:place], name, tokens[place + 1], tokens[place + 3], tokens[end]]
        defines = word_at(tokens, end + 1) == "with" and word_at(tokens, end + 2) == "("
        done = (closing(tokens, end + 2) if defines else end) + 1
    return changed + tokens[done:] if done else tokens


def special(tokens: list[Token]) -> tuple[Any, Problem | None] | None:
    """Return the tree, or the problem, of statements that the parser does not read; None for all others."""
    first, second = word_at(tokens, 0), word_at(tokens, 1)
    if first == "bulk" and second == "insert":
        end = after_name(tokens, 2)
        table = exp.Table(**_parts(tokens[2:end]))
        path = tokens[end + 1].text if word_at(tokens, end) == "from" and end + 1 < len(tokens) else ""
        return exp.LoadData(this=table, inpath=exp.Literal.string(path)), None
    if first in ("exec", "execute", "sp_rename") and (renamed := _renamed(tokens)) is not None:
        return renamed, None
    if first == "insert":
        call = next((p for p in range(2, len(tokens)) if word_at(tokens, p) in ("exec", "execute")), 0)
        if call and not any(word_at(tokens, place) in ("select", "values") for place in range(1, call)):
            name = "".join(token.text for token in tokens[call + 1 : after_name(tokens, call + 1)])
            detail = f"what {name or 'EXEC'} returns is inserted, and what it does is not looked into"
            return None, Problem("opaque-call", detail, name, line=tokens[0].line)
    return None


def _renamed(tokens: list[Token]) -> Any:
    """``EXEC sp_rename 'dbo.t', 'u'`` renames a table, with ``'COLUMN'`` the last part of a name; None for others."""
    called = next((p for p in range(min(len(tokens), 4)) if word_at(tokens, p) == "sp_rename"), None)
    items = items_of(tokens[called + 1 :]) if called is not None else []
    given = [item[-1].text for item in items if item and item[-1].token_type in TEXTS]
    if len(given) != len(items) or len(given) not in (2, 3):
        return None
    kind = given[2].upper() if len(given) > 2 else "OBJECT"
    old = exp.to_table(given[0], dialect="tsql")
    if kind == "OBJECT":
        return renamed_beside(old, given[1])
    if kind != "COLUMN" or not old.db:
        return None
    table = exp.Table(**dict(zip(("this", "db", "catalog"), reversed(old.parts[:-1]), strict=False)))
    column, new = exp.Column(this=old.this.copy()), exp.Column(this=exp.to_identifier(given[1], quoted=True))
    return exp.Alter(this=table, kind="TABLE", actions=[exp.RenameColumn(this=column, to=new)])


def _parts(name: list[Token]) -> dict[str, Any]:
    listed = [exp.to_identifier(token.text) for token in name if token.token_type is not TokenType.DOT]
    return dict(zip(("this", "db", "catalog"), reversed(listed), strict=False))
