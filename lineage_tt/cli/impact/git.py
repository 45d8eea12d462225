"""Changed files, as git tells them: renames followed, deletions told."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from lineage_tt.errors import InvalidRequestError


class ChangedFile(NamedTuple):
    """A file that differs from the base: its path now (None: deleted) and then (None: new), from the root."""

    path: str | None
    before: str | None


class Repository:
    """A git work tree."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.root = Path(self._git("rev-parse", "--show-toplevel").strip())

    def changed_since(self, base: str) -> tuple[str, list[ChangedFile]]:
        """Return the commit where this work tree left ``base``, and the files that differ from it."""
        if base.startswith("-"):
            raise InvalidRequestError(f"{base!r} is no git revision")
        if self._run("rev-parse", "--verify", "--quiet", f"{base}^{{commit}}").returncode:
            raise InvalidRequestError(
                f"git knows no revision {base!r}",
                hint="fetch it first (in CI with the whole history: fetch-depth: 0), or give another --git-base",
            )
        merge_base = self._run("merge-base", base, "HEAD")
        if merge_base.returncode:
            raise InvalidRequestError(
                f"HEAD and {base!r} have no common history", hint="fetch the whole history (fetch-depth: 0)"
            )
        start = merge_base.stdout.decode().strip()
        told = self._git("diff", "-z", "--name-status", "--find-renames", "--no-ext-diff", start, "--")
        return start, list(_files(told.split("\0")))

    def content(self, revision: str, path: str) -> str | None:
        """Return a file as it was at a revision, None where it was not there or is no text."""
        found = self._run("show", f"{revision}:{path}")
        try:
            return found.stdout.decode("utf-8-sig") if found.returncode == 0 else None
        except UnicodeDecodeError:
            return None

    def _git(self, *args: str) -> str:
        done = self._run(*args)
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip().splitlines()
            raise InvalidRequestError(
                f"git {args[0]} failed: {said[-1] if said else done.returncode}",
                hint="run it in a git work tree, or give the files instead of --git-base",
            )
        return done.stdout.decode("utf-8", "surrogateescape")

    def _run(self, *args: str) -> subprocess.CompletedProcess[bytes]:
        try:
            return subprocess.run(["git", "-C", str(self._folder), *args], capture_output=True, check=False)  # noqa: S603, S607
        except FileNotFoundError:
            raise InvalidRequestError("git is not installed", hint="install it, or give the files") from None


def _files(parts: list[str]) -> Iterator[ChangedFile]:
    words = iter(parts)
    for status in words:
        if not status:
            return
        first = next(words)
        if status[0] in "RC":
            second = next(words)
            yield ChangedFile(second, first if status[0] == "R" else None)
        elif status[0] == "D":
            yield ChangedFile(None, first)
        else:
            yield ChangedFile(first, None if status[0] == "A" else first)
