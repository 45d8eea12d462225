"""Rules over lineage: each on a small graph that violates it and one that does not; allowances, what is new, SARIF."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from labelstories import DAYS, governed

from lineage_tt import Store
from lineage_tt.curation.statements import add_alias, annotate
from lineage_tt.governance.config import Config
from lineage_tt.governance.points.plain import plain_point
from lineage_tt.governance.rules.checks.shapes import circles
from lineage_tt.governance.rules.engine import NAMES, RULES, check
from lineage_tt.governance.rules.sarif import sarif
from lineage_tt.governance.upkeep.notes import of_rules
from lineage_tt.model.answers import Basis, EdgeAsOf, FactAsOf, TaskAsOf
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.testing import ManualClock, task_change

LAYERS = """
[rules]
hard_coded = ["file:*"]
views = ["db:v_*"]
max_view_chain = 2
max_fanin = 2
max_fanout = 2
ends = ["bi:*"]
[[rules.layer]]
name = "ods"
match = ["db:ods.*"]
[[rules.layer]]
name = "dw"
match = ["db:dw.*"]
naming = ["db:dw.dw_*"]
[[rules.layer]]
name = "ads"
match = ["db:ads.*"]
"""
Pair = tuple[str, str, str]


def violations(*edges: Pair, rules: str = LAYERS, facts: tuple[FactAsOf, ...] = ()) -> dict[str, list[Any]]:
    """What violates rules where tasks make tables of others: (task, source, target); by rule."""
    listed = [EdgeAsOf(task, f"{a}#c", f"{b}#c", "DIRECT", "IDENTITY", "", 1, 0, None) for task, a, b in edges]
    found: dict[str, list[Any]] = {}
    for each in check(plain_point(listed, facts), Config.parse(rules)).violations:
        found.setdefault(each.rule, []).append((each.subject, *each.others))
    return found


def fact(node: str, key: str, value: str) -> FactAsOf:
    """A fact; of columns it is a dataset's own."""
    return FactAsOf(node, key, value, "dataset", node.partition("#")[0], 1, 0, None)


@pytest.mark.parametrize(
    ("rule", "edges", "expected"),
    [
        ("layer_skip", [("t", "db:ods.a", "db:ads.b")], [("db:ads.b", "db:ods.a")]),
        ("layer_skip", [("t", "db:ods.a", "db:dw.dw_b"), ("u", "db:dw.dw_b", "db:ads.c")], None),
        ("layer_upward", [("t", "db:ads.a", "db:ods.b")], [("db:ods.b", "db:ads.a")]),
        ("layer_upward", [("t", "db:ods.a", "db:ods.b"), ("t", "x:other", "db:ods.b")], None),
        ("cycle", [("t", "db:a", "db:b"), ("u", "db:b", "db:c"), ("v", "db:c", "db:a")], [("db:a", "db:b", "db:c")]),
        ("cycle", [("t", "db:a", "db:a"), ("t", "db:a", "db:b")], None),
        ("two_writers", [("t", "db:a", "db:b"), ("u", "db:c", "db:b")], [("db:b", "t", "u")]),
        ("two_writers", [("t", "db:a", "db:b"), ("t", "db:c", "db:b")], None),
        ("direct_join_to_source", [("t", "db:s", "db:m"), ("u", "db:m", "db:x"), ("u", "db:s", "db:x")],
         [("db:x", "db:s")]),
        ("direct_join_to_source", [("t", "db:s", "db:m"), ("u", "db:m", "db:x")], None),
        ("duplicate_sources", [("t", "db:Orders", "db:x"), ("t", "db:orders", "db:x")], [("db:Orders", "db:orders")]),
        ("duplicate_sources", [("t", "db:orders", "db:x"), ("t", "other:orders", "db:x")], None),
        ("hard_coded_references", [("t", "file:/tmp/x.csv", "db:x")], [("file:/tmp/x.csv",)]),
        ("multiple_sources_joined", [("t", "db:s", "db:x"), ("t", "db:r", "db:x")], [("db:x", "db:r", "db:s")]),
        ("source_fanout", [("t", "db:s", "db:x"), ("u", "db:s", "db:y")], [("db:s", "db:x", "db:y")]),
        ("source_fanout", [("t", "db:s", "db:x"), ("u", "db:x", "db:y")], None),
        ("rejoining_of_upstream_concepts", [("t", "db:a", "db:b"), ("u", "db:b", "db:c"), ("u", "db:a", "db:c")],
         [("db:c", "db:a", "db:b")]),
        ("rejoining_of_upstream_concepts",
         [("t", "db:a", "db:b"), ("u", "db:b", "db:c"), ("u", "db:a", "db:c"), ("v", "db:b", "db:d")], None),
        ("chained_views_dependencies",
         [("t", "db:x", "db:v_1"), ("u", "db:v_1", "db:v_2"), ("v", "db:v_2", "db:v_3")], [("db:v_3",)]),
        ("chained_views_dependencies",
         [("t", "db:v_3", "db:v_1"), ("u", "db:v_1", "db:x"), ("v", "db:x", "db:v_3")], None),
        ("model_fanin", [("t", f"db:{a}", "db:x") for a in "abc"], [("db:x",)]),
        ("model_fanout", [("t", "db:x", f"db:{a}") for a in "abc"], [("db:x",)]),
        ("unused_models", [("t", "db:a", "db:b"), ("u", "db:a", "bi:board")], [("db:b",)]),
        ("model_naming_conventions", [("t", "db:a", "db:dw.orders"), ("t", "db:a", "db:dw.dw_x")], [("db:dw.orders",)]),
        ("undocumented_models", [("t", "db:a", "db:b")], [("db:b",)]),
        ("models_without_owner", [("t", "db:a", "db:b")], [("db:b",)]),
        ("undocumented_sources", [("t", "db:a", "db:b"), ("u", "db:b", "db:c")], [("db:a",)]),
        ("untested_models", [("t", "db:a", "db:b")], [("db:b",)]),
        ("staging_dependent_on_staging", [("t", "db:ods.a", "db:ods.b")], [("db:ods.b", "db:ods.a")]),
        ("staging_dependent_on_staging", [("t", "db:dw.dw_a", "db:dw.dw_b"), ("u", "db:raw", "db:ods.b")], None),
        ("exposure_parents_materializations", [("t", "db:a", "bi:b")], [("bi:b", "db:a")]),
        ("exposure_parents_materializations", [("t", "db:a", "db:v_1"), ("u", "db:v_1", "bi:b")], [("bi:b", "db:v_1")]),
        ("exposure_parents_materializations", [("t", "db:a", "db:x"), ("u", "db:x", "bi:b"), ("v", "bi:b", "db:y")],
         None),
    ],
)  # fmt: skip
def test_a_rule_finds_what_violates_it(rule: str, edges: list[Pair], expected: list[tuple[str, ...]] | None) -> None:
    """Subject and what else it concerns; nothing where the rule is kept."""
    assert violations(*edges).get(rule) == expected


def test_facts_speak_for_rules() -> None:
    """A description, an owner, a view, a declared dataset that nobody uses; owners are told."""
    facts = (
        fact("db:b", "description", "all orders"), fact("db:b", "owner", "ana"), fact("db:w", "kind", "VIEW"),
        fact("db:lost#c", "column", "{}"), fact("db:a#c", "column", "{}"), fact("db:a", "description", "from the till"),
        fact("db:b#c", "check:not_null", '{"status": "failed"}'),
    )  # fmt: skip
    found = violations(("t", "db:a", "db:b"), facts=facts)
    assert found["unused_sources"] == [("db:lost",)]
    assert "undocumented_models" not in found
    assert "models_without_owner" not in found
    assert "undocumented_sources" not in found
    assert "untested_models" not in found


def test_a_task_that_reads_nothing_known_is_a_root_model() -> None:
    """Its lineage is complete, and it has no edge; one whose lineage is not known says nothing."""

    def task(task_id: str, coverage: str, edges: int) -> TaskAsOf:
        return TaskAsOf(task_id, 1, "online", 0, 0, None, "e", None, coverage, edges, None, None, None, None, 1)

    tasks = [task("numbers", "complete", 0), task("load", "complete", 2), task("script", "opaque", 0)]
    found = check(plain_point([], tasks=tasks), Config()).violations
    assert [(each.rule, each.subject) for each in found] == [("root_models", "task:numbers")]


def test_aliases_are_no_tables_of_their_own_making(tmp_path: Path) -> None:
    """Two names of one table are no circle."""
    store = Store.create(tmp_path / "s", clock=ManualClock(DAYS[0]))
    store.append([task_change("t", "online", DAYS[0], [("db:a#x", "db:b#x")])])
    add_alias(store, "db:a", "lake:a", at=DAYS[0])
    assert {each.rule for each in governed(store).rules().violations} & {"cycle", "two_writers"} == set()


def test_an_allowance_that_covers_nothing_is_named() -> None:
    """Of another subject or rule; one that covers what was there at the earlier point, too, is none of them."""
    edges = [EdgeAsOf(t, "db:a#x", "db:b#x", "DIRECT", "IDENTITY", "", 1, 0, None) for t in ("t", "u")]
    allow = '[[rules.allow]]\nrule = "{}"\nsubject = "{}"\nreason = "moves"\nuntil = 2030-01-01\n'
    entries = [("two_writers", "db:b"), ("two_writers", "db:a"), ("cycle", "db:b")]
    rules = Config.parse("".join(allow.format(*each) for each in entries))
    for since in (None, plain_point(edges)):
        checked = check(plain_point(edges), rules, since)
        assert [(each.rule, each.subject) for each in checked.idle] == entries[1:]
        assert [line for line in of_rules(checked) if "the allowance of cycle for db:b covers no violation" in line]


def test_a_layer_without_tables_is_named() -> None:
    """Its patterns fit none, or an earlier layer takes them all; a layer with a table is not named."""
    edges = [EdgeAsOf("t", "db:ods.a#x", "db:dw.b#x", "DIRECT", "IDENTITY", "", 1, 0, None)]
    layer = '[[rules.layer]]\nname = "{}"\nmatch = ["{}"]\n'
    layers = [("ods", "db:ods.*"), ("typo", "bd:ods.*"), ("dw", "db:dw.*"), ("mart", "db:dw.b")]
    checked = check(plain_point(edges), Config.parse("".join(layer.format(*each) for each in layers)))
    assert checked.empty == ("typo", "mart")
    assert [line for line in of_rules(checked) if "no table here is in the layer mart" in line]
    assert check(plain_point(edges), Config()).empty == ()


def test_an_allowance_holds_until_its_last_day(tmp_path: Path) -> None:
    """Allowed with its reason; after its end it counts again, and says that it was allowed. Off is off."""
    store = Store.create(tmp_path / "s", clock=ManualClock(DAYS[6]))
    store.append([
        task_change("t", "online", DAYS[0], [("db:a#x", "db:c#x")]),
        task_change("u", "online", DAYS[2], [("db:b#x", "db:c#x")]),
    ])  # fmt: skip
    annotate(store, "db:c", "owner", ["ana"], at=DAYS[0])
    rules = """[rules]
off = ["unused_models", "undocumented_models", "undocumented_sources", "untested_models", "multiple_sources_joined"]
[rules.severity]
two_writers = "warning"
[[rules.allow]]
rule = "two_writers"
subject = "db:*"
reason = "moves"
until = 2026-04-30
"""
    governance = governed(store, rules)
    april, may = (governance.rules(governance.basis(day)) for day in (DAYS[3], DAYS[4]))

    assert [(e.rule, e.severity, e.owners, e.allowed) for e in april.violations] == [
        ("two_writers", "warning", ("ana",), "moves (until 2026-04-30)")
    ]
    assert (april.counting, april.at_least("info")) == ([], [])
    assert [(e.expired, e.allowed) for e in may.counting] == [("moves (ended 2026-04-30)", None)]
    assert (len(may.at_least("warning")), may.at_least("error")) == (1, [])
    assert [e.rule for e in governance.rules(governance.basis(DAYS[4]), governance.basis(DAYS[1])).violations] == [
        "two_writers"
    ]
    assert governance.rules(governance.basis(DAYS[4]), governance.basis(DAYS[3])).violations == ()


def test_sarif_has_all_that_a_viewer_needs() -> None:
    """Every rule, every result with its place among them, a fingerprint that stays, and the reason of an allowance."""
    allow = '[[rules.allow]]\nrule = "two_writers"\nsubject = "db:b"\nreason = "moves"\nuntil = 2030-01-01\n'
    edges = [EdgeAsOf(t, f"db:{t}#c", "db:b#c", "DIRECT", "IDENTITY", "", 1, 0, None) for t in ("t", "u")]
    found = check(plain_point(edges), Config.parse(allow)).violations
    (run,) = sarif(found, Basis(0, 1, 0), "1")["runs"]
    rules = run["tool"]["driver"]["rules"]

    assert [rule["id"] for rule in rules] == list(NAMES)
    assert all(rules[each["ruleIndex"]]["id"] == each["ruleId"] for each in run["results"])
    (allowed,) = [each for each in run["results"] if "suppressions" in each]
    assert (allowed["ruleId"], allowed["level"]) == ("two_writers", "error")
    assert allowed["partialFingerprints"] == {"lineage/v1": "two_writers|db:b|t|u"}
    assert len({rule.name for rule in RULES}) == len(RULES)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[rules]\noff = ["cycles"]', "no rule is called 'cycles'"),
        ("[rules]\nmax_fanin = 0", "max_fanin is 0"),
        ('[rules.severity]\ncycle = "bad"', "cycle is 'bad'"),
        ('[[rules.layer]]\nname = "x"', "a layer has a name and patterns"),
        ('[rules]\nlayer = ["x"]', "is no table"),
        ('[[rules.allow]]\nrule = "cycle"\nsubject = "x"\nuntil = 2026-01-01', "reason is missing"),
        ('[[rules.allow]]\nrule = "cycle"\nsubject = "x"\nreason = "y"\nuntil = "soon"', "until is a text"),
    ],
)
def test_rules_that_make_no_sense_are_errors(text: str, words: str) -> None:
    """Each says what is wrong."""
    with pytest.raises(InvalidRequestError, match=words):
        check(plain_point([]), Config.parse(text))


def test_circles_are_those_of_a_plain_search() -> None:
    """Random graphs: two nodes are in one circle where each is reached from the other; also in a long chain."""
    for seed in range(200):
        chance = random.Random(seed)
        nodes = range(9)
        children = {n: sorted({chance.choice(nodes) for _ in range(chance.randrange(3))} - {n}) for n in nodes}
        reach = {n: reached(children, n) for n in nodes}
        expected = {frozenset(m for m in nodes if m in reach[n] and n in reach[m]) for n in nodes if n in reach[n]}

        assert {frozenset(circle) for circle in circles(children)} == expected, seed
    assert len(circles({n: [(n + 1) % 50_000] for n in range(50_000)})[0]) == 50_000


def reached(children: dict[int, list[int]], start: int) -> set[int]:
    """All that one comes to from a node by one step or more."""
    found: set[int] = set()
    waiting = list(children[start])
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += children[node]
    return found
