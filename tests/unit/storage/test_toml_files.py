"""TOML that users give: bounded, and rejected with words that say what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.storage.toml_files import MAX_BYTES, MAX_DOTS, parse_toml, read_toml


def test_a_file_is_read(tmp_path: Path) -> None:
    """Its content is what TOML says it is."""
    path = tmp_path / "rules.toml"
    path.write_text('[a.b]\nc = ["ä"]\n', encoding="utf-8")

    assert read_toml(path, "the rules") == {"a": {"b": {"c": ["ä"]}}}


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    """The error names what was to be read, and the path."""
    with pytest.raises(InvalidRequestError, match=r"cannot read the rules .*none\.toml"):
        read_toml(tmp_path / "none.toml", "the rules")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"a = ", "is not TOML"),
        (b"a = '\xff'", "is not TOML"),
        (b"#" * (MAX_BYTES + 1), "more than"),
        (b"a" + b".a" * (MAX_DOTS + 1) + b" = 1", "nested too deep"),
        (b"a = " + b"[" * 100_000, "nested too deep"),
    ],
    ids=["cut", "no UTF-8", "long", "dots", "brackets"],
)
def test_what_cannot_be_read_is_rejected(data: bytes, words: str) -> None:
    """Broken, long and deeply nested texts are invalid requests, in bounded time."""
    with pytest.raises(InvalidRequestError, match=words):
        parse_toml(data, "the rules")
