"""BigQuery's table functions of models and of vectors: what their rows are made of.

``ML.PREDICT(MODEL d.m, (SELECT …))`` gives the rows of the query with more columns; forecasts, and figures of how good
a model is, have columns of their own alone. What a model has learnt is in none of its columns: it counts as a whole.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from sqlglot import exp

from ingest.sql.binder.names.ports import Binder
from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.relations.flow import JOIN, TRANSFORMATION, Column, Flow, Part, add, picked
from ingest.sql.binder.relations.relations import Relation

_OF_MODELS: Final = (
    *(exp.Predict, exp.GenerateEmbedding, exp.GenerateText, exp.GenerateTable, exp.GenerateBool, exp.GenerateInt),
    *(exp.GenerateDouble, exp.MLTranslate, exp.MLForecast),
)
Inputs = Callable[[list[exp.Expr]], Scope]


def modelled(walk: Binder, call: exp.Expr, inputs: Inputs) -> Relation | None:
    """Return the rows that a function of a model, AI.FORECAST or VECTOR_SEARCH makes; None for any other function.

    ``inputs`` gives a scope of the tables and queries that a function is given.
    """
    if isinstance(call, exp.AIForecast):
        listed = call.args.get("id_cols")
        kept = [name.name.lower() for name in listed.find_all(exp.Literal)] if listed is not None else []
        return _made(walk, "forecast", inputs([call.this]), kept)
    if isinstance(call, exp.VectorSearch):
        return _nearest(walk, call, inputs)
    if not isinstance(call, _OF_MODELS) or not isinstance(call.this, exp.Table):
        return None
    given = call.args.get("expression")
    name = "predict" if isinstance(call, exp.Predict) else "model"
    made = _made(
        walk, name, inputs([given] if given is not None else []), [] if isinstance(call, exp.MLForecast) else None
    )
    made.effects.reads.add(walk.names.dataset(call.this))
    return made


def _made(walk: Binder, name: str, inner: Scope, kept: list[str] | None) -> Relation:
    """Return the columns that are kept, None for all, and more that come from all that a function is given."""
    columns = walk.stars.expand(exp.Star(), inner)
    more = Column("*", (Part(_all_of(columns), f"{name}(?)"),))
    left = [column for column in columns if kept is None or column.name.lower() in kept]
    return Relation([*left, more], inner.effects, inner.rows())


def _nearest(walk: Binder, call: exp.Expr, inputs: Inputs) -> Relation:
    """VECTOR_SEARCH gives two rows that are near, ``query`` and ``base``, as structs, and their ``distance``."""
    searched, asked = inputs([call.this]), inputs([call.args["query_table"]])
    base, query = (walk.stars.expand(exp.Star(), scope) for scope in (searched, asked))
    column = call.args["column_to_search"]
    flow = _all_of([*_named(base, column), *_named(query, call.args.get("query_column_to_search") or column)])
    effects, rows = searched.effects, searched.rows() | asked.rows()
    effects.add(asked.effects)
    add(effects.predicates, flow, JOIN)
    structs = [_struct(name, columns) for name, columns in (("query", query), ("base", base))]
    return Relation([*structs, Column("distance", (Part(flow, "distance(?)"),))], effects, rows)


def _struct(name: str, columns: list[Column]) -> Column:
    return Column(name, (Part(_all_of(columns), name),), fields=lambda: columns)


def _named(columns: list[Column], name: exp.Expr) -> list[Column]:
    """Return the column that a text names; all of them where the text is none."""
    literal = name.find(exp.Literal)
    wanted = literal.name if literal is not None else ""
    known = next((column for column in columns if column.name.lower() == wanted.lower()), None)
    column = known or picked(columns, wanted) if wanted else None
    return [column] if column is not None else columns


def _all_of(columns: list[Column]) -> Flow:
    flow: Flow = {}
    for column in columns:
        add(flow, column.flow(), TRANSFORMATION)
    return flow
