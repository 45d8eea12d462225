"""functions.toml: what is right in it, what is refused, and what it does to lineage."""

from __future__ import annotations

import pickle

import pytest

from ingest.sql import extract
from ingest.sql.dialects import function_registry
from ingest.sql.dialects.function_registry import load, registry_of
from ingest.sql.jobs import ExtractionJob
from ingest.workers.cache import ExtractionCache
from lineage_tt.model.errors import InvalidRequestError

GOOD = """
[[function]]
name = "udf.mask"
masks = true

[[function]]
name = "pick"
values = [1]
decides = [2]

[[function]]
name = "pick"
dialect = "postgresql"
decides = [1]

[[function]]
name = "md5"
masks = true

[[function]]
name = "total"
aggregate = true

[[function]]
name = "laid_out"
columns = { id = [1], amount = [1, 2] }
"""


@pytest.fixture
def functions(tmp_path):
    """Return the registered functions of the file above."""
    path = tmp_path / "functions.toml"
    path.write_text(GOOD, encoding="utf-8")
    return load(path)


@pytest.mark.parametrize(
    ("dialect", "query", "expected"),
    [
        ("spark", "SELECT udf.mask(a) AS x FROM t", {"a x CONDITIONAL"}),
        ("spark", "SELECT mask(a) AS x FROM t", {"a x CONDITIONAL"}),
        ("spark", "SELECT other.mask(a) AS x FROM t", {"a x TRANSFORMATION"}),
        ("spark", "SELECT concat(mask(a), a) AS x FROM t", {"a x CONDITIONAL", "a x TRANSFORMATION"}),
        ("spark", "SELECT pick(a, b, c) AS x FROM t", {"a x TRANSFORMATION", "b x CONDITIONAL"}),
        ("postgres", "SELECT pick(a, b) AS x FROM t", {"a x CONDITIONAL", "b x TRANSFORMATION"}),
        ("trino", "SELECT md5(a) AS x FROM t", {"a x CONDITIONAL"}),
        ("spark", "SELECT total(a) AS x FROM t", {"a x AGGREGATION"}),
        ("spark", "SELECT id, amount FROM t LATERAL VIEW laid_out(a, b) q AS id, amount",
         {"a id TRANSFORMATION", "a amount TRANSFORMATION", "b amount TRANSFORMATION"}),
        ("postgres", "SELECT q.amount AS x FROM t, laid_out(a, b) q", {"a x TRANSFORMATION", "b x TRANSFORMATION"}),
        ("snowflake", "SELECT q.amount AS x FROM t, TABLE(laid_out(a, 1)) q", {"A X TRANSFORMATION"}),
    ],
)  # fmt: skip
def test_arguments_give_or_decide(functions, dialect, query, expected):
    """As the file says, of the dialect's own entry first; names with a schema fit calls without one."""
    names = ("a", "b", "c")
    world = {"n:t": names, "n:T": tuple(name.upper() for name in names)}
    found = extract(query, dialect=dialect, namespace="n", target="n:o", columns=world, functions=functions)

    assert expected == {
        f"{edge.source.partition('#')[2]} {edge.target.partition('#')[2]} {edge.subtype}" for edge in found.edges
    }
    assert found.coverage == "complete"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[function]]\nvalues = [1]", "has no valid name"),
        ('[[function]]\nname = "a b"', "has no valid name"),
        ('[[function]]\nname = "f"\nvalue = [1]', "there is no field 'value'"),
        ('[[function]]\nname = "f"\nvalues = [0]', "places from 1"),
        ('[[function]]\nname = "f"\nvalues = [1, 1]', "names a place twice"),
        ('[[function]]\nname = "f"\nvalues = [true]', "places from 1"),
        ('[[function]]\nname = "f"\nvalues = [1]\ndecides = [1]', "argument 1 is in values and in decides"),
        ('[[function]]\nname = "f"\nmasks = "yes"', "masks is neither true nor false"),
        ('[[function]]\nname = "f"\ndialect = "sprak"', "there is no dialect 'sprak'"),
        ('[[function]]\nname = "f"\ncolumns = ["a", "A"]', "a name twice"),
        ('[[function]]\nname = "f"\ncolumns = 3', "columns is not a list of names"),
        ('[[function]]\nname = "f"\n[[function]]\nname = "F"', "is listed twice"),
        ('[[function]]\nname = "CAST"\nmasks = true', "no call of a function"),
        ('[[function]]\nname = "f"\naggregate = true\nmasks = true', "aggregate has no effect with masks"),
        ('[[function]]\nname = "f"\naggregate = true\ncolumns = ["a"]', "aggregate has no effect with columns"),
        ('[[function]]\nname = "f"\nvalues = [1]\ncolumns = { a = [1] }', "values has no effect where columns gives"),
        ('[[functions]]\nname = "f"', "there is no such table"),
        ("function = 3", "not a list of tables"),
        ("[[function", "is not TOML"),
    ],
)
def test_a_mistake_is_refused_with_its_place(tmp_path, text, words):
    """Nothing in the file is passed over; the words say which function it is."""
    path = tmp_path / "functions.toml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(InvalidRequestError, match=r"functions\.toml") as told:
        load(path)
    assert words in str(told.value)


@pytest.mark.parametrize(
    ("query", "words"),
    [("SELECT udf.mask_phone(a, b) AS x FROM t", "the value of udf.mask_phone from argument 7, but a call has 2"),
     ("SELECT upper(a) AS x FROM t", "the value of upper from argument 2, but a call has 1"),
     ("SELECT q.id AS x FROM t LATERAL VIEW laid_out(a) q AS id", "from argument 3 for id, but a call has 1"),
     ("SELECT some(a) AS x FROM t", None), ("SELECT upper() AS x FROM t", None)],
)  # fmt: skip
def test_a_call_without_the_arguments_that_give_its_value_is_a_problem(tmp_path, query, words):
    """Its edges were lost, and the answer was called complete; optional arguments may be left out."""
    (tmp_path / "functions.toml").write_text(
        '[[function]]\nname = "udf.mask_phone"\nvalues = [7]\n[[function]]\nname = "upper"\nvalues = [2]\n'
        '[[function]]\nname = "laid_out"\ncolumns = { id = [3] }\n[[function]]\nname = "some"\nvalues = [1, 2]\n'
    )
    registered = load(tmp_path / "functions.toml")
    columns = {"n:t": ("a", "b")}
    found = extract(query, dialect="spark", namespace="n", target="n:o", columns=columns, functions=registered)

    if words is None:
        assert not [problem for problem in found.problems if problem.code == "opaque-call"]
    else:
        assert (found.coverage, [problem.code for problem in found.problems]) == ("partial", ["opaque-call"])
        assert words in found.problems[0].detail


def test_functions_are_part_of_a_job_and_of_its_key(functions):
    """They cross process borders with the text, and an answer with others is not taken for this one's."""
    job = ExtractionJob("SELECT mask(a) FROM t", "spark", "n", functions=functions)
    cache = ExtractionCache()

    assert job == pickle.loads(pickle.dumps(job))
    assert cache.key(job) != cache.key(ExtractionJob(job.sql, job.dialect, job.namespace))


def test_the_parsers_name_changes_with_the_functions(functions):
    """So re-extract finds what another file was parsed with; without functions nothing is stated about them."""
    assert function_registry.fingerprint("") == ""
    assert function_registry.fingerprint(functions).startswith(", functions ")
    assert function_registry.fingerprint(functions) != function_registry.fingerprint(functions + " ")
    assert registry_of("").find("f", "spark") is None
