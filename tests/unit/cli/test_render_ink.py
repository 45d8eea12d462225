"""Names as they may be shown."""

from __future__ import annotations

import json
import sys
import unicodedata

import pytest

from lineage_tt.cli.render.ink import Ink, shown_json, width
from lineage_tt.model.names import shown


def test_no_character_that_a_terminal_acts_upon_gets_through() -> None:
    """Control, format, surrogate and separator characters of all of Unicode are spelled out."""
    kinds = ("Cc", "Cf", "Cs", "Zl", "Zp")
    acting = [c for c in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(c) in kinds]

    assert len(acting) > 2000
    assert [hex(ord(c)) for c in acting if shown(c) == c] == []


@pytest.mark.parametrize("code", [0x34F, 0x115F, 0x1160, 0x180B, 0x3164, 0xFE0F, 0xFFA0, 0xE0100])
def test_characters_without_width_are_spelled_out(code: int) -> None:
    """Fillers, joiners and variation selectors, which show nothing, are spelled out too."""
    assert shown(chr(code)).startswith("\\")


@pytest.mark.parametrize("name", ["hive:dw.t#a_b", "bi:売上/é ñ", "a[red]b[/red]", "back\\slash", "emoji 🎉", "कि"])
def test_other_names_stay_as_they_are(name: str) -> None:
    """Letters of any script, brackets and backslashes are left alone."""
    assert shown(name) == name


def test_short_and_long_characters_are_spelled_like_python_does() -> None:
    """A character beyond the basic plane has eight digits."""
    assert shown("a\u202eb\U000e0001") == "a\\u202eb\\U000e0001"


def test_json_keeps_its_value() -> None:
    """JSON text in which characters are spelled out still says the same."""
    value = {"a\u202e": ["\x9b", "\U000e0001", "é", "\ufeff"]}

    text = shown_json(json.dumps(value, ensure_ascii=False))

    assert json.loads(text) == value
    assert not set(text) & set("\u202e\x9b\U000e0001\ufeff")


def test_ink_paints_only_where_there_is_colour() -> None:
    """Without colour painted text is plain; with colour the name inside is still spelled out."""
    assert Ink().strong("x\x1b") == "x\\u001b"
    assert Ink(colour=True).strong("x\x1b") == "\x1b[1mx\\u001b\x1b[0m"
    assert Ink(colour=True).bad("") == ""


def test_width_counts_columns() -> None:
    """Wide characters take two columns, combining ones none."""
    assert (width("abc"), width("売上"), width("e\u0301")) == (3, 4, 1)
