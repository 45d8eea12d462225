"""Whether a job has no end, so that each of its events is a snapshot: nobody would ever see its COMPLETE."""

from __future__ import annotations

from typing import Final

_TYPE: Final = b'"PROCESSINGTYPE":"'
_STREAMING: Final = b'"PROCESSINGTYPE":"STREAMING"'
#: What identifies Flink's listeners that send no jobType yet: the facet of the engine, or the address of their code.
_FLINK: Final = (b'"PROCESSING_ENGINE":{"NAME":"FLINK"}', b"/INTEGRATION/FLINK")


def is_streaming(body: bytes) -> bool:
    """Return whether the packed body of an event is of a job without end.

    A job says so itself. Older listeners of Flink say nothing; their jobs count as jobs without end.
    """
    text = body.upper()
    return _STREAMING in text or (_TYPE not in text and any(each in text for each in _FLINK))
