"""The table of the rules in ``governance.toml``: defaults, layers, allowances, and what makes no sense."""

from __future__ import annotations

from datetime import date

import pytest

from lineage_tt.governance.config import Config
from lineage_tt.governance.rules.settings import Allowed, Settings, matches
from lineage_tt.model.errors import InvalidRequestError

RULES, SEVERITIES = ("cycle", "two_writers"), ("error", "info")


def settings(text: str) -> Settings:
    """The settings of a text."""
    return Settings.of(Config.parse(text), RULES, SEVERITIES)


def test_a_file_without_rules_gives_the_defaults() -> None:
    """And one that sets a single key keeps the others."""
    assert settings("") == Settings()
    assert settings("[rules]\nmax_fanin = 1") == Settings(max_fanin=1)


def test_a_dataset_is_in_the_first_layer_that_fits() -> None:
    """By any of its patterns, in the case in which they are written; -1 where none fits."""
    layer = '[[rules.layer]]\nname = "{}"\nmatch = {}\n'
    found = settings(layer.format("ods", ["db:ods.*", "db:raw.?"]) + layer.format("all", ["db:*"]))

    assert [found.layer_of(name) for name in ("db:ods.x", "db:raw.a", "db:raw.ab", "db:ODS.x", "kafka:x")] == [
        0, 0, 1, 1, -1,
    ]  # fmt: skip
    assert Settings().layer_of("db:ods.x") == -1


def test_no_pattern_fits_nothing() -> None:
    """Not even an empty name."""
    assert not matches("", ())
    assert matches("bi:board/42", ("kafka:*", "bi:*"))


def test_an_allowance_covers_subjects_by_pattern_of_its_rule_alone() -> None:
    """A last day may be written as an instant: its day counts."""
    (found,) = settings(
        '[[rules.allow]]\nrule = "cycle"\nsubject = "db:*"\nreason = "moves"\nuntil = 2026-12-31T23:00:00Z\n'
    ).allow

    assert found == Allowed("cycle", "db:*", "moves", date(2026, 12, 31))
    assert [found.covers(*each) for each in (("cycle", "db:a"), ("two_writers", "db:a"), ("cycle", "x:a"))] == [
        True, False, False,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[rules]\noff = ["cycles"]', "no rule is called 'cycles'"),
        ('[rules.severity]\ncycles = "info"', "no rule is called 'cycles'"),
        ("[rules]\nmax_fanin = 0", "max_fanin is 0"),
        ("[rules]\nmax_view_chain = -1", "max_view_chain is -1"),
        ("[rules]\nmax_fanin = true", "max_fanin is true or false"),
        ("[rules]\nends = [1]", "ends is not a list of texts"),
        ("[rules]\nmax = 1", "no key is called 'max'"),
        ('[rules.severity]\ncycle = "bad"', "cycle is 'bad'"),
        ('[[rules.layer]]\nname = "x"', "a layer has a name and patterns"),
        ('[[rules.layer]]\nname = ""\nmatch = ["x"]', "a layer has a name and patterns"),
        ('[rules]\nlayer = ["x"]', "is not a table"),
        ('[rules]\nallow = ["x"]', "is not a table"),
        ('[[rules.allow]]\nrule = "cycle"\nsubject = "x"\nuntil = 2026-01-01', "reason is missing"),
        ('[[rules.allow]]\nrule = "x"\nsubject = "x"\nreason = "y"\nuntil = 2026-01-01', "no rule is called 'x'"),
        ('[[rules.allow]]\nrule = "cycle"\nsubject = "x"\nreason = "y"\nuntil = "soon"', "until is a text"),
    ],
)
def test_rules_that_make_no_sense_are_errors(text: str, words: str) -> None:
    """Each says what is wrong."""
    with pytest.raises(InvalidRequestError, match=words):
        settings(text)
