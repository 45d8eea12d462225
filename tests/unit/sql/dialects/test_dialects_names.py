"""Names of dialects, for people."""

from __future__ import annotations

import pytest

from ingest.sql.dialects.names import canonical, is_known, known_names, nearest, unknown_words


def test_names_are_known_in_any_case() -> None:
    """Spaces around one are not forgiven, and standard SQL, which has no name, is not listed."""
    assert [is_known(name) for name in ("HIVE", "hive ", "")] == [True, False, True]
    assert "" not in known_names()
    assert list(known_names()) == sorted(set(known_names()))


def test_an_alias_is_told_by_its_dialects_name() -> None:
    """An unknown name is only put in lower case."""
    assert (canonical("ODPS"), canonical("Hive"), canonical("No-Such")) == ("maxcompute", "hive", "no-such")


@pytest.mark.parametrize(
    ("name", "words"),
    [("postgress", "no dialect 'postgress'; did you mean postgres?"), ("qqqq", "no dialect 'qqqq'")],
)
def test_an_unknown_name_comes_with_the_nearest(name: str, words: str) -> None:
    """Where none is near, none is named."""
    assert unknown_words(name) == words
    assert nearest("qqqq") is None
