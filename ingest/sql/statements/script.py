"""A script in progress: statements resolved one after the other over one catalog."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from sqlglot import exp
from sqlglot.tokens import Token

from ingest.sql.binder.relations.catalog import Catalog, TableState
from ingest.sql.dialects.dialects import Names, NotATableError
from ingest.sql.parser.parse import parse, statements_of
from ingest.sql.parser.parsed import Parsed
from ingest.sql.parser.scan import scan
from ingest.sql.parser.scripts.moves import Move
from ingest.sql.parser.tokenize import tokenize
from ingest.sql.result import COMPLETE, OPAQUE, PARTIAL, Extraction, Problem, StatementLineage
from ingest.sql.statements.creates import dropped_tables
from ingest.sql.statements.declared import assigns
from ingest.sql.statements.dropped import errors_logged
from ingest.sql.statements.emit import in_order
from ingest.sql.statements.moves import renamed_parts
from ingest.sql.statements.net import overlooked
from ingest.sql.statements.run import Outcome
from ingest.sql.statements.starred import joined_edges
from ingest.sql.statements.statements import Statements
from ingest.sql.statements.temporary import is_temporary_name
from ingest.sql.text.malformed import malformed, may_be_malformed
from lineage_tt.model.edges import DIRECT, Edge
from lineage_tt.model.facts import Shape, Types

# A problem of this code is a bug of the extractor, not of the text.
EXTRACTOR_FAULT = "extractor-fault"

# What is reported of statements without edges.
_OF_DEFINITIONS = ("column-order",)

# A statement with one of these problems needs no other.
_GIVEN_UP = ("syntax", "unsupported-statement", "opaque-call", "unknown-source", "definition-only")

# Of a statement that does not parse each table read is taken to feed each one written; of more than this many pairs (a
# script without semicolons) nearly all would be wrong.
_MAX_GUESSES = 1_000


class Script:
    """Runs SQL texts one after the other; later texts see what earlier ones made known.

    ``columns`` are known from outside, types as the dialect writes them. ``keep_temporary`` reports temporary tables
    like stored ones. Raises UnknownDialectError for a dialect that is not one.
    """

    def __init__(
        self,
        *,
        dialect: str,
        namespace: str,
        default_database: str = "",
        columns: Mapping[str, Shape] | None = None,
        keep_temporary: bool = False,
    ) -> None:
        self.names = Names(dialect, namespace, default_database)
        self.catalog = Catalog(columns if columns is not None else {}, self.names.rules.parser)
        self.statements = Statements(self.names, self.catalog, keep_temporary=keep_temporary)

    def run(self, sql: str, target: str | None = None) -> Extraction:
        """Run one text; its last bare SELECT writes ``target`` unless a statement names that itself."""
        walk = self.statements.walk
        walk.problems = {}
        self.statements.outputs, self.statements.filled, self.statements.places = {}, {}, {}
        tokens, unreadable = tokenize(sql, self.names.engine)
        if unreadable is not None:
            return _failed(unreadable)
        self.names.begin(tokens)
        walk.markers = {}
        parsed = list(self._parsed(sql, tokens))
        self.statements.short_lived = frozenset(_short_lived(parsed, self.names))
        selecting = _last_select(parsed, target, self.names)
        done = []
        for index, item in enumerate(parsed):
            self.statements.target = target if index == selecting else None
            outcome = self._one(item, target)
            done.append(
                StatementLineage(
                    index, outcome.kind, in_order(outcome.edges), _sorted(outcome.reads), _sorted(outcome.writes)
                )
            )
        self._report_malformed(tokens)
        return self._extraction(done, sql)

    def _report_malformed(self, tokens: list[Token]) -> None:
        """Report each malformed statement that was read nevertheless."""
        if not may_be_malformed(tokens):
            return
        problems = self.statements.walk.problems
        unread = {problem.line for problem in problems if problem.code == "syntax"}
        for statement in statements_of(tokens, self.names.engine):
            found = malformed(statement)
            if found is not None and not any(token.line in unread for token in statement):
                place, words = found
                problems[Problem("syntax", words, line=place.line, column=place.col)] = None

    def _parsed(self, sql: str, tokens: list[Token]) -> Iterator[Parsed]:
        """Yield the statements of a text; what makes reading it fail is the last one's problem, not a crash."""
        try:
            yield from parse(sql, tokens, self.names.engine, self.statements.walk.markers)
        except RecursionError:
            yield Parsed(None, Problem("too-deep", "the text is nested too deeply to be read", line=1), tokens)
        except Exception as error:
            yield Parsed(None, Problem(EXTRACTOR_FAULT, f"{type(error).__name__}: {error}"[:200], line=1), tokens)

    def _one(self, item: Parsed, target: str | None) -> Outcome:
        problem = item.problem
        if item.note is not None:
            self.statements.walk.problems[item.note] = None
        if problem is None:
            try:
                return self._resolved(item)
            except NotATableError as other:
                problem = Problem("unsupported-statement", str(other), line=item.tokens[0].line)
            except RecursionError:
                problem = Problem(
                    "too-deep", "the statement is nested too deeply to be resolved", line=item.tokens[0].line
                )
            except Exception as error:  # one statement that trips the extractor must not lose the others, nor be silent
                problem = Problem(EXTRACTOR_FAULT, f"{type(error).__name__}: {error}"[:200], line=item.tokens[0].line)
        self.statements.walk.problems[problem] = None
        reads, writes = scan(item.tokens, self.names)
        if target is not None and not writes:
            writes = {target}
        edges: list[Edge] = []
        if len(reads) * len(writes) <= _MAX_GUESSES:
            edges = [Edge(read, write, DIRECT, "TRANSFORMATION", "") for read in reads for write in writes]
        return Outcome("other", edges, reads, writes)

    def _resolved(self, item: Parsed) -> Outcome:
        """Run a statement that parsed, and say what its words name that it does not account for."""
        problems = self.statements.walk.problems
        before = len(problems)
        self.names.looked_up.clear()
        self.names.starts.clear()
        outcome = self.statements.run(item.node)
        errors = errors_logged(item.tokens, self.names) if outcome.writes else None
        outcome.writes |= {errors} if errors is not None else set()
        reported = list(problems)[before:]
        if not any(problem.code in _GIVEN_UP for problem in reported):
            missed = overlooked(self.statements, item, outcome, doubtful=bool(reported))
            if missed is not None:
                problems[missed] = None
        return outcome

    def _extraction(self, done: list[StatementLineage], sql: str) -> Extraction:
        giving = [each.edges for each in done if each.edges]
        edges = giving[0] if len(giving) == 1 else in_order(chain(*giving, joined_edges(done)))
        left = [item for item in self.catalog.written().items() if item[1].is_left_behind]
        problems = list(self.statements.walk.problems)
        if not done and sql.strip():
            problems.append(Problem("unsupported-statement", "there is no statement in this text"))
        understood = edges or all(problem.code in _OF_DEFINITIONS for problem in problems)
        coverage = COMPLETE if not problems else PARTIAL if understood else OPAQUE
        return Extraction(
            edges,
            coverage,
            tuple(problems),
            _sorted({dataset for statement in done for dataset in statement.reads}),
            _sorted({dataset for statement in done for dataset in statement.writes}),
            self._outputs(left),
            tuple(sorted(self.catalog.lookups.items())),
            tuple(done),
            _sorted(self.catalog.starred & self.catalog.lookups.keys()),
            _types(left),
            tuple(sorted(self.statements.filled.items())),
            places=tuple(sorted(self.statements.places.items())),
        )

    def _outputs(self, left: list[tuple[str, TableState]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
        result = dict(self.statements.outputs)
        result |= {dataset: state.columns or () for dataset, state in left}
        return tuple(sorted(result.items()))


def _types(left: list[tuple[str, TableState]]) -> tuple[tuple[str, Types], ...]:
    """Return the declared types of the columns of what a script leaves."""
    types = {
        dataset: tuple((name, state.kinds[name].text) for name in state.columns or () if name in state.kinds)
        for dataset, state in left
        if state.kinds
    }
    return tuple(sorted((dataset, kind) for dataset, kind in types.items() if kind))


def _failed(problem: Problem) -> Extraction:
    return Extraction((), OPAQUE, (problem,), (), (), (), (), ())


def _sorted(datasets: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(datasets))


def _last_select(parsed: list[Parsed], target: str | None, names: Names) -> int | None:
    """Return which statement is the bare SELECT that writes the target, None where another statement names it."""
    if target is None:
        return None
    last = None
    for index, item in enumerate(parsed):
        if isinstance(item.node, exp.Query | exp.Values | exp.Table | exp.Pivot) and not assigns(item.node):
            last = index
        elif isinstance(item.node, exp.Insert | exp.Create | exp.Merge):
            table = item.node.this.this if isinstance(item.node.this, exp.Schema) else item.node.this
            if isinstance(table, exp.Table) and not isinstance(table.this, exp.Func) and names.dataset(table) == target:
                return None
    return last


def _short_lived(parsed: list[Parsed], names: Names) -> set[str]:
    """Return the tables that the script itself creates and then drops: nothing of them is left."""
    created: set[str] = set()
    gone: set[str] = set()
    for item in parsed:
        node: Any = item.node
        if names.rules.batches and isinstance(node, exp.Expr):  # those that another script made, too
            gone |= {names.dataset(table) for table in node.find_all(exp.Table) if is_temporary_name(table)}
        if isinstance(node, exp.Create) and node.kind in ("TABLE", "VIEW"):
            table = node.this.this if isinstance(node.this, exp.Schema) else node.this
            if isinstance(table, exp.Table):
                dataset = names.dataset(table)
                gone.discard(dataset)
                created.add(dataset)
                if is_temporary_name(table):
                    gone.add(dataset)
        elif isinstance(node, Move) and node.kind == "rename":
            created |= {names.dataset(new) for _, new in node.pairs}
        elif isinstance(node, exp.Alter) and isinstance(node.this, exp.Table):
            renamed = [action.this for action in node.args.get("actions") or () if isinstance(action, exp.AlterRename)]
            created |= {names.dataset_of_parts(renamed_parts(names, node.this, new)) for new in renamed}
        elif isinstance(node, exp.Drop) and node.kind in ("TABLE", "VIEW"):
            gone |= created & {names.dataset(table) for table in dropped_tables(node)}
    return gone
