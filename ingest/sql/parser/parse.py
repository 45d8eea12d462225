"""From text to parsed statements: split at semicolons, each parsed on its own, so that one error spoils only it.

Words of procedural scripts (BEGIN, IF … THEN, ELSE, LOOP, END IF …) are taken off the front of a statement; what they
guard is reported as if it ran. A few statements that sqlglot does not read are put into a form that it does.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from sqlglot import exp
from sqlglot.tokens import Token, TokenType

from ingest.sql.dialects.engine import Engine
from ingest.sql.parser.after.trailing import after_query
from ingest.sql.parser.attempts import attempt, is_no_statement, is_unread, second_attempt
from ingest.sql.parser.before.constants import with_named_tables
from ingest.sql.parser.before.engines.identifiers import without_value
from ingest.sql.parser.before.engines.several import changes_and_query, plain_temporary
from ingest.sql.parser.before.long_arrays import Markers, merge_rows
from ingest.sql.parser.before.rewrite import rewritten
from ingest.sql.parser.declarations import defined, defines_body, executes, loop_rows, of_block, of_head, record
from ingest.sql.parser.executed import executed, handed_in
from ingest.sql.parser.parsed import Parsed
from ingest.sql.parser.scripts import batches, blocks, ingestions, scheduled, tsql
from ingest.sql.parser.scripts.moves import moved
from ingest.sql.parser.scripts.packages import unpacked, without_slashes
from ingest.sql.parser.scripts.routines import quoted_body, without_bodies
from ingest.sql.parser.scripts.script_words import without_script_words, without_statement_set, words_before
from ingest.sql.parser.scripts.table_variables import with_plain_variables
from ingest.sql.parser.scripts.triggered import ROWS, triggered
from ingest.sql.parser.targets import meant, set_apart, without_targets
from ingest.sql.result import Problem
from ingest.sql.text.tokens import kinds_of, places_of, select_all_from, tokens_of, word_at
from ingest.sql.words import words
from lineage_tt.model.names import and_more

# What the parser does not see; BigQuery's ASSERT it would take for a function.
_COMMANDS = words("EXECUTE EXEC CALL ASSERT PERFORM RAISE SIGNAL RESIGNAL BREAK LEAVE CONTINUE ITERATE RETURN EXIT")
_DIAGNOSTICS = words("diagnostics stacked current")
# BigQuery's tokenizer takes EXCEPTION and ELSEIF for commands.
_OPENED = words("SUBMIT DECLARE EXCEPTION BEGIN EXECUTE WHILE IF ELSEIF LOOP REPEAT FOR UNLOAD RENAME EXCHANGE FETCH")
_OF_BLOCKS = words("DECLARE LET FETCH OPEN CLOSE")
_SCHEDULING = words("CREATE SUBMIT")
_HEADS = words("declare create replace alter")
_MOVING = words("ALTER RENAME EXCHANGE")
_LONGEST_NAME = 12


def parse(sql: str, tokens: list[Token], engine: Engine, markers: Markers | None = None) -> Iterator[Parsed]:
    """Yield the statements of a text in order; with ``markers`` the rows of long arrays are merged."""
    tokens = without_bodies(sql, tokens)
    if markers is not None:
        tokens = merge_rows(sql, tokens, markers)
    if engine.rules.batches:
        yield from _parse_batches(sql, tokens, engine, markers)
        return
    if engine.rules.table_variables:
        tokens = with_plain_variables(tokens)
    if engine.rules.slash_ends:
        tokens = without_slashes(tokens)
    if engine.rules.variables.cursors_have_attributes:
        tokens = blocks.without_attributes(tokens)
    if engine.rules.has_editions:
        tokens = blocks.without_editions(tokens)
    chunks = unpacked(statements_of(tokens, engine))
    if engine.rules.select_into_sets_variables:
        chunks = [blocks.plain_bulk(chunk) for chunk in chunks]
    if engine.rules.variables.set_gives_dollar:
        chunks = with_named_tables(chunks)
    if engine.rules.forms == "registers":
        chunks = [plain_temporary(chunk) for chunk in chunks]
    if engine.rules.forms == "locks":  # Teradata's begin and end of a transaction
        chunks = [chunk for chunk in chunks if len(chunk) > 1 or word_at(chunk, 0) not in ("bt", "et")]
    if engine.rules.statement_sets:
        chunks = [chunk for whole in chunks if (chunk := without_statement_set(whole))]
    skipped = seen = 0
    for place, whole in enumerate(chunks):
        if place < skipped:
            continue
        if word_at(whole, 0) == "declare" and word_at(whole, 1) == "begin":
            whole = whole[1:]  # a block that declares nothing
        if place >= seen and word_at(whole, 0) in _HEADS:
            seen, head = blocks.head_of_block(chunks, place)
            if head is not None:
                skipped = seen
                yield from of_head(sql, *head, engine)
                continue
        body = opened(without_script_words(whole), engine)
        note = defined(before := words_before(whole, body))
        if note is not None and (names := blocks.parameters(before)):
            yield Parsed(blocks.Declared(names), None, whole[:1], note)
        yield from loop_rows(sql, before, engine)
        for item in _parse_chunk(sql, body, engine, markers) if body else ():
            item.note = item.note or note
            yield item


def _parse_batches(sql: str, tokens: list[Token], engine: Engine, markers: Markers | None) -> Iterator[Parsed]:
    """Yield the statements of a T-SQL script; what a procedure or trigger holds comes as if it ran."""
    rows: list[Token] = []
    for chunk in batches.statements(tokens):
        if tsql.is_head(chunk):
            rows = tsql.trigger_table(chunk)
            yield Parsed(exp.Semicolon(), None, chunk[:1], defined(chunk))
            continue
        body = tsql.with_rows_of(chunk, rows) if rows else chunk
        body = tsql.plain_files(tsql.without_hints(tsql.without_top(body)))
        for part in tsql.rows_of_output(body) or (body,):
            known = tsql.special(part)
            if known is not None:
                yield Parsed(*known, part)
            else:
                yield from _parse_chunk(sql, part, engine, markers)


def statements_of(tokens: list[Token], engine: Engine) -> list[list[Token]]:
    """Return the tokens of each statement, also where the tokenizer took most of it as one text."""
    return [opened(chunk, engine) for chunk in split(tokens)]


def split(tokens: list[Token]) -> list[list[Token]]:
    """Return the runs of tokens between semicolons."""
    cuts = [-1, *places_of(TokenType.SEMICOLON, kinds_of(tokens)), len(tokens)]
    return [tokens[start + 1 : end] for start, end in pairwise(cuts) if end > start + 1]


def opened(tokens: list[Token], engine: Engine) -> list[Token]:
    """Return a statement's tokens: the tokenizer takes what follows BEGIN, EXECUTE and the like as one text."""
    if len(tokens) != 2 or tokens[1].token_type != TokenType.STRING or tokens[0].text.upper() not in _OPENED:
        return tokens
    inner = tokens_of("\n" * (tokens[0].line - 1) + tokens[1].text, engine.dialect)
    return [tokens[0], *inner] if inner is not None else tokens


def _parse_chunk(sql: str, tokens: list[Token], engine: Engine, markers: Markers | None) -> Iterator[Parsed]:
    if tokens[0].token_type is TokenType.HIVE_TOKEN_STREAM and (move := moved(tokens[1:], engine.rules)) is not None:
        yield Parsed(move, None, tokens[1:])  # Athena's tokenizer marks what Hive's parser is to read
        return
    word = tokens[0].text.upper()
    if word in _OF_BLOCKS and (items := list(of_block(sql, tokens, engine))):
        yield from items
        return
    if word == "GET" and word_at(tokens, 1) in _DIAGNOSTICS:
        yield Parsed(exp.Command(this="GET DIAGNOSTICS", expression=""), None, tokens)
        return
    if len(tokens) > 1 and tokens[1].token_type is TokenType.COLON_EQ and executes(tokens[2:]):
        yield Parsed(exp.Command(this="EXECUTE", expression=""), None, tokens)
        return
    if word in _COMMANDS or (word in tsql.COMMANDS and engine.rules.batches):
        yield from _command(tokens, engine, markers)
        return
    body = quoted_body(tokens)
    if body is not None:
        inner = tokens_of(body, engine.dialect)
        if inner is not None:
            note = defines_body(tokens)
            yield Parsed(blocks.Opened(), None, tokens[:1])
            yield Parsed(blocks.Declared(blocks.parameters(tokens)), None, tokens[:1], note)
            for item in parse(body, inner, engine, markers):
                item.note = item.note or note
                yield item
            yield Parsed(blocks.Closed(), None, tokens[:1])
            return
    row = triggered(tokens) if word == "CREATE" else None
    if row is not None:
        for name in ROWS:
            query = [*select_all_from(tokens[0]), *row[0]]
            yield from record(sql, name, query, engine)
        for item in _parse_chunk(sql, without_script_words(row[1]), engine, markers):
            item.note = item.note or row[2]
            yield item
        return
    unwrapped = scheduled.unwrapped(tokens) if word in _SCHEDULING else None
    if unwrapped is not None:
        for item in _parse_chunk(sql, without_script_words(unwrapped[0]), engine, markers):
            item.note = item.note or unwrapped[1]
            yield item
        return
    parts = ingestions.plainly(tokens, engine.dialect) if word_at(tokens, 0) in ingestions.FIRST else None
    if parts is None and engine.rules.forms == "registers":
        parts = changes_and_query(tokens)
    if parts is not None:
        for part in parts:
            yield from _parse_chunk(sql, part, engine, markers)
        return
    moves = word in _MOVING or (word == "SELECT" and engine.rules.moves_by_functions)
    move = moved(tokens, engine.rules) if moves else None
    if move is not None:
        yield Parsed(move, None, tokens)
        return
    if apart := set_apart(tokens):
        for part in apart:
            yield from _parse_chunk(sql, part, engine, markers)
        return
    names, tokens = without_targets(tokens, engine.rules)
    plain = rewritten(tokens, engine)
    nodes, problem = attempt(sql, plain, engine.dialect)
    if problem is not None or any(is_unread(node) or is_no_statement(node) for node in nodes):
        nodes, problem = second_attempt(sql, plain, engine, nodes, problem)
    if problem is not None:
        yield Parsed(None, problem, tokens)
    unnamed = without_value(tokens) if engine.rules.identifier_clause else []
    note = Problem("template", f"no value for {and_more(unnamed)}", line=tokens[0].line) if unnamed else None
    for node in nodes:
        yield Parsed(meant(node, names, engine.rules), None, tokens, note or after_query(node, tokens))


def _command(tokens: list[Token], engine: Engine, markers: Markers | None) -> Iterator[Parsed]:
    """A command is not looked into, but EXECUTE IMMEDIATE of a constant text runs that text."""
    constant = executed(tokens)
    inner = tokens_of(constant.text, engine.dialect) if constant is not None else None
    if constant is None or inner is None:
        yield Parsed(exp.Command(this=tokens[0].text.upper(), expression=_called(tokens)), None, tokens)
        return
    inner = handed_in(inner, constant.using)
    for item in parse(constant.text, inner, engine, markers):
        if constant.into and isinstance(item.node, exp.Query):
            item.node = blocks.Fetched(constant.into, query=item.node)
        yield item


def _called(tokens: list[Token]) -> str:
    """Return the name of the procedure that CALL names, with its schema; "" for other commands."""
    if word_at(tokens, 0) != "call":
        return ""
    name = "".join(token.text for token in tokens[1:_LONGEST_NAME]).partition("(")[0]
    return ".".join(name.replace("`", "").replace('"', "").split(".")[-2:]).strip()
