"""The table [openlineage] of a mapping file: what it may not contain, and what it would ignore."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError
from run_events import policies

from ingest.events.policy_file import PolicyFile, length

MINUTE = 60_000_000


@pytest.mark.parametrize(
    ("given", "expected"),
    [("90s", 90_000_000), ("10m", 10 * MINUTE), ("12h", 720 * MINUTE), ("30d", 43_200 * MINUTE),
     ("2w", 20_160 * MINUTE),
     ("0s", 0), (0, 0), (None, None)],
)  # fmt: skip
def test_a_length_of_time_is_microseconds(given: Any, expected: Any) -> None:
    """A time of zero needs no unit."""
    assert length(given) == expected


@pytest.mark.parametrize(
    "given", ["", 30, -5, 1.5, True, False, [], "soon", "3 days", "1.5h", "-1h", "1h ", "1234567890s"]
)
def test_what_is_no_length_of_time_is_refused(given: Any) -> None:
    """A bare number was read as microseconds. The reason says what to write."""
    with pytest.raises(ValueError, match="write 90s, 10m, 12h, 30d or 2w"):
        length(given)


@pytest.mark.parametrize(
    ("table", "words"),
    [({"unfinished": 30}, "30' is not a length of time: write"),
     ({"debounce": -5}, "-5' is not a length of time: write"),
     ({"unseen": {"time": 3}}, "'3' is not a length of time"),
     ({"dialect": "sparc"}, "no dialect 'sparc'; did you mean spark"),
     ({"source": [{"when": {}, "edges": "union"}]}, "when is empty, so that it fits every job: write when = {"),
     ({"unseen": {"runs": 2}}, 'unseen has no effect with edges = "replace": write edges = "union"'),
     ({"edges": "declared", "unseen": {"runs": 2}}, 'unseen has no effect with edges = "declared"'),
     ({"edges": "union", "source": [{"when": {"job.name": "a"}, "edges": "replace", "unseen": {"runs": 2}}]},
      'source.0.unseen has no effect with edges = "replace"'),
     ({"source": [{"when": {"job.name": "a"}}, {"when": {"job.name": "a"}, "edges": "union"}]},
      "source.1.when is that of an earlier source")],
)  # fmt: skip
def test_rules_that_could_have_no_effect_are_refused(table: dict[str, Any], words: str) -> None:
    """They were accepted, and nothing came of them."""
    with pytest.raises(ValidationError) as refused:
        PolicyFile.model_validate(table)
    assert words in str(refused.value)


@pytest.mark.parametrize(
    "table",
    [{"dialect": "HIVE"}, {"dialect": "Synapse"}, {"dialect": ""}, {"edges": "union", "unseen": {"runs": 2}},
     {"edges": "union", "unseen": {"runs": 2}, "source": [{"when": {"job.name": "a"}, "edges": "declared"}]},
     {"unseen": {"runs": 2}, "source": [{"when": {"job.name": "a"}, "edges": "union"}]}],
)  # fmt: skip
def test_rules_that_count_for_some_source_are_taken(table: dict[str, Any]) -> None:
    """A source has the rules of all sources, and one may count for it alone."""
    assert PolicyFile.model_validate(table)


def test_a_session_has_a_catalog_and_a_schema() -> None:
    """A mapping that says only one of them is rejected."""
    assert policies(sessions={"trino": "hive.dw"}).sessions == {"trino": "hive.dw"}
    for session in ("hive", "hive.", ".dw"):
        with pytest.raises(ValidationError, match=r"CATALOG\.SCHEMA"):
            PolicyFile.model_validate({"sessions": {"trino": session}})
