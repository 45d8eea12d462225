"""Every block of code in README and docs is run, and prints what is there."""

from __future__ import annotations

import difflib
import re
import shutil
from pathlib import Path

import pytest
from docblocks import RUN, Block, blocks_of, make_sample, matches, run_page
from needs import lacking
from rounds import SHARE
from sparks import need_spark

from lineage_tt.read.macros.asof import setup_sql

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
#: Pages whose links are followed; the blocks of those beside PAGES set up a checkout, or are files of one.
LINKING = sorted([*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", ROOT / "CHANGELOG.md"])
#: A new Python runs the Python of these always, that of the others in the long form alone.
FIRST = [ROOT / "README.md", ROOT / "docs" / "quickstart.md"]
#: Blocks that are not run, each with its reason in the page: a clone, an install, a service that is not there.
MAX_NOT_RUN = 12


def _name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def run_blocks(page: Path) -> list[Block]:
    """A page's blocks that are run."""
    return [block for block in blocks_of(page.read_text(encoding="utf-8")) if block.is_run]


def _need_tools(commands: str) -> None:
    """Skip the test where a tool of a page's commands is missing; fail it if CI=true."""
    if re.search(r"\blineage-tt (?:import|compact|stream)\b", commands):
        need_spark()
    if re.search(r"\bcurl\b", commands) and shutil.which("curl") is None:
        lacking("curl is not there: this page's commands use it")


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample in a store, by the same command as in the pages; each page that asks for it has a copy."""
    return make_sample(tmp_path_factory.mktemp("sample"))


@pytest.mark.parametrize("page", [page for page in PAGES if run_blocks(page)], ids=_name)
def test_blocks_run(page: Path, tmp_path: Path, sample: Path) -> None:
    """A page's commands, run one after the other in a fresh folder, succeed and print what the page shows."""
    _need_tools("\n".join(block.text for block in run_blocks(page)))
    fresh = SHARE == 1 or page in FIRST
    for outcome in run_page(page.read_text(encoding="utf-8"), tmp_path, sample, fresh=fresh):
        block = outcome.block
        difference = "\n".join(difflib.unified_diff(block.lines, outcome.said, "in the page", "printed", lineterm=""))

        assert not outcome.problem, f"{page}:{block.first}: {outcome.problem}\n{block.text}"
        assert not difference, f"{page}:{block.first}\n{difference}"


def test_blocks_that_are_not_run() -> None:
    """Only few blocks are left out, and each says why."""
    left_out = [
        (page.name, block.first, block.directives["not run"])
        for page in PAGES
        for block in blocks_of(page.read_text(encoding="utf-8"))
        if block.language in RUN and not block.is_run
    ]

    assert len(left_out) <= MAX_NOT_RUN, left_out
    assert all(reason for _, _, reason in left_out), left_out


def test_links_lead_somewhere() -> None:
    """Every relative link of a page leads to a file of the checkout, and to a heading in it if it names one."""
    links = [
        (page, target)
        for page in LINKING
        for target in re.findall(r"\]\((?!https?:|mailto:)([^)\s]+)\)", page.read_text(encoding="utf-8"))
    ]

    assert len(links) > 100
    assert [f"{_name(page)}: {target}" for page, target in links if not leads_somewhere(page, target)] == []


def leads_somewhere(page: Path, target: str) -> bool:
    """Say whether a link's file exists, with the heading it names."""
    name, _, anchor = target.partition("#")
    path = (page.parent / name).resolve() if name else page
    return path.exists() and (not anchor or anchor in anchors(path.read_text(encoding="utf-8")))


def test_every_view_and_macro_is_told_of() -> None:
    """The page about DuckDB names every view and macro that the set-up makes."""
    page = (ROOT / "docs" / "how-to" / "read-with-duckdb.md").read_text(encoding="utf-8")
    made = re.findall(r"CREATE OR REPLACE (?:VIEW|MACRO) (\w+)", setup_sql([]))

    assert len(made) > 5
    assert [name for name in made if not re.search(rf"`{name}[(`]", page)] == []


def anchors(text: str) -> set[str]:
    """Return what a Markdown page's headings are called in links."""
    headings = re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize(
    ("expected", "said", "fits"),
    [
        (["a", "b"], ["a", "b"], True),
        (["a", "…", "b"], ["a", "x", "y", "b"], True),
        (["a", "…", "b"], ["a", "b"], True),
        (["took … s"], ["took 0.3 s"], True),
        (["took … s"], ["took 0.3 min"], False),
        (["a"], ["a", "b"], False),
        (["…", "b"], ["a", "c"], False),
    ],
)
def test_ellipsis(expected: list[str], said: list[str], fits: bool) -> None:
    """``…`` stands for any lines, or any text within one, and for nothing else."""
    assert matches(expected, said) is fits


def test_a_wrong_page_is_found_out(tmp_path: Path) -> None:
    """A command that fails, and an output that differs, are distinguished from one that is right."""
    page = "```console\n$ echo one\none\n```\n```console\n$ echo two\nthree\n```\n```sh\nfalse\n```\n"

    right, differs, fails = run_page(page, tmp_path)

    assert (right.said, right.problem) == (right.block.lines, "")
    assert differs.said == ["$ echo two", "two"]
    assert fails.problem.startswith("status 1")
