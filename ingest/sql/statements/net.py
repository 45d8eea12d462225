"""A safety net under all rules: no statement that names tables may end with neither an edge nor a reason.

The rules for kinds of statements decide what a statement does. Whatever they say, this looks at the statement's words
and at its tree afterwards: a table after FROM, JOIN, INTO, UPDATE or MERGE that no rule looked up is reported, so
is a command whose text holds a query or a change, and so is a statement that reads and writes tables without an edge.
It knows nothing about single constructs, so it also covers unforeseen ones.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from sqlglot import exp
from sqlglot.tokens import Token, TokenType

from ingest.sql.binder.names.ports import NameLookup
from ingest.sql.dialects.dialects import Names
from ingest.sql.parser.parsed import Parsed
from ingest.sql.parser.scan import in_values, name_at, spelt, with_names
from ingest.sql.result import Problem
from ingest.sql.statements.copied import unread_in_create
from ingest.sql.statements.dropped import dropped
from ingest.sql.statements.run import Outcome, Run
from ingest.sql.statements.unread import unread
from ingest.sql.text.misspelt import misspelt
from ingest.sql.text.tokens import kinds_of, places_of, word_at
from ingest.sql.words import words

CODE: Final = "not-understood"
_NAMING: Final = (TokenType.FROM, TokenType.JOIN, TokenType.INTO, TokenType.UPDATE, TokenType.OVERWRITE)
_SHOWN: Final = 3
_WORD: Final = re.compile(r"\w+")
#: Statements whose FROM and INTO name no table that rows are read from or written to.
_OTHER_NAMES: Final = words(
    "show describe desc fetch grant revoke deny explain comment help list use set prepare restore"
)
#: After what UPDATE begins a separate statement.
_BEFORE_UPDATE: Final = words("as also begin do else instead")
#: Words of commands that may hold anything: they run none of it.
_RUN_NOTHING: Final = words(
    """explain grant revoke deny show describe desc comment help fetch list raise raiserror signal resignal print assert
    return perform security label"""
)
_STRINGS: Final = re.compile(r"'[^']*'|\"[^\"]*\"|--[^\n]*|/\*.*?\*/", re.DOTALL)
_MOVES_ROWS: Final = re.compile(
    r"\b(?:select|insert\s+(?:into|overwrite|all)|merge\s+into|update\s+[\w.]+\s+set|delete\s+from|copy\s+into|load\s+data)\b",
    re.IGNORECASE,
)
#: What an ALTER says that gives one table the rows of another.
_ALTER_MOVES: Final = re.compile(
    r"\b(?:swap\s*with|exchange|switch\s*(?:partition|to)|replace\s+with|append\s*from|clone)\b"
    r"|(?:\b|\d)(?:from|with|to)\s*table\b"  # a number and the word after it may be written together
    r"|\bmove\s+part(?:ition)?\b.*?(?:\b|\d)to\s+(?!disk\b|volume\b|shard\b|tablespace\b)"
    r"|\b(?:replace|attach|fetch)\s+part(?:ition)?\b.*?(?:\b|\d)from\b",
    re.IGNORECASE | re.DOTALL,
)
#: A query that a slip hides after a variable's first value.
_DECLARES_ROWS: Final = re.compile(r"\b(?:from|into)\s+[\w\[\"`#@]", re.IGNORECASE)
_ALSO_LOOKED_FOR: Final = {"alter": _ALTER_MOVES, "declare": _DECLARES_ROWS}
#: Commands that end where a known word begins a statement: one that is misspelt is taken for a part of them.
_MAY_SWALLOW: Final = words("alter print raiserror throw waitfor fetch declare use")
_BEGINNING: Final = words("table view insert select update delete merge into from where exchange switch append")


def overlooked(run: Run, item: Parsed, outcome: Outcome, *, doubtful: bool = False) -> Problem | None:
    """Return what a statement's own words show and its outcome does not account for, None for nothing.

    For a ``doubtful`` statement, which already has reasons, names that nothing resolved are not looked for.
    """
    line = item.tokens[0].line if item.tokens else None
    node = item.node
    if isinstance(node, exp.Create) and node.kind in _DEFINING:
        return None  # what a function reads is read by those that call it
    if isinstance(node, exp.Command):
        return None if outcome.writes else _of_command(node, line) or _slip_in(item.tokens)
    if isinstance(node, exp.Delete) and misspelt(word_at(item.tokens, 1), ("from",)):
        return Problem(CODE, f"DELETE {item.tokens[1].text} is not understood: perhaps DELETE FROM", line=line)
    if isinstance(node, exp.Declare) and (slip := _slip_in_declare(item.tokens)) is not None:
        return slip
    if isinstance(node, exp.Create) and node.kind == "VIEW" and not _has_rows(node):
        return Problem(CODE, "the view has no query", line=line)
    missing = list(dict.fromkeys(_named(item.tokens, run.walk.names)))
    if missing:
        known = _Known(run, node)
        missing = [name for name in missing if not known.accounts_for(name)]
    if missing:
        listed = ", ".join(sorted(missing)[:_SHOWN])
        return Problem(CODE, f"{listed}: named in the statement, and not found in its lineage", missing[0], line=line)
    lost = "" if doubtful else _lost(item, run.walk.values.lookup, run.walk.names)
    if lost:
        return Problem(CODE, f"{lost}: named in the statement, and in no clause that is understood", lost, line=line)
    if isinstance(node, exp.Select):
        return _of_called(node, line)
    if outcome.edges or isinstance(node, _WITHOUT_ROWS):
        return None
    if isinstance(node, exp.Insert) and (itself := sorted(outcome.writes - outcome.reads)):
        omitted = list(_named(item.tokens, run.walk.names, (TokenType.FROM, TokenType.JOIN), itself))
        if omitted:
            detail = f"{omitted[0]}: read in the statement, and not found in its lineage"
            return Problem(CODE, detail, omitted[0], line=line)
    if isinstance(node, exp.Create):
        lost = unread_in_create(node, item.tokens, run.walk.names)
        if lost:
            return Problem(CODE, lost, line=line)
    if outcome.reads and outcome.writes:
        return Problem(
            CODE, f"rows go from {min(outcome.reads)} to {min(outcome.writes)}, but how is not known", line=line
        )
    unasked = next(_unread(node, run.walk.names), "") if _may_have_rows(node) else ""
    if unasked:
        return Problem(CODE, f"{unasked}: named in the statement, and not found in its lineage", unasked, line=line)
    return None


def _lost(item: Parsed, lookup: NameLookup, names: Names) -> str:
    """Return a name that no rule looked at, or that the parser left out; "" where there is none."""
    column = unread(item.node, lookup)
    if column is not None:
        return ".".join(part.name for part in column.parts)
    return dropped(item.tokens, item.node, lookup, names)


def _of_command(node: exp.Expr, line: int | None) -> Problem | None:
    """Return the problem of a statement that the parser took as one text."""
    word = next(iter((node.this or "").lower().split()), "")
    rest = node.args.get("expression")
    text = rest if isinstance(rest, str) else rest.name if rest is not None else ""
    if not text or word in _RUN_NOTHING:
        return None
    code = _STRINGS.sub("''", text)
    match = _MOVES_ROWS.search(code)
    if word in _ALSO_LOOKED_FOR and match is None:
        match = _ALSO_LOOKED_FOR[word].search(code)
    if match is None:
        return None
    shown = " ".join(match[0].upper().split())
    return Problem(CODE, f"{word.upper()} … {shown} … is taken as one command, and not looked into", line=line)


def _slip_in(tokens: list[Token]) -> Problem | None:
    """Return the word of a command that was perhaps meant to begin or to continue another statement."""
    kinds = kinds_of(tokens) if word_at(tokens, 0) in _MAY_SWALLOW else []
    for place in places_of(TokenType.VAR, kinds):  # INT is a word that the dialect knows, and no slip of INTO
        token = tokens[place]
        meant = misspelt(token.text, _BEGINNING) if place else ""
        if meant and TokenType.DOT not in (*kinds[place - 1 : place], *kinds[place + 1 : place + 2]):
            return Problem(CODE, f"{token.text} is not understood: perhaps {meant.upper()}", "", token.line, token.col)
    return None


def _slip_in_declare(tokens: list[Token]) -> Problem | None:
    """``DECLARE @t TALBE (…)``: the word is taken for a type of the user's own."""
    for place in range(2, len(tokens)):
        meant = misspelt(word_at(tokens, place), ("table",)) if word_at(tokens, place - 2) == "@" else ""
        if meant:
            token = tokens[place]
            return Problem(CODE, f"{token.text} is not understood: perhaps {meant.upper()}", "", token.line, token.col)
    return None


def _of_called(node: exp.Select, line: int | None) -> Problem | None:
    """``SELECT dw.refresh_totals(current_date)``: a function of the user's own, called for what it changes."""
    if any(node.args.get(key) is not None for key in ("from_", "into", "with_")):
        return None
    for item in node.expressions:
        if isinstance(item, exp.Dot) and isinstance(item.expression, exp.Anonymous):
            name = f"{item.this.name}.{item.expression.name}"
            return Problem("opaque-call", f"what {name} does is not looked into", name, line=line)
    return None


def _has_rows(view: exp.Create) -> bool:
    """Return whether a view names its rows: those of a query, another view or files."""
    elsewhere = view.args.get("clone") or view.find(exp.FileFormatProperty, exp.LikeProperty)
    return bool(view.expression or elsewhere)


def _named(
    tokens: list[Token], names: Names, words_before: Sequence[TokenType] = _NAMING, only: Collection[str] = ()
) -> Iterator[str]:
    """Yield the datasets that words of the statement name and that no rule looked up; with ``only``, those among it."""
    if word_at(tokens, 0) in _OTHER_NAMES:
        return
    kinds = kinds_of(tokens)
    defined: set[str] | None = None
    of_values: set[int] | None = None
    for kind in words_before:
        for place in places_of(kind, kinds):
            parts = name_at(tokens, place + 1)
            if not parts:
                continue
            dataset = names.dataset_of_spelt(spelt(names, parts))
            if (dataset not in only if only else dataset in names.looked_up) or any("/" in part for part in parts):
                continue
            defined = with_names(tokens) if defined is None else defined
            of_values = in_values(tokens) if of_values is None else of_values
            is_new = len(parts) > 1 or parts[0].lower() not in defined
            if is_new and place not in of_values and _names_a_table(tokens, kinds, place):
                yield dataset


def _names_a_table(tokens: list[Token], kinds: list[TokenType], place: int) -> bool:
    """Whether a word comes before a table: INTO not in ``UNPIVOT … INTO NAME n``, say."""
    kind = kinds[place]
    before = word_at(tokens, place - 1)
    if kind is TokenType.UPDATE:
        return place == 0 or kinds[place - 1] is TokenType.R_PAREN or before in _BEFORE_UPDATE
    if kind is TokenType.INTO and word_at(tokens, place + 2) == "connection":  # a sink's
        return False
    if kind is TokenType.INTO and (word_at(tokens, place + 1) in ("outfile", "dumpfile") or before == "errors"):
        return False
    if kind is TokenType.INTO:  # DuckDB's UNPIVOT … INTO NAME n VALUE v
        return word_at(tokens, place + 1) != "name" or before == "insert"
    if kind is TokenType.OVERWRITE:
        return word_at(tokens, place + 1) not in ("directory", "local")
    return kind is not TokenType.JOIN or before != "array"


class _Known:
    """What a statement is known to name: the datasets that rules looked up, variables, aliases, unread WITH queries."""

    def __init__(self, run: Run, node: exp.Expr) -> None:
        self._run = run
        self._touched = {part.lower() for other in run.walk.names.looked_up for part in _parts(other)}
        tree = node if isinstance(node, exp.Expr) else None
        self._aliases = {alias.name.lower() for alias in tree.find_all(exp.TableAlias)} if tree is not None else set()
        self._tables: dict[str, bool] = {}
        self._called: set[str] = set()  # BigQuery's ML, whose functions are classes of the parser's own
        for table in tree.find_all(exp.Table) if tree is not None else ():
            self._called |= {table.db.lower()} if isinstance(table.this, exp.Func) else set()
            name = table.name.lower().rpartition(".")[2]
            self._tables[name] = self._tables.get(name, True) and table.find_ancestor(exp.CTE) is not None

    def accounts_for(self, dataset: str) -> bool:
        """Whether a name is known otherwise: part of a longer one, a function's, an alias, or in a WITH query only."""
        parts = _parts(dataset)
        last = dataset.partition(":")[2].rpartition(".")[2].lower()
        if not parts or last in self._touched or self._tables.get(last, False):
            return True
        if any(part.lower() in self._called for part in parts[-2:-1]):
            return True
        walk = self._run.walk
        if walk.rows_named(last) is not None or walk.variable(last) is not None or walk.functions.knows(last):
            return True
        return any(part.lower() in self._aliases or walk.rows_named(part) is not None for part in parts)  # INTO r.a


def _parts(dataset: str) -> list[str]:
    return _WORD.findall(dataset.partition(":")[2])


def _may_have_rows(node: exp.Expr) -> bool:
    """Whether a statement is of a kind that gives a table rows; CREATE INDEX or SCHEMA is not."""
    if isinstance(node, exp.Create):
        return node.kind in ("TABLE", "VIEW") or isinstance(node.expression, exp.Query)
    return isinstance(node, _WITH_ROWS)


def _unread(node: exp.Expr, names: Names) -> Iterator[str]:
    """Yield the tables of a tree that no rule looked up; those of named queries that nothing reads do not count."""
    given = exp.TableAlias if isinstance(node, exp.Update | exp.Delete) else exp.CTE  # UPDATE x … FROM #t x
    named = {each.alias_or_name.lower() for each in node.find_all(given)}
    for table in node.find_all(exp.Table):
        if not isinstance(table.this, exp.Identifier) or (not table.db and table.name.lower() in named):
            continue
        if table.find_ancestor(*_NAMING_NO_ROWS) is not None:
            continue
        if "/" in table.name or table.find_ancestor(exp.FileFormatProperty):  # files, and how they are read
            continue
        dataset = names.dataset_of_spelt(names.parts(table))
        if dataset not in names.looked_up:
            yield dataset


_NAMING_NO_ROWS: Final = (exp.CTE, exp.LikeProperty, exp.Reference, exp.ForeignKey, exp.AlterRename, exp.Drop)
_DEFINING: Final = ("FUNCTION", "MACRO", "PROCEDURE", "PROC")
#: Kinds of statements that have no lineage, whatever they name; a SELECT that writes nothing says what it reads.
_WITHOUT_ROWS: Final = (
    exp.Query, exp.Drop, exp.TruncateTable, exp.Describe, exp.Show, exp.Set, exp.Use, exp.Comment, exp.Grant,
    exp.Revoke, exp.Analyze, exp.Pragma, exp.Kill, exp.Uncache, exp.Refresh, exp.Semicolon, exp.EndStatement,
    exp.Attach, exp.Detach, exp.Install, exp.Summarize, exp.Leave, exp.Iterate, exp.Return, exp.Undrop,
    exp.AlterSession, exp.Put, exp.Get, exp.Commit, exp.Rollback, exp.Transaction, exp.Declare, exp.ForIn,
)  # fmt: skip
_WITH_ROWS: Final = (exp.Insert, exp.Merge, exp.Update, exp.Delete, exp.Copy, exp.Alter, exp.Cache)
