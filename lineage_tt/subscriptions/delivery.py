"""Sends an event to standard output, to a program, or to a web address.

A delivery either succeeds or raises: ``RefusedError`` where a retry would not help, otherwise ``NotDeliveredError``.
"""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Callable
from typing import Any, Final

from lineage_tt.events import Event, encode
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.subscriptions.model import NotDeliveredError, RefusedError, Subscription, delivery_kind
from lineage_tt.subscriptions.sending.allowed import read_allowed

#: How long a program may take for one event, in seconds.
COMMAND_SECONDS: Final = 60
#: The variables of our environment that are passed to a program.
_PASSED: Final = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ")

Send = Callable[[Event], None]


def sender(subscription: Subscription, write: Callable[[str], None]) -> Send:
    """Return a function that sends an event to a subscription's destination; ``write`` prints a line of the stream."""
    kind = delivery_kind(subscription.deliver)
    if kind == "command":
        return Command(subscription.deliver, subscription.name)
    if kind in ("http", "https", "slack"):
        from lineage_tt.subscriptions.sending.webhook import Webhook

        return Webhook(subscription)
    return lambda event: write(encode(event).decode())


def judged(subscription: Subscription) -> None:
    """Raise InvalidRequestError where the operator of this machine does not allow a new subscription's delivery.

    A program must be in the allow-list, and so must the private address of a webhook. A name that does not resolve here
    is checked when an event is sent; every address is checked again then.
    """
    kind = delivery_kind(subscription.deliver)
    if kind == "command":
        checked_words(subscription.deliver)
    elif kind in ("http", "https", "slack"):
        from lineage_tt.subscriptions.sending.addresses import judge

        judge(subscription.deliver.removeprefix("slack+"))


def checked_words(deliver: str) -> list[str]:
    """Return the words of a command that the operator allows; InvalidRequestError for any other."""
    try:
        words = shlex.split(deliver.removeprefix("command:"))
    except ValueError as error:
        raise InvalidRequestError(f"{deliver!r} is not a command line: {error}") from None
    allowed = read_allowed()
    if not allowed.command(words):
        raise InvalidRequestError(
            f"this machine does not allow the command {shlex.join(words)!r}",
            hint=f"its operator adds that line to commands in {allowed.path}",
        )
    return words


class Command:
    """Runs a program for each event, without a shell, with the event on its standard input."""

    def __init__(self, deliver: str, name: str) -> None:
        self._deliver = deliver
        self._name = name
        self._words = checked_words(deliver)

    def __call__(self, event: Event) -> None:
        """Run the program, if it is still allowed; an exit status of 0 means that it accepted the event."""
        try:
            checked_words(self._deliver)
        except InvalidRequestError as error:
            raise RefusedError(error.message) from None
        data: dict[str, Any] = event["data"]
        variables = {"LINEAGE_TT_SUBSCRIPTION": self._name, "LINEAGE_TT_VERSION": str(data["version"])}
        environment = {name: os.environ[name] for name in _PASSED if name in os.environ} | variables
        try:
            done = subprocess.run(  # noqa: S603 - the operator of this machine allows it
                self._words,
                input=encode(event),
                capture_output=True,
                timeout=COMMAND_SECONDS,
                env=environment,
                check=False,
            )
        except FileNotFoundError:
            raise RefusedError(f"there is no program {self._words[0]}") from None
        except (OSError, subprocess.TimeoutExpired) as error:
            raise NotDeliveredError(f"{self._words[0]}: {error}") from None
        if done.returncode:
            errors = done.stderr.decode(errors="replace").strip().splitlines()
            raise NotDeliveredError(
                f"{self._words[0]} ended with {done.returncode}: {errors[-1] if errors else ''}"[:500]
            )
