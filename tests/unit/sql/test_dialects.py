"""Dialects live in one place: what the registry knows, and that no other code asks which dialect it is."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from pkgutil import iter_modules

import pytest
from sqlglot.dialects.dialect import Dialect, Dialects

from ingest.sql.dialects import families
from ingest.sql.dialects.names import PARSED, canonical, is_known, known_names, nearest
from ingest.sql.dialects.registry import BY_NAME, DIALECTS, SIMILAR, find_rules, rules_or_standard
from ingest.sql.dialects.rules import Identity, Rules
from lineage_tt.model.redaction.texts import NAMES_IN_DOUBLE_QUOTES

ROOT = Path(__file__).resolve().parents[3]
HOME = "ingest/sql/dialects"
#: Words of dialects that mean something else there, with what they mean.
EXCEPTIONS = {
    "ingest/spark/sources.py": "hive: is a kind of table to import from, as delta: and jdbc: are",
    "lineage_tt/cli/commands/bulk_import.py": "the same kinds of table",
    "ingest/dbt/relations.py": "dbt's adapters, each with the dialect of its models",
    "ingest/dbt/columns.py": "the adapters of dbt whose catalogs are in lower case",
    "ingest/events/formats.py": "names of formats, which are the engines that write them",
    "ingest/events/openlineage/sql.py": "schemes of OpenLineage's namespaces, each with the dialect of its tables",
    "lineage_tt/cli/commands/governance/shared.py": "--on spark is the place where a job runs",
    "lineage_tt/model/redaction/texts.py": "no parser is at hand there; a test holds its list to the rules",
}
CLASSES = {type(Dialect.get_or_raise(rules.parser)).__name__ for rules in DIALECTS}
FORBIDDEN = {name for name in BY_NAME if name} | CLASSES


def asked(source: str) -> Iterator[tuple[int, str]]:
    """Yield (line, code) where a module asks which dialect it has before it."""
    tree = ast.parse(source)
    held = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None and _names_dialect(node.value, set())
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        asks = (
            (isinstance(node, ast.Compare) and any(_names_dialect(p, held) for p in (node.left, *node.comparators)))
            or (isinstance(node, ast.MatchValue) and _names_dialect(node.value, held))
            or (isinstance(node, ast.Dict) and any(_names_dialect(key, held) for key in node.keys if key is not None))
            or (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in ("startswith", "endswith", "get", "removeprefix")
                and any(_names_dialect(argument, held) for argument in node.args[:1])
            )
            or (
                isinstance(node, ast.ImportFrom)
                and (node.module or "").startswith("sqlglot.dialects.")
                and node.module != "sqlglot.dialects.dialect"
            )
        )
        if asks:
            assert isinstance(node, ast.expr | ast.stmt | ast.pattern)
            yield node.lineno, ast.unparse(node)


def _names_dialect(node: ast.expr, held: set[str]) -> bool:
    """Whether an operand is a dialect's name, one of several, or a constant of the module that holds some."""
    if isinstance(node, ast.Constant):
        return node.value in FORBIDDEN
    if isinstance(node, ast.Name):
        return node.id in held
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return any(_names_dialect(item, held) for item in node.elts)
    if isinstance(node, ast.Starred):
        return _names_dialect(node.value, held)
    if isinstance(node, ast.BinOp):
        return _names_dialect(node.left, held) or _names_dialect(node.right, held)
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and any(_names_dialect(argument, held) for argument in node.args)
    return isinstance(node, ast.Dict) and any(key is not None and _names_dialect(key, held) for key in node.keys)


def modules() -> list[str]:
    """The modules outside of the dialects' own folder, as paths from the root."""
    files = [*(ROOT / "ingest").rglob("*.py"), *(ROOT / "lineage_tt").rglob("*.py")]
    result = (path.relative_to(ROOT).as_posix() for path in files)
    return sorted(path for path in result if not path.startswith(f"{HOME}/"))


@pytest.mark.long
def test_no_code_outside_asks_which_dialect_it_is() -> None:
    """A difference between dialects is a rule with a name, set in ``dialects/families``."""
    found = {
        path: list(asked((ROOT / path).read_text(encoding="utf-8"))) for path in modules() if path not in EXCEPTIONS
    }

    assert {path: lines for path, lines in found.items() if lines} == {}


@pytest.mark.parametrize("path", EXCEPTIONS)
def test_an_exception_that_nobody_needs_goes(path: str) -> None:
    """Each exception still has such a word."""
    assert list(asked((ROOT / path).read_text(encoding="utf-8")))


def test_masking_without_a_parser_knows_where_double_quotes_hold_names() -> None:
    """The list that masking has, which may not import the dialects, is what the parsers' tokenizers say."""
    quoting = [rules for rules in DIALECTS if '"' in Dialect.get_or_raise(rules.parser).tokenizer_class._IDENTIFIERS]

    assert {n for rules in quoting for n in (rules.name, *rules.identity.aliases) if n} == NAMES_IN_DOUBLE_QUOTES


@pytest.mark.parametrize(
    "source",
    [
        'x = names.dialect_name == "hive"',
        'x = "BigQuery" != type(dialect).__name__',
        'x = name in ("a", "trino")',
        'x = name not in frozenset(["mysql"])',
        '_A = ["oracle"]\nx = name in _A',
        '_A: Final = frozenset(["oracle"]) | OTHERS\nx = name in _A',
        '_A = {"Spark": 1}\nx = _A.get(name)',
        'match name:\n    case "duckdb":\n        pass',
        'x = name.startswith("spark")',
        'x = name == "flink"',
        'x = name in ("odps", kind)',
        "from sqlglot.dialects.bigquery import BigQuery",
    ],
)
def test_each_way_of_asking_is_seen(source: str) -> None:
    """The walk sees comparisons, constants of the module, tables by dialect, patterns, prefixes and classes."""
    assert list(asked(source))


@pytest.mark.parametrize("source", ['x = rules.dollar == "column"', 'x = Names("hive", "n", "")', 'x = kind == "VIEW"'])
def test_what_does_not_ask_is_left_alone(source: str) -> None:
    """Rules, and the naming of a dialect to be read with, are not questions."""
    assert list(asked(source)) == []


def test_every_file_of_a_family_says_its_dialects() -> None:
    """What lies in ``families`` is registered by lying there."""
    files = [importlib.import_module(f"{families.__name__}.{found.name}") for found in iter_modules(families.__path__)]

    assert {rules.name for file in files for rules in file.DIALECTS} == {rules.name for rules in DIALECTS}
    assert all(file.DIALECTS for file in files)


def test_names_are_unique_and_lower_case() -> None:
    """No name, alias or near name is another dialect's, or cannot be found for its case."""
    names = [name for rules in DIALECTS for name in (rules.name, *rules.identity.aliases, *rules.identity.similar)]

    assert len(names) == len(set(names))
    assert [name for name in names if name != name.lower()] == []
    assert {name: nearest(name) for name in SIMILAR} == {name: rules.name for name, rules in SIMILAR.items()}


def test_every_dialect_of_the_parser_has_rules() -> None:
    """sqlglot's own list is the one that we know."""
    assert {dialect.value for dialect in Dialects if dialect.value} == PARSED


@pytest.mark.parametrize("rules", DIALECTS, ids=lambda rules: rules.name or "standard")
def test_parsers_are_there(rules: Rules) -> None:
    """A dialect is read, written and read again as dialects that sqlglot has."""
    identity = rules.identity
    for name in (rules.parser, identity.rendered_as or "", *identity.also_read_as):
        assert name == "" or name in PARSED
    assert rules.name not in identity.also_read_as


def test_every_rule_is_documented_and_differs_somewhere() -> None:
    """Each field says what it means, and is not the same in all dialects: else it is not a rule of dialects."""
    documented = {
        node.target.id
        for path, kind in (
            ("rules.py", "Rules"),
            ("parts/statements.py", "StatementRules"),
            ("parts/naming.py", "NameRules"),
        )
        for declared in ast.parse((ROOT / HOME / path).read_text(encoding="utf-8")).body
        if isinstance(declared, ast.ClassDef) and declared.name == kind
        for node, following in pairwise(declared.body)
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and isinstance(following, ast.Expr)
        and isinstance(following.value, ast.Constant)
    }
    fields = {field.name for field in dataclasses.fields(Rules)}

    assert fields == documented
    assert {name for name in fields if len({getattr(rules, name) for rules in DIALECTS}) == 1} == set()


@pytest.mark.long
def test_every_rule_is_asked_for() -> None:
    """A rule that no code asks for goes."""
    asked_for = {
        node.attr
        for folder in ("ingest", "lineage_tt")
        for path in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
    }

    assert {field.name for kind in (Rules, Identity) for field in dataclasses.fields(kind)} - asked_for == set()


def test_rules_are_inherited_and_identities_are_not() -> None:
    """Databricks is Spark but for what it says, and has none of Spark's names."""
    spark, databricks = rules_or_standard("SparkSQL"), rules_or_standard("databricks")

    assert databricks.session_catalog == spark.session_catalog == "spark_catalog"
    assert (spark.default_format_is_files, databricks.default_format_is_files) == (True, False)
    assert databricks.identity.aliases == ()
    with pytest.raises(dataclasses.FrozenInstanceError):
        spark.keeps_case = True  # type: ignore[misc]


def test_aliases_have_the_rules_of_their_dialect() -> None:
    """A name that others use is known, in any case; one that nobody has is not, and reads as standard SQL."""
    assert find_rules("PostgreSQL") is find_rules("postgres")
    assert canonical("MSSQL") == "tsql"
    assert not is_known("sprak")
    assert find_rules("sprak") is None
    assert rules_or_standard("sprak").name == ""
    assert "" not in known_names()


def test_names_load_no_parser() -> None:
    """Whether a name is known is asked by commands that parse nothing."""
    program = "import sys; from ingest.sql.dialects.names import PARSED; print('sqlglot' in sys.modules, len(PARSED))"
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )

    assert ran.stdout == f"False {len(PARSED)}\n"
