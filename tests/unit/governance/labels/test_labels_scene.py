"""Scenes: the sets of rules that a governance file gives for labels."""

from __future__ import annotations

import pytest

from lineage_tt.governance.config import Config
from lineage_tt.governance.labels.scene import Scene, scene_of, scenes_of
from lineage_tt.model.errors import InvalidRequestError

TWO = """
[labels]
levels = ["low", "high"]
depth = 3
only = ["pii"]
[labels.scenes.strict]
carry = ["DIRECT", "INDIRECT"]
only = []
"""


def test_without_a_file_the_rules_are_the_defaults() -> None:
    """Values alone carry, downwards, without end; what a producer masks does not."""
    assert scene_of(Config()) == Scene("default", (), ("DIRECT",), "down", (), True, False, (), None, ())
    assert scenes_of(Config()) == ["default"]
    assert scene_of(Config.parse("[labels]\ndepth = 0")).depth == 0


def test_a_scene_has_the_keys_of_its_own_and_else_those_of_the_table() -> None:
    """The one without a name is also called ``default``."""
    config = Config.parse(TWO)
    plain = Scene(levels=("low", "high"), depth=3, only=("pii",))

    assert scene_of(config) == scene_of(config, "default") == plain
    assert scene_of(config, "strict") == plain._replace(name="strict", carry=("DIRECT", "INDIRECT"), only=())
    assert scenes_of(config) == ["default", "strict"]


def test_a_scene_that_is_not_there_is_refused_with_those_that_are() -> None:
    """As they are written."""
    with pytest.raises(InvalidRequestError, match="has no scene 'Strict'") as error:
        scene_of(Config.parse(TWO), "Strict")
    assert error.value.hint == "it has default, strict"


def test_levels_always_spread_and_other_labels_where_a_pattern_names_them() -> None:
    """Without patterns all do; case counts."""
    some = Scene(levels=("low",), only=("pii", "gdpr-*"))

    assert {word: some.spreads(word) for word in ("low", "pii", "gdpr-", "gdpr-x", "PII", "other")} == {
        "low": True, "pii": True, "gdpr-": True, "gdpr-x": True, "PII": False, "other": False,
    }  # fmt: skip
    assert Scene().spreads("other")


def test_as_many_levels_as_there_are_bits_for_are_taken() -> None:
    """Thirty-two; one more is refused."""
    texts = ["[labels]\nlevels = [" + ", ".join(f'"{at}"' for at in range(count)) + "]" for count in (32, 33)]

    assert len(scene_of(Config.parse(texts[0])).levels) == 32
    with pytest.raises(InvalidRequestError, match="more than 32 levels"):
        scene_of(Config.parse(texts[1]))


@pytest.mark.parametrize(
    ("text", "words"),
    [("[labels]\nscenes = {a = 1}", "labels.scenes.a is not a table"), ("[labels.scenes.a]\ncarry = []", "carry is"),
     ("[labels.scenes.a]\ndepth = -2", "scenes.a.: depth is -2"),
     ("[labels.scenes.a]\nscenes = {}", "no key is called 'scenes'")],
)  # fmt: skip
def test_a_named_scene_that_says_nothing_sensible_is_an_error(text: str, words: str) -> None:
    """Only where it is asked for, and with its place in the file."""
    with pytest.raises(InvalidRequestError, match=words):
        scene_of(Config.parse(text), "a")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[labels]\nlevel = []", "no key is called 'level'"),
        ("[label]\n", "no area is called 'label'"),
        ("labels = 3", "labels is not a table"),
        ('[labels]\nlevels = ["a", "a"]', "a level twice"),
        ("[labels]\ndepth = -1", "depth is -1"),
        ("[labels]\ndepth = true", "depth is true or false"),
        ('[labels]\ncarry = ["VALUES"]', "carry is"),
        ('[labels]\ncarry = "DIRECT"', "carry is a text"),
        ('[labels]\ndirection = "left"', "direction is 'left'"),
        ("[labels]\nlevels = [1]", "levels is not a list of texts"),
        ("[labels]\nscenes = 1", "labels.scenes is not a table"),
        ("labels", "is not TOML"),
    ],
)
def test_rules_that_say_nothing_sensible_are_errors(text: str, words: str) -> None:
    """Each says what is wrong."""
    with pytest.raises(InvalidRequestError, match=words):
        scene_of(Config.parse(text))
