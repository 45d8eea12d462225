"""Changed files, as git lists them: renames are followed, deletions listed."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from lineage_tt.model.errors import InvalidRequestError


class ChangedFile(NamedTuple):
    """A file that differs from the base: its path now (None: deleted) and at the base (None: new), from the root."""

    path: str | None
    before: str | None


class Repository:
    """A git work tree."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._contents: dict[tuple[str, str], bytes] = {}
        self.root = Path(self._git("rev-parse", "--show-toplevel").strip())

    def changed_since(self, base: str) -> tuple[str, list[ChangedFile]]:
        """Return the commit at which this work tree branched off ``base``, and the files that differ from it."""
        if base.startswith("-"):
            raise InvalidRequestError(f"{base!r} is not a git revision")
        if self._run("rev-parse", "--verify", "--quiet", f"{base}^{{commit}}").returncode:
            raise InvalidRequestError(
                f"git has no revision {base!r}",
                hint="fetch it first (in CI with the whole history: fetch-depth: 0), or give another --git-base",
            )
        merge_base = self._run("merge-base", base, "HEAD")
        if merge_base.returncode:
            raise InvalidRequestError(
                f"HEAD and {base!r} have no common history", hint="fetch the whole history (fetch-depth: 0)"
            )
        start = merge_base.stdout.decode().strip()
        output = self._git("diff", "-z", "--name-status", "--find-renames", "--no-ext-diff", start, "--")
        return start, list(_files(output.split("\0")))

    def content(self, revision: str, path: str) -> str | None:
        """Return a file as it was at a revision, None if it did not exist or is not text."""
        content = self._contents.get((revision, path))
        if content is None:
            process = self._run("show", f"{revision}:{path}")
            if process.returncode:
                return None
            content = process.stdout
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError:
            return None

    def has(self, revision: str, path: str) -> bool:
        """Return whether a file or folder existed at a revision."""
        return not self._run("cat-file", "-e", f"{revision}:{'' if path == '.' else path}").returncode

    def untracked(self) -> list[str]:
        """Return the files that git neither knows nor ignores, by their paths from the root."""
        output = self._git("ls-files", "-z", "--others", "--exclude-standard", "--full-name", ":/")
        return [path for path in output.split("\0") if path]

    def staged_otherwise(self) -> list[str]:
        """Return the files that a commit would take in another form than the one in the work tree."""
        staged, since = (self._git("diff", "-z", "--name-only", *more, "--").split("\0") for more in (["--cached"], []))
        return sorted(set(staged) & set(since) - {""})

    def prefetch(self, revision: str, paths: Iterable[str]) -> None:
        """Read these files as they were at a revision in one call of git, so that ``content`` can return them."""
        listed = [path for path in paths if "\n" not in path]
        objects = "".join(f"{revision}:{path}\n" for path in listed).encode("utf-8", "surrogateescape")
        output, place = self._run("cat-file", "--batch", stdin=objects).stdout, 0
        for path in listed:
            end = output.find(b"\n", place)
            head, place = output[place:end], end + 1
            if end < 0 or head.endswith(b" missing"):
                continue
            size = int(head.rpartition(b" ")[2])
            if head.split(b" ")[-2] == b"blob":
                self._contents[revision, path] = output[place : place + size]
            place += size + 1

    def _git(self, *args: str) -> str:
        done = self._run(*args)
        if done.returncode:
            errors = done.stderr.decode(errors="replace").strip().splitlines()
            raise InvalidRequestError(
                f"git {args[0]} failed: {errors[-1] if errors else done.returncode}",
                hint="run it in a git work tree, or give the files instead of --git-base",
            )
        return done.stdout.decode("utf-8", "surrogateescape")

    def _run(self, *args: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        command = ["git", "-C", str(self._folder), *args]
        try:
            return subprocess.run(command, input=stdin, capture_output=True, check=False)  # noqa: S603
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


def files_inside(changed: Iterable[ChangedFile], prefix: str) -> Iterator[ChangedFile]:
    """Yield the files below the configuration's folder, by their paths relative to it."""
    for file in changed:
        path, before = (name[len(prefix) :] if name is not None and name.startswith(prefix) else None for name in file)
        if path is not None or before is not None:
            yield ChangedFile(path, before)


def below(file: ChangedFile, folder: str) -> bool:
    """Return whether a file is below a folder now, or was at the base."""
    paths = [path for path in file if path is not None]
    return folder == "." or any(path == folder or path.startswith(f"{folder}/") for path in paths)
