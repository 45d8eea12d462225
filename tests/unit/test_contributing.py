"""The way in for newcomers: the pages that name files and tools name ones that exist."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
WHERE = ROOT / "docs" / "contributing" / "where-things-are.md"
DECISIONS = ROOT / "docs" / "decisions"
#: Pages that name files of the repository between backticks.
NAMING = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
#: What begins the path of a file of the repository; a folder ends in a slash.
_OF_REPOSITORY = re.compile(r"`((?:lineage_tt|ingest|tests|scripts|docs)/[\w./-]*|(?:\.?[\w-]+\.(?:toml|md|yaml)))`")
_MODULE = re.compile(r"`((?:lineage_tt|ingest)(?:\.\w+)+)`")
#: Files of users that pages describe, not of the repository.
OF_USERS = {"assets.toml", "config.yaml", "governance.toml", "impact.toml", "functions.toml", "allow.toml", "task.yaml"}
#: How long the page on the architecture may be.
MAX_ARCHITECTURE = 150


def rows() -> list[list[str]]:
    """The questions of a newcomer: number, question, answer."""
    lines = re.findall(r"^\| (\d+) \| (.+?) \| (.+) \|$", WHERE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [list(line) for line in lines]


def test_twenty_questions_have_one_answer_each() -> None:
    """Each question is numbered and names at least one path."""
    assert [int(number) for number, _, _ in rows()] == list(range(1, 21))
    assert [question for _, question, answer in rows() if "`" not in answer] == []


def test_every_path_in_a_page_exists() -> None:
    """A page names no file, folder or module that is gone."""
    gone = []
    for page in NAMING:
        text = page.read_text(encoding="utf-8")
        paths = [path for path in _OF_REPOSITORY.findall(text) if path not in OF_USERS and not (ROOT / path).exists()]
        gone += [(page.name, name) for name in [*paths, *(m for m in _MODULE.findall(text) if not is_there(m))]]

    assert len(NAMING) > 50
    assert gone == []


def is_there(name: str) -> bool:
    """Say whether a dotted name is a module, or is written in the module before its last word."""
    path = ROOT / name.replace(".", "/")
    if path.is_dir() or path.with_suffix(".py").exists():
        return True
    for module in (path.parent.with_suffix(".py"), path.parent / "__init__.py"):
        if module.exists() and re.search(rf"\b{path.name}\b", module.read_text(encoding="utf-8")):
            return True
    return False


def test_the_architecture_fits_its_page() -> None:
    """The page says what is, names every package, and stays short."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    packages = [
        path.parent.name
        for root in ("lineage_tt", "ingest")
        for path in (ROOT / root).glob("*/__init__.py")
        if path.parent.name not in ("sample", "schemas")
    ]

    assert len(page.splitlines()) <= MAX_ARCHITECTURE
    assert [name for name in packages if f"`{name}`" not in page] == []


def test_decisions_are_numbered_and_listed() -> None:
    """Records are numbered without a gap, begin with their number, and are in the list under their title."""
    records = sorted(DECISIONS.glob("[0-9]*.md"))
    listed = (DECISIONS / "README.md").read_text(encoding="utf-8")

    assert [int(path.name[:4]) for path in records] == list(range(1, len(records) + 1))
    for path in records:
        heading = path.read_text(encoding="utf-8").splitlines()[0]
        title = heading.removeprefix(f"# {path.name[:4]}. ")

        assert title != heading, path.name
        assert f"| [{path.name[:4]}]({path.name}) | {title} |" in listed, path.name
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 60, path.name


def test_pre_commit_runs_what_the_script_runs() -> None:
    """The hooks are the checks of scripts/test, and the tools are installed with the development group."""
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"][0]["hooks"]
    script = (ROOT / "scripts" / "test").read_text(encoding="utf-8")
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]["dev"]

    assert [hook["id"] for hook in hooks] == ["ruff", "ruff-format", "mypy"]
    for hook in hooks:
        tool = hook["entry"].split()[0]

        assert tool in script
        assert any(requirement.startswith(tool) for requirement in groups)


def test_releases_agree_on_their_number() -> None:
    """The version of the project is that of the package."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    package = (ROOT / "lineage_tt" / "__init__.py").read_text(encoding="utf-8")

    assert f'__version__ = "{project["version"]}"' in package


def test_the_glossary_is_in_order_and_has_the_words_of_the_design() -> None:
    """Each word has one row, in alphabetical order, and no word that the documentation leans on is missing."""
    page = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    words = re.findall(r"^\| \*\*(.+?)\*\*", page, flags=re.MULTILINE)
    needed = (
        "basis, by star, compaction, completeness, cursor, dead letter, derived version, fact, feed, gap, horizon, "
    )
    needed += "inferred column, observation, point, receipt, rectangle, relay, signed change, snapshot, subject, tail"

    assert words == sorted(words, key=lambda word: word.replace("-", " ").replace("_", " ").lower())
    assert len(words) == len(set(words))
    assert set(needed.split(", ")) - set(words) == set()
