"""What the parts of the binder share: variables, rows under a name, datasets and the report."""

from __future__ import annotations

from bound import WORLD, listed, sources, ways

from ingest.sql.binder.names.context import Context
from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.relations.catalog import Catalog, TableState
from ingest.sql.binder.relations.flow import FILTER, IDENTITY, TRANSFORMATION, Column
from ingest.sql.binder.relations.relations import Effects, Relation, base_column, base_relation
from ingest.sql.dialects.dialects import Names
from ingest.sql.result import Problem


def script() -> Context:
    """Return the context of a script that has not begun."""
    return Context(Names("spark", "n", "d"), Catalog(WORLD, "spark"))


def filtered(source: str) -> Effects:
    """Return the effects of a query whose rows a column chose."""
    effects = Effects()
    effects.predicates[source] = FILTER
    return effects


def test_a_problem_is_reported_once_and_in_the_order_of_the_text() -> None:
    """The same code for another subject is another problem."""
    context = script()
    for subject in ("b", "a", "b"):
        context.report("unknown-column", "no source has it", subject)

    assert list(context.problems) == [
        Problem("unknown-column", "no source has it", "b"),
        Problem("unknown-column", "no source has it", "a"),
    ]


def test_only_stars_over_unknown_tables_leave_an_answer_open() -> None:
    """Each dataset is reported once, by name; a named column of such a table is certain."""
    context = script()
    stars = [base_column(dataset, "*") for dataset in ("n:d.q", "n:d.p", "n:d.q")]
    context.report_open([base_column("n:d.z", "k"), *stars, Column("v", ())])

    assert [(problem.code, problem.subject) for problem in context.problems] == [
        ("unknown-columns", "n:d.p"),
        ("unknown-columns", "n:d.q"),
    ]


def test_a_variable_has_one_value_whatever_the_case_of_its_name() -> None:
    """The last one that was set; of a name that nothing set there is none."""
    context = script()
    context.hold("Größe", base_column("n:d.t", "a"))
    context.hold("GRÖßE", base_column("n:d.t", "b"))

    assert sources(context.variable("größe")) == "t#b"
    assert context.variable("other") is None


def test_what_decided_about_a_variable_decides_about_the_rows_that_use_it() -> None:
    """Only where it is used; setting it again from elsewhere forgets what decided before."""
    context = script()
    context.hold("v", base_column("n:d.t", "a"), filtered("n:d.t#b"))
    using, looking = Scope(), Scope()
    using.effects.predicates["n:d.t#b"] = TRANSFORMATION
    context.variable("V", using)
    context.variable("v")

    assert using.effects.predicates == {"n:d.t#b": FILTER | TRANSFORMATION}
    assert looking.effects.predicates == {}
    context.hold("V", base_column("n:d.t", "c"))
    context.variable("v", looking)
    assert looking.effects.predicates == {}


def test_rows_that_are_no_table_have_their_own_names() -> None:
    """A loop's record is found in any case of letters, and is not a variable of one value."""
    context = script()
    context.row_variables["r"] = rows = base_relation("n:d.t", ("a",), {})

    assert context.rows_named("R") is rows
    assert context.rows_named("t") is None
    assert context.variable("r") is None


def test_a_dataset_has_the_columns_that_are_known_of_it() -> None:
    """One of unknown columns is open, and from then on the script's answer depends on them."""
    context = script()
    known = context.dataset("n:d.t")

    assert listed(known.columns) == [("a", "t#a"), ("b", "t#b"), ("c", "t#c")]
    assert known.rows == known.effects.reads == {"n:d.t"}
    assert context.catalog.is_open is False
    assert listed(context.dataset("n:d.far").columns) == [("*", "far#*")]
    assert context.catalog.is_open is True


def test_a_temporary_table_is_what_was_put_into_it() -> None:
    """Its rows are those of its sources; it is not a dataset of its own, and leaves nothing open."""
    context = script()
    content = Relation([base_column("n:d.t", "a").renamed("x")], filtered("n:d.t#b"), frozenset(["n:d.t"]))
    context.catalog.declare("n:d.k", TableState(("x",), content=content))
    relation = context.dataset("n:d.k")

    assert listed(relation.columns) == [("x", "t#a")]
    assert ways(relation.effects.predicates) == {"t#b": "FILTER"}
    assert relation.rows == {"n:d.t"}
    assert context.catalog.is_open is False


def test_an_empty_temporary_table_is_known_to_have_no_columns() -> None:
    """It is not asked of the store again."""
    context = script()
    context.catalog.declare("n:d.t", TableState((), content=Relation([])))

    assert context.dataset("n:d.t").columns == []
    assert context.catalog.lookups == {}


def test_all_columns_of_rows_that_are_counted_matter() -> None:
    """Whichever the text names; other datasets' do not."""
    context = script()
    context.count_all(Relation([], rows=frozenset(["n:d.t", "n:d.u"])))

    assert context.catalog.starred == {"n:d.t", "n:d.u"}
    assert context.base_column("n:d.w", "x").flow() == {"n:d.w#x": IDENTITY}


def test_the_rules_are_those_of_the_dialect_that_is_read() -> None:
    """Inside of a query that is handed to another database they are that one's, and the script's own after it."""
    context = script()
    own = context.names
    context.names = Names("postgres", "n", "d")
    inside = context.rules.name
    context.names = own

    assert (inside, context.rules.name) == ("postgres", "spark")
