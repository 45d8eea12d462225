"""The files below a folder that a command is given; a folder below it that cannot be read is an error, not empty."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from lineage_tt.cli.calls import Call
from lineage_tt.model.os_errors import is_readable_file, unreadable


@dataclass(frozen=True, slots=True)
class Walked:
    """What is below a folder, each in order: files, linked folders (not followed), and links that lead nowhere."""

    files: tuple[Path, ...]
    linked: tuple[Path, ...] = ()
    dangling: tuple[Path, ...] = ()

    def notes(self) -> Iterator[str]:
        """Yield the words that say which links were not read."""
        if self.linked:
            yield f"{_counted(self.linked, 'linked folder')} not followed: give a linked folder by name to read it"
        if self.dangling:
            yield f"{_counted(self.dangling, 'link')} not read: nothing is where a link leads"


def note_links(call: Call, words: Sequence[str]) -> None:
    """Note the links below the folders among the words of a command that are not read."""
    for folder in map(Path, words):
        if folder.is_dir():
            for note in walk(folder, hidden="._").notes():
                call.note(call.ink.plain(note))


def walk(folder: Path, hidden: str = ".") -> Walked:
    """Return what is below a folder, without names that begin with a character of ``hidden``.

    Raises InvalidRequestError where the folder, or anything below it, cannot be read.
    """
    files: list[Path] = []
    linked: list[Path] = []
    dangling: list[Path] = []
    for top, folders, names in os.walk(folder, onerror=_refuse_folder):
        folders[:] = [name for name in folders if name[0] not in hidden]
        linked += [path for name in folders if (path := Path(top, name)).is_symlink()]
        for path in (Path(top, name) for name in names if name[0] not in hidden):
            if is_readable_file(path):
                files.append(path)
            elif path.is_symlink() and not path.exists():
                dangling.append(path)
    return Walked(tuple(sorted(files)), tuple(sorted(linked)), tuple(sorted(dangling)))


def _refuse_folder(error: OSError) -> NoReturn:
    raise unreadable(f"folder {error.filename}", error) from None


def _counted(paths: Sequence[Path], what: str) -> str:
    """Return how many there are, with up to three of them."""
    listed = ", ".join(map(str, paths[:3])) + (", …" if len(paths) > 3 else "")
    return f"{len(paths)} {what}{'s' * (len(paths) != 1)} ({listed})"
