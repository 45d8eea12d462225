"""All rules at a point: order, severities, allowances, what is new, and what of the settings has no effect."""

from __future__ import annotations

from datetime import date

import pytest
from ruled import Pair, edges_of, tables_of

from lineage_tt.governance.config import Config
from lineage_tt.governance.points.plain import plain_point
from lineage_tt.governance.rules.engine import NAMES, OF_LAYERS, check
from lineage_tt.model.answers import Basis
from lineage_tt.model.times import parse_instant

TWO: list[Pair] = [("t", "db:a", "db:b"), ("u", "db:a", "db:b")]
ALLOW = '[[rules.allow]]\nrule = "{}"\nsubject = "{}"\nreason = "{}"\nuntil = {}\n'


def only(*names: str) -> str:
    """Settings that turn all rules off but these."""
    return f"[rules]\noff = {[name for name in NAMES if name not in names]}\n"


def test_the_worst_comes_first_and_within_a_severity_the_rules_in_order_of_names() -> None:
    """A severity of the settings counts, not the rule's own."""
    text = only("unused_models", "two_writers", "cycle", "models_without_owner")
    edges = edges_of([*TWO, ("t", "db:c", "db:d"), ("t", "db:d", "db:c")])

    def order(severity: str) -> list[tuple[str, str, str]]:
        config = Config.parse(text + severity)
        return [(each.severity, each.rule, each.subject) for each in check(plain_point(edges), config).violations]

    assert order("")[:2] == [("error", "cycle", "db:c"), ("error", "two_writers", "db:b")]
    assert [each[1:] for each in order("")[2:]] == [
        ("models_without_owner", "db:b"), ("models_without_owner", "db:c"), ("models_without_owner", "db:d"),
        ("unused_models", "db:b"),
    ]  # fmt: skip
    moved = order('[rules.severity]\nunused_models = "error"\ncycle = "info"\n')
    assert moved[:2] == [("error", "two_writers", "db:b"), ("error", "unused_models", "db:b")]
    assert moved[2] == ("info", "cycle", "db:c")


@pytest.mark.parametrize(
    ("at", "allowed", "expired"),
    [
        ("2026-04-30T23:59:59.999999Z", "moves (until 2026-04-30)", None),
        ("2026-05-01T00:00:00Z", None, "moves (ended 2026-04-30)"),
    ],
)
def test_an_allowance_ends_with_the_utc_day_of_the_point(at: str, allowed: str | None, expired: str | None) -> None:
    """Its last microsecond is allowed, the next one counts and says that it was."""
    config = Config.parse(only("two_writers") + ALLOW.format("two_writers", "db:*", "moves", "2026-04-30"))
    found = check(plain_point(edges_of(TWO), basis=Basis(parse_instant(at), 1, 0)), config)

    assert [(each.allowed, each.expired) for each in found.violations] == [(allowed, expired)]
    assert len(found.counting) == len(found.at_least("error")) == (allowed is None)


def test_an_allowance_in_force_counts_beside_one_that_ended() -> None:
    """Whichever of them is written first."""
    parts = [
        ALLOW.format("two_writers", "db:b", reason, until)
        for reason, until in (("old", "1969-01-01"), ("new", "1970-01-01"))
    ]
    for each in (parts, parts[::-1]):
        (found,) = check(plain_point(edges_of(TWO)), Config.parse(only("two_writers") + "".join(each))).violations
        assert found.allowed == "new (until 1970-01-01)"


def test_at_least_a_severity_takes_that_and_worse() -> None:
    """Of an error, a warning and an info."""
    text = only("two_writers", "source_fanout", "unused_models")
    found = check(plain_point(edges_of([*TWO, ("t", "db:a", "db:c")])), Config.parse(text))

    assert [len(found.at_least(severity)) for severity in ("error", "warning", "info")] == [1, 2, 4]


def test_with_an_earlier_point_only_what_is_new_there_is_a_violation() -> None:
    """The same rule, subject and others at both is none, though the detail differs; tables may be given for a point."""
    config = Config.parse(only("model_fanin", "two_writers").replace("[rules]", "[rules]\nmax_fanin = 1"))
    before = tables_of(("t", "db:a", "db:x"), ("t", "db:b", "db:x"))
    after = tables_of(("t", "db:a", "db:x"), ("t", "db:b", "db:x"), ("u", "db:c", "db:x"))

    assert [(each.rule, each.subject) for each in check(after, config, before).violations] == [("two_writers", "db:x")]
    assert check(after, config, after).violations == ()


def test_an_allowance_that_covers_nothing_is_named() -> None:
    """Of another subject or rule; one that covers what was there at the earlier point, too, is none of them."""
    entries = [("two_writers", "db:b"), ("two_writers", "db:a"), ("cycle", "db:b")]
    config = Config.parse("".join(ALLOW.format(*each, "moves", "2030-01-01") for each in entries))
    point = plain_point(edges_of(TWO))

    for since in (None, point):
        assert [(each.rule, each.subject) for each in check(point, config, since).idle] == entries[1:]
    assert check(point, config).idle[0].until == date(2030, 1, 1)


def test_a_layer_without_tables_is_named() -> None:
    """Its patterns fit none, or an earlier layer takes them all; a layer with a table is not named."""
    layer = '[[rules.layer]]\nname = "{}"\nmatch = ["{}"]\n'
    layers = [("ods", "db:ods.*"), ("typo", "bd:ods.*"), ("dw", "db:dw.*"), ("mart", "db:dw.b")]
    point = plain_point(edges_of([("t", "db:ods.a", "db:dw.b")]))
    checked = check(point, Config.parse("".join(layer.format(*each) for each in layers)))

    assert checked.empty == ("typo", "mart")
    assert check(point, Config()).empty == ()


def test_rules_of_layers_are_unset_without_layers_unless_they_are_off() -> None:
    """Nobody has to be reminded of what they turned off."""
    point = plain_point([])

    assert check(point, Config()).unset == OF_LAYERS
    assert check(point, Config.parse('[rules]\noff = ["layer_skip"]')).unset == OF_LAYERS[1:]
    assert check(point, Config.parse('[[rules.layer]]\nname = "x"\nmatch = ["x"]')).unset == ()
