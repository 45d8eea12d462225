"""A violation: when it is the same at two points, and as an object."""

from __future__ import annotations

from lineage_tt.governance.rules.violation import Violation

FOUND = Violation("cycle", "error", "db:a", ("db:b",), "in a circle", ("t", "u"), ("ana",))


def test_the_same_rule_subject_and_others_make_the_same_violation() -> None:
    """Words, tasks, owners and severities may change; other tables in a circle make another one."""
    later = FOUND._replace(severity="info", detail="in a wider circle", tasks=(), owners=(), allowed="moves")

    assert later.key == FOUND.key
    others = [FOUND._replace(rule="x"), FOUND._replace(subject="db:c"), FOUND._replace(others=())]
    assert FOUND.key not in [each.key for each in others]


def test_as_an_object_it_has_lists_and_says_that_nothing_allows_it() -> None:
    """Every field under its name."""
    assert FOUND.to_json() == {
        "rule": "cycle", "severity": "error", "subject": "db:a", "others": ["db:b"], "detail": "in a circle",
        "tasks": ["t", "u"], "owners": ["ana"], "allowed": None, "expired": None,
    }  # fmt: skip
