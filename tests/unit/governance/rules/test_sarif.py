"""Violations as SARIF: what code hosts and editors need of them."""

from __future__ import annotations

from ruled import edges_of

from lineage_tt.governance.config import Config
from lineage_tt.governance.points.plain import plain_point
from lineage_tt.governance.rules.engine import NAMES, check
from lineage_tt.governance.rules.sarif import sarif
from lineage_tt.governance.rules.violation import Violation
from lineage_tt.model.answers import Basis


def test_sarif_has_all_that_a_viewer_needs() -> None:
    """Every rule, every result with its place among them, a fingerprint that stays, and the reason of an allowance."""
    allow = '[[rules.allow]]\nrule = "two_writers"\nsubject = "db:b"\nreason = "moves"\nuntil = 2030-01-01\n'
    edges = edges_of([("t", "db:t", "db:b"), ("u", "db:u", "db:b")])
    found = check(plain_point(edges), Config.parse(allow)).violations
    (run,) = sarif(found, Basis(0, 1, 0), "1")["runs"]
    rules = run["tool"]["driver"]["rules"]

    assert [rule["id"] for rule in rules] == list(NAMES)
    assert len(run["results"]) == len(found)
    assert all(rules[each["ruleIndex"]]["id"] == each["ruleId"] for each in run["results"])
    (allowed,) = [each for each in run["results"] if "suppressions" in each]
    assert (allowed["ruleId"], allowed["level"]) == ("two_writers", "error")
    assert allowed["partialFingerprints"] == {"lineage/v1": "two_writers|db:b|t|u"}
    assert len(set(NAMES)) == len(NAMES)


def test_a_result_says_subject_detail_and_others_in_one_sentence() -> None:
    """An information is a note there; owners and tasks are lists; without others there are no brackets."""
    full = Violation("cycle", "info", "db:ü", ("db:b", "db:c"), "in a circle", ("t",), ("ana", "bob"))
    bare = full._replace(others=(), severity="warning")
    first, second = sarif([full, bare], Basis(0, 1, 0), "1")["runs"][0]["results"]

    assert (first["level"], first["message"]["text"]) == ("note", "db:ü: in a circle (db:b, db:c)")
    assert first["properties"] == {"tasks": ["t"], "owners": ["ana", "bob"]}
    assert first["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == "db:ü"
    assert (second["level"], second["message"]["text"]) == ("warning", "db:ü: in a circle")
    assert "suppressions" not in first


def test_without_violations_there_is_a_run_without_results() -> None:
    """It names the point and the tool's version."""
    log = sarif([], Basis(0, 3, 1_000_000), "2.5")
    (run,) = log["runs"]

    assert (log["version"], run["results"]) == ("2.1.0", [])
    assert run["tool"]["driver"]["version"] == "2.5"
    assert run["properties"]["basis"]["version"] == 3
