"""The last net: a bug costs the message that met it, and is counted and logged as a bug."""

from __future__ import annotations

import logging

import pytest

from lineage_tt.model.errors import UnavailableError
from lineage_tt.model.names import clipped
from lineage_tt.write.admission.catch_all import CODE, counted, is_bug, place_of, refusal_of


@pytest.mark.parametrize(
    ("error", "bug"),
    [(KeyError("x"), True), (RecursionError(), True), (UnicodeEncodeError("utf-8", "", 0, 1, "bad"), True),
     (UnavailableError("full"), False), (OSError(28, "full"), False), (MemoryError(), False),
     (KeyboardInterrupt(), False), (SystemExit(1), False)],
    ids=lambda each: type(each).__name__,
)  # fmt: skip
def test_failures_around_a_message_are_no_bugs(error: BaseException, bug: bool) -> None:
    """A full disk must not turn good messages into dead letters; a signal ends the process."""
    assert is_bug(error) is bug


def test_the_dead_letter_holds_the_bytes_and_no_words_of_the_exception(caplog: pytest.LogCaptureFixture) -> None:
    """The exception may quote the message, which may hold a secret."""
    before = counted()
    with caplog.at_level(logging.ERROR, "lineage_tt.bugs"):
        try:
            raise ValueError("hunter2")
        except ValueError as error:
            refused = refusal_of(b'{"a": "hunter2"}', error, 7)

    assert (refused.raw, refused.code, refused.position) == (b'{"a": "hunter2"}', CODE, 7)
    assert "ValueError" in refused.detail
    assert "test_catch_all" in refused.detail
    assert "hunter2" not in refused.detail
    assert "hunter2" not in caplog.text
    assert counted() == before + 1


def test_the_place_is_the_last_one_in_this_products_own_code() -> None:
    """The report names the last line of the product, else the first line of the other code."""
    foreign: dict[str, object] = {"clipped": clipped}
    call = "def call(this):\n    return clipped(this)\ndef own():\n    raise ValueError\n"
    exec(compile(call, "/home/ana/lineage_tt/scripts/own.py", "exec"), foreign)

    places = []
    for action in (lambda: foreign["call"](None), lambda: foreign["own"]()):  # type: ignore[operator]
        with pytest.raises((TypeError, ValueError, AttributeError)) as raised:
            action()
        places.append(place_of(raised.value).partition(":")[0])
    assert places == ["names.py", "test_catch_all.py"]
