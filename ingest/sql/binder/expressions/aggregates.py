"""Aggregates: which calls are aggregates, what they count, and what decides about their rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from sqlglot import exp

from ingest.sql.binder.expressions import called
from ingest.sql.binder.names.ports import Expressions
from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.relations.flow import AGGREGATION, CONDITIONAL, SORT, Flow, through
from ingest.sql.words import words

# Aggregates that sqlglot leaves as functions without a class of their own.
AGGREGATE_NAMES: Final = words(
    """percentile percentile_approx percentile_cont percentile_disc collect_list collect_set histogram_numeric
    corr covar_pop covar_samp regr_slope string_agg listagg group_concat any_value arg_max arg_min max_by min_by
    approx_count_distinct approx_distinct approx_percentile bit_and bit_or bit_xor bool_and bool_or every
    count_if countif sumif avgif
    mean std stddev stddev_pop stddev_samp variance var_pop var_samp try_sum try_avg
    map_agg multimap_agg map_union histogram checksum arbitrary reduce_agg geometric_mean numeric_histogram
    bitwise_and_agg bitwise_or_agg bitwise_xor_agg approx_most_frequent schema_of_variant_agg uniq uniqexact
    quantile mode median first last hll_count.init hll_count.merge hll_count.merge_partial
    approx_set merge entropy evaluate_classifier_predictions geometry_union_agg convex_hull_agg khyperloglog_agg
    learn_classifier learn_regressor learn_libsvm_classifier learn_libsvm_regressor make_set_digest merge_set_digest
    qdigest_agg tdigest_agg set_agg set_union spatial_partitioning
    some count_min_sketch hll_sketch_agg hll_union_agg theta_sketch_agg theta_union_agg theta_intersection_agg
    compute_stats ngrams context_ngrams
    arg_max_null arg_min_null arg_max_nulls_last arg_min_nulls_last bitstring_agg favg fsum kahan_sum sumkahan
    sum_no_overflow histogram_exact kurtosis_pop lttb mad product reservoir_quantile sem
    json_agg jsonb_agg jsonb_agg_strict json_agg_strict json_arrayagg json_object_agg jsonb_object_agg
    json_object_agg_strict json_object_agg_unique json_object_agg_unique_strict
    jsonb_object_agg_strict jsonb_object_agg_unique jsonb_object_agg_unique_strict
    jsonb_group_array jsonb_group_object range_agg range_intersect_agg xmlagg collect
    approx_count approx_count_distinct_agg approx_median approx_sum approx_percentile_cont bit_and_agg bit_or_agg
    bit_xor_agg boolean_and_agg boolean_or_agg kurtosis_samp skewness_pop skewness_samp hll_accumulate hll_combine
    bitmap_union bitmap_union_count bitmap_union_int bitmap_agg bitmap_intersect bitmap_and_agg bitmap_or_agg
    intersect_count hll_union hll_raw_agg hll_merge hll_cardinality_agg ndv retention window_funnel
    orthogonal_bitmap_intersect_count orthogonal_bitmap_union_count quantile_union percentile_union
    checksum_agg stdevp varp var stats_mode sys_xmlagg wm_concat st_union_agg st_centroid_agg st_extent"""
)


#: The code of the problem of an aggregate or window function in a clause that no engine takes it in.
MISPLACED: Final = "misplaced-aggregate"
#: Functions that only a window makes sense of.
_ONLY_OVER: Final = (
    exp.RowNumber, exp.Rank, exp.DenseRank, exp.PercentRank, exp.CumeDist, exp.Ntile, exp.Lag, exp.Lead, exp.NthValue
)  # fmt: skip


def children(node: exp.Expr) -> list[Any]:
    """Return the expressions directly below a node."""
    result = []
    for value in node.args.values():
        if isinstance(value, exp.Expr):
            result.append(value)
        elif isinstance(value, list):
            result += [item for item in value if isinstance(item, exp.Expr)]
    return result


def called_as(function: exp.Expr) -> str:
    """Return a function's name in lower case."""
    if isinstance(function, exp.Func) and not isinstance(function, exp.Anonymous):
        return str(function.sql_name()).lower()
    return str(function.name or function.key).lower()


def names_aggregate(function: str) -> bool:
    """Whether a function of this name is an aggregate, with its own class or without."""
    known = exp.FUNCTION_BY_NAME.get(function.upper())
    return function.lower() in AGGREGATE_NAMES or (known is not None and issubclass(known, exp.AggFunc))


def is_aggregate(node: exp.Expr) -> bool:
    """Whether a node is an aggregate's call."""
    if isinstance(node, exp.Anonymous):
        return node.name.lower() in AGGREGATE_NAMES
    return isinstance(node, exp.AggFunc | exp.WithinGroup | exp.AnonymousAggFunc | exp.CombinedAggFunc)


def aggregate(values: Expressions, node: exp.Expr, scope: Scope, by: int, out: Flow) -> None:
    """Add the sources of an aggregate."""
    if called.built_in(values, node, scope, by, out):
        return
    _check(values, node, scope)
    _inside(values, node, scope, by, out)


def _inside(values: Expressions, node: exp.Expr, scope: Scope, by: int, out: Flow) -> None:
    """Add what an aggregate is made of: a name in it is a column's, also where it is an item's around it."""
    items, scope.as_items = scope.as_items, frozenset()
    values.below(node, scope, through(AGGREGATION, by), out)
    scope.as_items = items


def parts_of(node: exp.Expr) -> Iterator[exp.Expr]:
    """Return the nodes of an expression, outside of subqueries and of what windows hold."""
    parts: Iterator[exp.Expr] = node.walk(prune=lambda each: isinstance(each, exp.Query | exp.Window))
    return parts


def _check(values: Expressions, node: exp.Expr, scope: Scope) -> None:
    """Report an aggregate that no engine takes where it is, or that holds what no engine takes in it."""
    _check_inside(values, node)
    if scope.parent is not None:
        _check_outer(values, node, scope)


def _check_inside(values: Expressions, node: exp.Expr) -> None:
    """Report an aggregate that holds another one or a window function, and a window function without a window."""
    around = node.parent
    while isinstance(around, exp.IgnoreNulls | exp.RespectNulls | exp.Filter):
        around = around.parent
    is_over = isinstance(around, exp.Window)
    is_called = is_over or isinstance(around, exp.WithinGroup) or bool(node.expressions)  # rank(1) of older engines
    if isinstance(node, _ONLY_OVER) and not is_called and node.find_ancestor(exp.MatchRecognize) is None:
        values.walk.report(MISPLACED, f"{called_as(node)} has no OVER")
    if not isinstance(node, exp.AggFunc) or not any(child.find(exp.AggFunc, exp.Window) for child in children(node)):
        return
    may_nest = is_over or values.walk.rules.grouping.nested
    for child in children(node):
        for inner in parts_of(child):
            if isinstance(inner, exp.Window) or (isinstance(inner, exp.AggFunc) and not may_nest):
                kind = "a window function" if isinstance(inner, exp.Window) else f"an aggregate ({called_as(inner)})"
                values.walk.report(MISPLACED, f"{called_as(node)} cannot hold {kind}")
                return


def _check_outer(values: Expressions, node: exp.Expr, scope: Scope) -> None:
    """Report an aggregate of an outer query's columns, in a subquery of a clause that comes before its groups."""
    forbidding = [level for level in scope.chain() if level.before_groups and level is not scope]
    columns = list(node.find_all(exp.Column)) if forbidding else []
    owners = [_owner(column, scope) for column in columns]
    innermost = next((level for level in scope.chain() if level in owners), None)
    if innermost in forbidding and None not in owners:
        values.walk.report(
            MISPLACED, f"an aggregate of a query around ({called_as(node)}) is in its WHERE, ON or GROUP BY"
        )


def _owner(column: exp.Column, scope: Scope) -> Scope | None:
    """Return the SELECT whose column it is; None where that is not known."""
    for level in scope.chain():
        if level.homes(column):
            return level
        if not column.table and any(source.relation.is_open for source in level.sources):
            return None
    return None


def count(values: Expressions, node: exp.Expr, scope: Scope, by: int, out: Flow) -> None:
    """``count(*)`` and ``count(1)`` count the rows of the datasets, not the values of any column."""
    counted = node.this
    while isinstance(counted, exp.Cast | exp.Paren | exp.Neg):
        counted = counted.this
    if (
        counted is None
        or isinstance(counted, exp.Literal | exp.Boolean)
        or (isinstance(counted, exp.Star) and not counted.args.get("except_"))
    ):
        count_rows(scope, by, out)
        return
    _check(values, node, scope)
    _inside(values, node, scope, by, out)


def count_rows(scope: Scope, by: int, out: Flow) -> None:
    """Add the datasets whose rows a query counts, and the arrays of a row around it whose elements it counts."""
    kinds = through(AGGREGATION, by)
    for node in (*scope.rows(), *scope.elements()):
        out[node] = out.get(node, 0) | kinds


def filtered(values: Expressions, node: exp.Expr, scope: Scope, by: int, out: Flow) -> None:
    """``sum(a) FILTER (WHERE b > 1)``: the condition decides which rows count."""
    items, scope.as_items = scope.as_items, frozenset()
    values.collect(node.this, scope, by, out)
    values.collect(node.expression, scope, through(CONDITIONAL, by), out)
    scope.as_items = items


def ordered(values: Expressions, node: exp.Expr, scope: Scope, by: int, out: Flow) -> None:
    """What an aggregate orders its rows by decides; a percentile has no other argument: there it is the value."""
    # Doris and BigQuery write the order after the separator: GROUP_CONCAT(a, ',' ORDER BY b)
    beside = node.parent.iter_expressions() if isinstance(node.parent, exp.Func | exp.WithinGroup) else ()
    arguments = [node.this, *(each for each in beside if each is not node)]
    # a lambda may be a document's field, ``e -> 'x'``
    decides = any(each is not None and each.find(exp.Column, exp.Lambda) is not None for each in arguments)
    values.collect(node.this, scope, by, out)
    for key in node.expressions:
        values.collect(key, scope, through(SORT, by) if decides else by, out)
