"""All rules at a point: what is violated, whose tables are concerned, and what is allowed for a time."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any, Final, NamedTuple

from lineage_tt.governance.ports import PointGraph
from lineage_tt.governance.rules.checks import degrees, layers, lifecycle, shapes
from lineage_tt.governance.rules.checks.lifecycle import LIFE_CYCLE, RETENTION
from lineage_tt.governance.rules.config_tables import ConfigTables
from lineage_tt.governance.rules.settings import Allowed, Settings
from lineage_tt.governance.rules.tables import Tables
from lineage_tt.governance.rules.violation import SEVERITIES, Breach, Rule, Violation
from lineage_tt.model.answers import FactAsOf
from lineage_tt.storage.processes import no_collections

EVALUATOR, BOUNCER = "dbt-project-evaluator", "dbt-bouncer"
RULES: Final = (
    Rule("layer_skip", "error", "a table reads past the layer below its own",
         f"{BOUNCER}: check_lineage_permitted_upstream_models", layers.layer_skip),
    Rule("layer_upward", "error", "a table reads from a layer above its own",
         f"{EVALUATOR}: fct_staging_dependent_on_marts_or_intermediate", layers.layer_upward),
    Rule("staging_dependent_on_staging", "warning", "a table of the lowest layer reads another one of it",
         f"{EVALUATOR}: fct_staging_dependent_on_staging", layers.staging_dependent_on_staging),
    Rule("cycle", "error", "tables depend on each other in a cycle", "", shapes.cycle),
    Rule("two_writers", "error", "several tasks write one table", "", degrees.two_writers),
    Rule("direct_join_to_source", "warning", "a task reads a source directly, not its staging table",
         f"{EVALUATOR}: fct_direct_join_to_source", degrees.direct_join_to_source),
    Rule("duplicate_sources", "warning", "names of several sources differ only in case",
         f"{EVALUATOR}: fct_duplicate_sources", degrees.duplicate_sources),
    Rule("hard_coded_references", "warning", "a dataset is read by a name that tasks should not use",
         f"{EVALUATOR}: fct_hard_coded_references", layers.hard_coded_references),
    Rule("multiple_sources_joined", "warning", "a table is built directly from several sources",
         f"{EVALUATOR}: fct_multiple_sources_joined; {BOUNCER}: check_model_depends_on_multiple_sources",
         degrees.multiple_sources_joined),
    Rule("source_fanout", "warning", "several tables read one source directly",
         f"{EVALUATOR}: fct_source_fanout; {BOUNCER}: check_source_used_by_only_one_model", degrees.source_fanout),
    Rule("rejoining_of_upstream_concepts", "warning", "paths from one table split and rejoin needlessly",
         f"{EVALUATOR}: fct_rejoining_of_upstream_concepts", shapes.rejoining_of_upstream_concepts),
    Rule("root_models", "warning", "a task writes a table and reads nothing",
         f"{EVALUATOR}: fct_root_models", degrees.root_models),
    Rule("chained_views_dependencies", "warning", "a chain of views is too long",
         f"{EVALUATOR}: fct_chained_views_dependencies; {BOUNCER}: check_model_max_chained_views",
         shapes.chained_views_dependencies),
    Rule("model_fanout", "warning", "too many tables are built from one table",
         f"{EVALUATOR}: fct_model_fanout; {BOUNCER}: check_model_max_fanout", degrees.model_fanout),
    Rule("model_fanin", "warning", "a table is built from too many tables",
         f"{EVALUATOR}: fct_too_many_joins; {BOUNCER}: check_model_max_upstream_dependencies", degrees.model_fanin),
    Rule("exposure_parents_materializations", "warning", "an end reads a source or a view directly",
         f"{EVALUATOR}: fct_exposure_parents_materializations; {BOUNCER}: check_exposure_based_on_view",
         degrees.exposure_parents_materializations),
    Rule("unused_models", "info", "nobody reads a table that a task writes", "", degrees.unused_models),
    Rule("unused_sources", "info", "a declared dataset that nobody reads or writes",
         f"{EVALUATOR}: fct_unused_sources; {BOUNCER}: check_source_not_orphaned", degrees.unused_sources),
    Rule("shorter_retention", "warning", "a table is kept longer than a table it is built from", "",
         lifecycle.shorter_retention),
    Rule("retired_sources", "warning", "a table in use is built from a deprecated or retired one", "",
         lifecycle.retired_sources),
    Rule("model_naming_conventions", "warning", "a table's name does not follow the pattern of its layer",
         f"{EVALUATOR}: fct_model_naming_conventions; {BOUNCER}: check_model_names, check_source_names",
         layers.model_naming_conventions),
    Rule("undocumented_models", "info", "a table that a task writes has no description",
         f"{EVALUATOR}: fct_undocumented_models; {BOUNCER}: check_model_description_populated",
         layers.undocumented_models),
    Rule("undocumented_sources", "info", "a source has no description",
         f"{EVALUATOR}: fct_undocumented_sources; {BOUNCER}: check_source_description_populated",
         layers.undocumented_sources),
    Rule("untested_models", "info", "no check ever reported on a table that a task writes, or on a column of it",
         f"{EVALUATOR}: fct_test_coverage; {BOUNCER}: check_model_test_coverage", layers.untested_models),
    Rule("models_without_owner", "info", "a table that a task writes has no owner", "",
         layers.models_without_owner),
)  # fmt: skip
NAMES: Final = tuple(rule.name for rule in RULES)
#: Rules that find nothing if no layers are set.
OF_LAYERS: Final = ("layer_skip", "layer_upward", "staging_dependent_on_staging", "model_naming_conventions")


class Checked(NamedTuple):
    """The violations at a point, the worst first."""

    violations: tuple[Violation, ...]
    #: rules that could not find anything, because the settings have no layers
    unset: tuple[str, ...] = ()
    #: allowances that cover no violation at the point
    idle: tuple[Allowed, ...] = ()
    #: layers of the settings that contain no table, so that no rule can find anything in them
    empty: tuple[str, ...] = ()
    #: the facts that rules read at the point, some of which may be unreadable
    stated: tuple[FactAsOf, ...] = ()

    @property
    def counting(self) -> list[Violation]:
        """The violations that no allowance covers."""
        return [each for each in self.violations if each.allowed is None]

    def at_least(self, severity: str) -> list[Violation]:
        """Return the violations that count and have at least this severity."""
        worst = SEVERITIES[: SEVERITIES.index(severity) + 1]
        return [each for each in self.counting if each.severity in worst]

    def to_json(self) -> list[dict[str, Any]]:
        """Return them as objects."""
        return [each.to_json() for each in self.violations]


def settings_of(config: ConfigTables) -> Settings:
    """Return the rules' settings in a configuration. Raises InvalidRequestError for invalid settings."""
    return Settings.of(config, NAMES, SEVERITIES)


def check(
    point: PointGraph | Tables, config: ConfigTables, since: PointGraph | Tables | None = None
) -> Checked:  # fmt: skip
    """Return what violates the rules at a point, or among its tables; with ``since`` only what did not do so then."""
    settings = settings_of(config)
    with no_collections():
        tables = point if isinstance(point, Tables) else Tables(point)
        violations = _violations(tables, settings)
        idle = tuple(a for a in settings.allow if not any(a.covers(each.rule, each.subject) for each in violations))
        if since is not None:
            before = {each.key for each in _violations(since if isinstance(since, Tables) else Tables(since), settings)}
            violations = [each for each in violations if each.key not in before]
        empty = _empty(tables, settings)
        listed = [
            each for severity in SEVERITIES for each in sorted(one for one in violations if one.severity == severity)
        ]
    unset = () if settings.layers else tuple(name for name in OF_LAYERS if name not in settings.off)
    stated = tuple(fact for key in (LIFE_CYCLE, RETENTION) for fact in tables.point.facts(key))
    return Checked(tuple(listed), unset, idle, empty, stated)


def _empty(tables: Tables, settings: Settings) -> tuple[str, ...]:
    """Return the layers without tables: their patterns match none, or earlier layers match all of theirs."""
    missing = set(range(len(settings.layers)))
    for name in tables.name.values():
        if not missing:
            break
        missing.discard(settings.layer_of(name))
    return tuple(settings.layers[place].name for place in sorted(missing))


def _violations(tables: Tables, settings: Settings) -> list[Violation]:
    severities = dict(settings.severity)
    today = datetime.fromtimestamp(tables.point.basis.valid_at // 1_000_000, UTC).date()
    return [
        _judged(rule, severities.get(rule.name, rule.severity), breach, tables, settings, today)
        for rule in RULES
        if rule.name not in settings.off
        for breach in rule.check(tables, settings)
    ]


def _judged(
    rule: Rule, severity: str, breach: Breach, tables: Tables, settings: Settings, today: date
) -> Violation:  # fmt: skip
    owners = tables.owners.get(breach.subject, ())
    violation = Violation(rule.name, severity, breach.subject, breach.others, breach.detail, breach.tasks, owners)
    for each in settings.allow:
        if each.covers(rule.name, breach.subject):
            if today <= each.until:
                return violation._replace(allowed=f"{each.reason} (until {each.until.isoformat()})")
            violation = violation._replace(expired=f"{each.reason} (ended {each.until.isoformat()})")
    return violation
