"""Which calls are aggregates, and what stands below a node."""

from __future__ import annotations

from typing import Any, Final

from sqlglot import exp

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
    quantile mode median first last hll_count.init hll_count.merge hll_count.merge_partial"""
)


def children(node: Any) -> list[Any]:
    """Return the expressions directly below a node."""
    found = []
    for value in node.args.values():
        if isinstance(value, exp.Expr):
            found.append(value)
        elif isinstance(value, list):
            found += [item for item in value if isinstance(item, exp.Expr)]
    return found


def names_aggregate(function: str) -> bool:
    """Whether a function of this name is an aggregate, with a class of its own or without."""
    known = exp.FUNCTION_BY_NAME.get(function.upper())
    return function.lower() in AGGREGATE_NAMES or (known is not None and issubclass(known, exp.AggFunc))


def is_aggregate(node: Any) -> bool:
    """Whether a node is an aggregate's call."""
    if isinstance(node, exp.Anonymous):
        return node.name.lower() in AGGREGATE_NAMES
    return isinstance(node, exp.AggFunc | exp.WithinGroup | exp.AnonymousAggFunc | exp.CombinedAggFunc)
