"""Code blocks in a page of the documentation: runs them in one folder and compares their output with the page.

A page runs in an empty folder in which ``lineage_tt/sample`` is the shipped sample, as in a checkout. The language of a
block, and an HTML comment on the line before it, determine how the block is processed:

- ``console``: bash runs the lines that begin with ``$ `` (``> `` continues a command); the other lines are the exact
  output; a line ``…`` matches any lines, a ``…`` within a line matches any text;
- ``sh`` and ``python`` blocks are run, ``lineage-tt sql`` runs ``sql`` blocks; they must succeed;
- ``<!-- file: NAME -->`` writes the block (of any language) to a file;
- ``<!-- output -->``: the block is the output of the block before it;
- ``<!-- exit: N -->``: the last command of the block ends with this status;
- ``<!-- not run: WHY -->``: the block is not run;
- ``<!-- setup: sample -->`` anywhere: the sample is ingested into ``./lineage`` before the page runs; with
  ``sample, governance`` also its messages of July, and its rules are ``./governance.toml``.

``python tests/docblocks.py PAGE…`` writes the output of the commands into the pages, with ``…`` for text that
differs between runs: today's times, folders, durations, names of data files.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import forked
from rounds import SHARE

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "lineage_tt" / "sample"
RUN = ("console", "sh", "python", "sql")
_FENCE = re.compile(r"^(?P<indent> *)```(?P<language>\w*)\s*$")
_DIRECTIVE = re.compile(r"^ *<!-- (?P<word>file|output|exit|not run|setup)(?:: (?P<value>.*?))? -->\s*$")
INGEST_SAMPLE = "lineage-tt ingest lineage_tt/sample/retail.jsonl --system-time-from recorded_at"

INGEST_GOVERNANCE = (
    "lineage-tt ingest lineage_tt/sample/governance.jsonl --system-time-from recorded_at"
    " && cp lineage_tt/sample/governance.toml ."
)


@dataclass
class Block:
    """A code block: its language, the first and last line of its content in the page, and its directives."""

    language: str
    first: int
    last: int
    lines: list[str]
    indent: str = ""
    directives: dict[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The block's content."""
        return "\n".join(self.lines) + "\n"

    @property
    def is_run(self) -> bool:
        """Whether the block is run, or compared with the output of a block that was run."""
        return "not run" not in self.directives and (
            self.language in RUN or "output" in self.directives or "file" in self.directives
        )


@dataclass
class Outcome:
    """A block and its actual output; ``said`` equals the lines of the block if they match."""

    block: Block
    said: list[str]
    problem: str = ""


def blocks_of(text: str) -> list[Block]:
    """Return the fenced blocks of a page in order."""
    result: list[Block] = []
    lines = text.splitlines()
    opened: Block | None = None
    directives: dict[str, str] = {}
    for number, line in enumerate(lines):
        fence = _FENCE.match(line)
        if opened is not None:
            if fence and not fence["language"] and fence["indent"] == opened.indent:
                opened.last = number
                opened.lines = [each.removeprefix(opened.indent) for each in lines[opened.first : number]]
                result.append(opened)
                opened, directives = None, {}
        elif fence:
            opened = Block(fence["language"], number + 1, number + 1, [], fence["indent"], directives)
        elif directive := _DIRECTIVE.match(line):
            directives[directive["word"]] = directive["value"] or ""
        elif line.strip():
            directives = {}
    assert opened is None, f"a block that begins on line {opened.first} does not end"
    return result


def set_up_by(text: str) -> list[str]:
    """Return the commands that create the store that a page requires."""
    asked = next(
        (d["value"] for line in text.splitlines() if (d := _DIRECTIVE.match(line)) and d["word"] == "setup"), ""
    )
    known = {"": [], "sample": [INGEST_SAMPLE], "sample, governance": [INGEST_SAMPLE, INGEST_GOVERNANCE]}
    return known[asked]


class PageRun:
    """Runs the blocks of one page in one folder; ``fresh`` as for ``run_page``."""

    def __init__(self, folder: Path, *, fresh: bool = True) -> None:
        self.folder = folder
        (folder / "lineage_tt").mkdir()
        (folder / "lineage_tt" / "sample").symlink_to(SAMPLE)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("LINEAGE_TT", "PYTEST"))}
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        self._python = [sys.executable]
        if forked.can_fork(kept):
            if not fresh:
                self._python = ["lineage-tt"]  # the command for shells, which also runs Python code
            path = f"{forked.folder_of_command()}{os.pathsep}{path}"
            kept[forked.ADDRESS] = forked.address()
        plain = {"COLUMNS": "120", "NO_COLOR": "1", "TERM": "dumb", "LC_ALL": "C.UTF-8"}
        self._environment = kept | plain | {"PYTHONWARNINGS": "error", "PATH": path}
        self._printed: list[str] = []

    def run(self, block: Block) -> Outcome:
        """Run one block."""
        if "file" in block.directives:
            (self.folder / block.directives["file"]).write_text(block.text, encoding="utf-8")
            return Outcome(block, block.lines)
        if "output" in block.directives:
            return self._compared(block, self._printed)
        if block.language == "console":
            return self._console(block)
        status, self._printed = self._call(self._argv(block))
        return Outcome(block, block.lines, self._status_problem(block, status))

    def shell(self, command: str) -> tuple[int, list[str]]:
        """Run a bash command; return its status and its output lines, errors among them."""
        return self._call(["bash", "-o", "pipefail", "-c", command])

    def _argv(self, block: Block) -> list[str]:
        if block.language == "sh":
            return ["bash", "-euo", "pipefail", "-c", block.text]
        if block.language == "sql":
            return ["lineage-tt", "sql", block.text]
        return [*self._python, "-c", block.text]

    def _call(self, argv: list[str]) -> tuple[int, list[str]]:
        done = subprocess.run(
            argv,
            cwd=self.folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=120,
            check=False,
        )
        status = done.returncode if done.returncode >= 0 else 128 - done.returncode  # as the shell says it
        return status, [line.rstrip() for line in done.stdout.decode().rstrip("\n").splitlines()]

    def _console(self, block: Block) -> Outcome:
        said: list[str] = []
        problem, status = "", 0
        for command, shown, expected in commands_of(block.lines):
            problem = problem or ("" if status == 0 else f"status {status} before {command!r}")
            status, printed = self.shell(command)
            said += shown + (expected if matches(expected, printed) else printed)
        return self._compared(block, said, problem or self._status_problem(block, status))

    def _status_problem(self, block: Block, status: int) -> str:
        wanted = int(block.directives.get("exit", 0))
        shown = "" if block.language == "console" else "\n".join(self._printed)
        return "" if status == wanted else f"status {status}, not {wanted}\n{shown}"

    def _compared(self, block: Block, said: list[str], problem: str = "") -> Outcome:
        same = block.lines == said or matches(block.lines, said)
        return Outcome(block, block.lines if same else said, problem)


def commands_of(lines: list[str]) -> list[tuple[str, list[str], list[str]]]:
    """Return (command, its lines as shown, its output in the page) for each command of a console block."""
    found: list[tuple[str, list[str], list[str]]] = []
    for line in lines:
        if line.startswith("$ "):
            found.append((line[2:], [line], []))
        elif line.startswith("> ") and found and not found[-1][2]:
            command, shown, output = found[-1]
            found[-1] = (f"{command}\n{line[2:]}", [*shown, line], output)
        else:
            assert found, f"output before the first command: {line!r}"
            found[-1][2].append(line.rstrip())
    return [(command, shown, _without_end(output)) for command, shown, output in found]


def _without_end(lines: list[str]) -> list[str]:
    while lines and not lines[-1]:
        lines = lines[:-1]
    return lines


def matches(expected: list[str], said: list[str]) -> bool:
    """Return whether the output matches the expected lines; ``…`` matches any text."""
    parts = [r"(?:[^\n]*\n)*?" if line.strip() == "…" else _line(line) for line in expected]
    return re.fullmatch("".join(parts), "".join(f"{line}\n" for line in said)) is not None


def _line(line: str) -> str:
    return r"[^\n]*?".join(re.escape(part) for part in line.split("…")) + r"\n"


def make_sample(folder: Path) -> Path:
    """Ingest the sample in an empty folder; return the store."""
    status, printed = PageRun(folder).shell(INGEST_SAMPLE)
    assert status == 0, "\n".join(printed)
    return folder / "lineage"


def run_page(text: str, folder: Path, sample: Path | None = None, *, fresh: bool = SHARE == 1) -> list[Outcome]:
    """Run a page in an empty folder; return the outcome of each block.

    ``sample`` is a store with the sample, which is copied for a page that requires it; without it, the page ingests its
    own. With ``fresh``, as in the long form, a new interpreter runs each Python block, as for a user; without it, the
    blocks run in forked processes.
    """
    run = PageRun(folder, fresh=fresh)
    commands = set_up_by(text)
    if commands and sample is not None:
        shutil.copytree(sample, folder / "lineage")
        commands = commands[1:]  # the commands in addition to the sample
    for command in commands:
        status, printed = run.shell(command)
        assert status == 0, "\n".join(printed)
    return [run.run(block) for block in blocks_of(text) if block.is_run]


def softened(line: str) -> str:
    """Return a line with ``…`` for text that differs between runs."""
    today = datetime.now(UTC).strftime("%Y-%m-%d")
    line = re.sub(rf"{today}T[\d:.]+Z", "…", line)
    line = re.sub(r"file:///\S*/(?=[^/\s]+(:|\s|$))", "file://…/", line)
    line = re.sub(r"\([\d.]+ s, [\d.,]+/s\)", "(…)", line)
    line = re.sub(r"\d,\d{3} changes", "… changes", line)
    return re.sub(r"(\S*[0-9a-f]{64}-[0-9a-f]{32}\.parquet\S* )+", "… ", line)


def written(text: str, outcomes: list[Outcome]) -> str:
    """Return the page with the actual output of its blocks."""
    lines = text.splitlines()
    for outcome in reversed(outcomes):
        block = outcome.block
        if outcome.said != block.lines:
            lines[block.first : block.last] = [(block.indent + softened(line)).rstrip() for line in outcome.said]
    return "\n".join(lines) + "\n"


def main(pages: list[str]) -> None:
    """Write the output of the commands into these pages; print what failed."""
    for name in pages:
        page = Path(name)
        text = page.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            outcomes = run_page(text, Path(folder))
        for outcome in outcomes:
            if outcome.problem:
                print(f"{name}:{outcome.block.first}: {outcome.problem}")
        page.write_text(written(text, outcomes), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
