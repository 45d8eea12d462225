"""ALTER TABLE whose actions the parser leaves as one text: each action alone, in the form that the parser knows.

``ADD COLUMN a INT, ALTER COLUMN b SET STATISTICS 100`` adds a column, whatever the second action is. An action on
columns that is not read is a problem: later stars would have columns that are not there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from sqlglot import exp
from sqlglot.parser import Parser
from sqlglot.tokens import Token, TokenType

from ingest.sql.result import Problem
from ingest.sql.text.tokens import after_name, closing, items_of, token_like, word_at
from ingest.sql.words import words

#: Words that begin an action; after a comma any other word continues the list of the action before.
_VERBS: Final = words("add drop rename change modify alter replace set")
#: Words that do so unless they name a column, as in ``ADD a INT, comment STRING``.
_VERBS_OR_NAMES: Final = words(
    """unset reset owner comment enable disable attach detach cluster clear materialize engine algorithm lock force
    validate inherit no convert order default with without swap exchange move freeze unfreeze fetch update delete remove
    import discard optimize"""
)
_TYPES: Final = frozenset(Parser.TYPE_TOKENS)
#: Those that may follow another action without a comma, as in Oracle and Db2.
_NEXT: Final = words("add drop modify alter rename")
_COLUMNS: Final = words("column columns")
#: What an action may be of, named after its verb or after a comma.
_KINDS: Final = _COLUMNS | words("constraint index key check unique period partition") | {"primary key", "foreign key"}
#: What else ADD may be of, in one engine or another.
_ADDED: Final = _KINDS - _COLUMNS | words(
    """fulltext spatial vector search row masking aggregation join projection policy tag clustering subpartition
    temporary range rollup statistics versioning restrict materialized supplemental overflow default watermark
    distribution data location file feature expectation storage values sortkey distkey bloomfilter"""
)
_PLACES: Final = words("first after")
#: What CHANGE and the like may do with a column that keeps its name.
_KEEPING_NAMES: Final = words("comment set unset drop")
_ENDS: Final = words("cascade restrict")
#: Actions that change which columns there are, if they are of columns at all.
_CHANGING: Final = words("add drop rename change replace")
#: What else MODIFY is of than a column.
_NO_COLUMNS: Final = _KINDS - _COLUMNS | words("query subpartition ttl setting order sample comment default lob")
_DEPTHS: Final = {TokenType.LT: 1, TokenType.GT: -1}
_Read = Callable[[list[Token]], list[Any] | None]


class Altered(NamedTuple):
    """An ALTER TABLE with the actions that are read, and whether there are others; or why it is not understood."""

    node: Any
    partly: bool = False
    problem: Problem | None = None


def is_lost(node: Any) -> bool:
    """Whether a tree has a text in the place of an action, or takes ``RENAME a TO b`` for a new name of the table."""
    actions: list[Any] = node.args.get("actions") or [] if isinstance(node, exp.Alter) else []
    if any(isinstance(action, exp.Command) for action in actions):
        return True
    return bool(actions and node.args.get("options")) and isinstance(actions[0], exp.AlterRename)


def altered(tokens: list[Token], attempt: Callable[[list[Token]], tuple[list[Any], Problem | None]]) -> Altered | None:
    """Return an ALTER TABLE read action by action with ``attempt``; None for other ones, and where none is read."""
    start = _first_action(tokens)
    table: list[Any] = []

    def read(action: list[Token]) -> list[Any] | None:
        nodes, problem = attempt([*tokens[:start], *action])
        if problem is not None or len(nodes) != 1 or not isinstance(nodes[0], exp.Alter) or is_lost(nodes[0]):
            return None
        table.append(nodes[0])
        return list(nodes[0].args.get("actions") or ())

    actions: list[Any] = []
    partly = False
    for action in _actions(tokens[start:]) if start else ():
        known = _read(action, read)
        if known is None and _changes_columns(action):
            said = " ".join(token.text for token in action[:2]).upper()
            problem = Problem("not-understood", f"ALTER TABLE … {said} … is not understood", line=action[0].line)
            return Altered(None, problem=problem)
        partly = partly or known is None
        actions += known or ()
    if not actions:
        return None
    table[0].set("actions", actions)
    return Altered(table[0], partly)


def _first_action(tokens: list[Token]) -> int:
    """Return the place of the first action of an ALTER TABLE, 0 for other statements."""
    if word_at(tokens, 0) != "alter" or word_at(tokens, 1) != "table":
        return 0
    place = 4 if word_at(tokens, 2) == "if" else 2
    place = after_name(tokens, place + (word_at(tokens, place) == "only"))
    while place < len(tokens) and word_at(tokens, place) not in _VERBS | _VERBS_OR_NAMES:
        place = max(closing(tokens, place), place) + 1
    return place if place < len(tokens) else 0


def _actions(tokens: list[Token]) -> Iterator[list[Token]]:
    """Yield the actions, each with its verb: ``ADD a INT, b INT`` is two, as ``DROP CONSTRAINT c, COLUMN a`` is."""
    before: list[Token] = []
    for item in _items(tokens):
        if not before or _begins_action(item):
            for action in _apart(item):
                yield action
                before = action[:2]
            continue
        of_columns = word_at(before, 0) == "drop" or word_at(before, 1) in _COLUMNS
        goes_on = word_at(item, 0) not in _KINDS and word_at(before, 1) in _KINDS and of_columns
        yield [*before[: 2 if goes_on else 1], *item]


def _begins_action(item: list[Token]) -> bool:
    """Whether what follows a comma is an action of its own, or an option as ``ENGINE = x``."""
    if word_at(item, 0) in _VERBS or word_at(item, 1) == "=":
        return True
    return word_at(item, 0) in _VERBS_OR_NAMES and not (len(item) > 1 and item[1].token_type in _TYPES)


def _items(tokens: list[Token]) -> Iterator[list[Token]]:
    """Yield what is between the commas: not those of ``STRUCT<a: INT, b: INT>``."""
    start = end = depth = 0
    for item in items_of(tokens):
        end += len(item)
        depth += sum(_DEPTHS.get(token.token_type, 0) * len(token.text) for token in item)
        if depth <= 0:
            yield tokens[start:end]
            start, depth = end + 1, 0
        end += 1
    if start < len(tokens):
        yield tokens[start:]


def _apart(item: list[Token]) -> Iterator[list[Token]]:
    """Yield what is written without commas: ``ADD (a INT) MODIFY (b INT)``, ``ADD COLUMN a INT ADD COLUMN b INT``."""
    start = place = 0
    while place < len(item):
        follows = place > start and word_at(item, place) in _NEXT
        if follows and (word_at(item, place - 1) == ")" or word_at(item, place + 1) in _COLUMNS):
            yield item[start:place]
            start = place
        place = max(closing(item, place), place) + 1
    yield item[start:]


def _read(action: list[Token], read: _Read) -> list[Any] | None:
    """Return the actions that one is, in the parser's terms; None where it is not read."""
    verb = word_at(action, 0)
    rest = _of_columns(action)
    if verb in ("change", "alter", "modify") and len(rest) in (2, 3) and word_at(rest, 1) in _PLACES:
        return _moved(rest, read)
    if verb in ("drop", "set") and (gone := _gone(action, rest)):
        read_ones = [read(one) for one in gone]
        return None if None in read_ones else [each for one in read_ones for each in one or ()]
    if verb == "change" and word_at(rest, 1) in _KEEPING_NAMES:  # Spark's other word for ALTER
        return read([*_words(action[0], "ALTER", "COLUMN"), *rest])
    if verb == "change" and len(rest) > 2:
        defined = _defined(rest[1:], action[0], read)
        return [exp.ModifyColumn(this=defined, rename_from=_identifier(rest[0]))] if defined is not None else None
    if verb == "modify" and word_at(rest, 0) not in _NO_COLUMNS:
        modified = [_defined(item, action[0], read) for item in _listed(rest)]
        return [exp.ModifyColumn(this=each) for each in modified] if all(modified) else None
    if verb == "rename" and len(rest) == 3 and word_at(rest, 1) == "to":
        action = [action[0], token_like(action[0], TokenType.COLUMN, "COLUMN"), *rest]
    known = read(action)
    if known is None and verb == "add" and word_at(rest, 0) == "(":
        listed = [item for item in _listed(rest) if word_at(item, 0) not in _ADDED]
        added = [_defined(item, action[0], read) for item in listed]
        return added if all(added) else None
    return known


def _gone(action: list[Token], rest: list[Token]) -> list[list[Token]]:
    """``DROP a``, ``DROP (a, b)`` and ``SET UNUSED (a)``: each column with the words that others need; else nothing."""
    if word_at(action, 0) == "set":
        rest = _of_columns(action[1:]) if word_at(action, 1) == "unused" else []
    if word_at(rest, 0) in _KINDS or not (len(rest) == 1 or word_at(rest, 0) == "(" or word_at(rest, 1) in _ENDS):
        return []
    return [[*_words(action[0], "DROP", "COLUMN"), *item[:1]] for item in _listed(rest)]


def _of_columns(action: list[Token]) -> list[Token]:
    """Return what follows the verb of an action, COLUMN and IF EXISTS."""
    place = 1 + (word_at(action, 1) in _COLUMNS)
    if word_at(action, place) == "if":
        place += 3 if word_at(action, place + 1) == "not" else 2
    return action[place:]


def _listed(rest: list[Token]) -> list[list[Token]]:
    """Return the definitions in a bracket, or the one that there is without."""
    return items_of(rest[1 : closing(rest, 0)]) if word_at(rest, 0) == "(" else [rest]


def _defined(item: list[Token], like: Token, read: _Read) -> Any:
    """Return the definition of a column that has a name and a type, with its place; None where there is none."""
    if word_at(item, len(item) - 1) in _ENDS:
        item = item[:-1]
    found = read([*_words(like, "ADD", "COLUMN"), *item]) or []
    return found[0] if len(found) == 1 and isinstance(found[0], exp.ColumnDef) else None


def _moved(rest: list[Token], read: _Read) -> list[Any] | None:
    """``a FIRST`` and ``a AFTER b``: the column as it is, at another place."""
    if read([*_words(rest[0], "DROP", "COLUMN"), rest[0]]) is None:
        return None
    after = exp.Column(this=_identifier(rest[2])) if len(rest) > 2 else None
    place = exp.ColumnPosition(this=after, position=word_at(rest, 1).upper())
    return [exp.ModifyColumn(this=exp.ColumnDef(this=_identifier(rest[0]), position=place))]


def _words(like: Token, verb: str, kind: str) -> list[Token]:
    """Return ``DROP COLUMN``, ``ADD COLUMN`` or ``ALTER COLUMN``."""
    first = TokenType.DROP if verb == "DROP" else TokenType.VAR
    return [token_like(like, first, verb), token_like(like, TokenType.COLUMN, kind)]


def _identifier(token: Token) -> exp.Identifier:
    return exp.to_identifier(token.text, quoted=token.token_type is TokenType.IDENTIFIER)


def _changes_columns(action: list[Token]) -> bool:
    """Whether an action says that columns come, go, or change their names or their order."""
    verb, rest = word_at(action, 0), _of_columns(action)
    if verb == "change" and word_at(rest, 1) in _KEEPING_NAMES:
        return False
    if word_at(action, 1) in _COLUMNS or verb == "change":
        placed = word_at(action, len(action) - 1) == "first" or word_at(action, len(action) - 2) == "after"
        return verb in _CHANGING or placed
    return verb == "add" and bool(rest) and word_at(rest, 0) not in _ADDED
