"""The last safety net: an unexpected exception while one message is handled rejects only that message.

Such an exception is a bug of this product. It is logged and counted, the message becomes a dead letter with the code
``internal-error``, which keeps its bytes for a replay after an upgrade, and the other messages continue. Errors that do
not concern one message are passed on: those of the product (``LineageError``), of the system (``OSError``) and lack of
memory.
"""

from __future__ import annotations

import logging
import threading
from pathlib import Path
from typing import Final

from lineage_tt.model.errors import LineageError
from lineage_tt.model.messages import Message, RejectedMessage
from lineage_tt.model.names import storable

LOGGER: Final = logging.getLogger("lineage_tt.bugs")
#: The code of dead letters that were caused by a bug.
CODE: Final = "internal-error"
#: The detail's lead; the CLI's summary and the documentation name the code.
_WORDS: Final = "a bug in lineage_tt, please report it; the message is kept, replay it after an upgrade"

#: The folders of this product's packages, which are installed side by side.
_OWN: Final = tuple(Path(__file__).parents[3] / name for name in ("lineage_tt", "ingest"))
_lock = threading.Lock()
_count = 0


def counted() -> int:
    """Return how many messages this process has rejected because of a bug."""
    return _count


def is_bug(error: BaseException) -> bool:
    """Return whether an exception is a bug in the handling of a message, rather than a failure of its surroundings."""
    return isinstance(error, Exception) and not isinstance(error, (LineageError, OSError, MemoryError))


def refusal_of(raw: bytes, error: BaseException, position: int | None) -> RejectedMessage:
    """Return the dead letter of a message that is rejected because of a bug; logs and counts the bug.

    The detail names the type of the exception and where in the code it arose. Its text may quote the message.
    """
    global _count
    with _lock:
        _count += 1
    where = place_of(error)
    LOGGER.error("a message is rejected because of a bug: %s at %s", type(error).__name__, where)
    LOGGER.debug("the bug", exc_info=error)
    return RejectedMessage(raw, CODE, f"{type(error).__name__} at {where}: {_WORDS}", position=position)


def letter_of(message: Message, raw: bytes, error: BaseException) -> RejectedMessage:
    """Return the dead letter of a parsed message; see ``refusal_of``."""
    letter = refusal_of(raw, error, message.position)
    for name in ("event_id", "task_id"):
        value = getattr(message, name, None)
        if isinstance(value, str) and storable(value) == value:
            setattr(letter, name, value)
    return letter


def place_of(error: BaseException) -> str:
    """Return file and line where an exception arose, in this product's own code if it passed there."""
    result, at = "unknown", error.__traceback__
    while at is not None:
        path = Path(at.tb_frame.f_code.co_filename)
        if result == "unknown" or any(map(path.is_relative_to, _OWN)):
            result = f"{path.name}:{at.tb_lineno}"
        at = at.tb_next
    return result
