"""How errors are reported: lines on standard error, with --format json also an object, and an exit status.

=======  =========================================================
status   means
=======  =========================================================
0        done
1        a gate or a check failed
2        the request is invalid
3        the store could not answer
130      interrupted (Ctrl-C)
141      the reader closed the pipe (``lineage-tt log | head``)
=======  =========================================================
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Final

from lineage_tt.cli.render.ink import Ink
from lineage_tt.cli.render.objects import dumps
from lineage_tt.model.names import shown

DONE: Final = 0
NEGATIVE: Final = 1
WRONG_CALL: Final = 2
NO_ANSWER: Final = 3
PIPE_CLOSED: Final = 141


def report(kind: str, message: str, hint: str, args: Sequence[str]) -> None:
    """Print an error on standard error; the last line is a JSON object if the call asked for JSON."""
    ink = Ink(sys.stderr.isatty() and not os.environ.get("NO_COLOR"))
    first, *more = message.splitlines() or [""]
    lines = [f"{ink.bad('error')}: {shown(first)}", *(f"  {shown(line)}" for line in more)]
    if hint:
        lines.append(f"{ink.strong('hint')}: {shown(hint)}")
    if wants_json(args):
        lines.append(dumps({"error": {"kind": kind, "message": message, "hint": hint}}))
    print("\n".join(lines), file=sys.stderr, flush=True)


def wants_json(args: Sequence[str]) -> bool:
    """Return whether a command line requests JSON; typer is not used, because the command line may be invalid."""
    last = ""
    for before, arg in zip(["", *args], args, strict=False):
        if before == "--format":
            last = arg
        elif arg.startswith("--format="):
            last = arg.removeprefix("--format=")
    return last == "json"
