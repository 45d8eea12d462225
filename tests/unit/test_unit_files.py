"""Beside each core module lies a file of unit tests with its name."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: What is tested by its commands, pages, routes or clusters: ``tests/README.md`` says where.
BESIDE = {"api", "cli", "export", "kafka", "sample", "schemas", "spark", "ui"}


@cache
def core() -> list[str]:
    """The paths of the modules that do something: those that only hold constants or name ports need no tests."""
    found = [path for root in ("lineage_tt", "ingest") for path in (ROOT / root).rglob("*.py")]
    names = {str(path.relative_to(ROOT)): path for path in found if path.name not in ("__init__.py", "__main__.py")}
    return sorted(name for name, path in names.items() if package_of(name) not in BESIDE and does_something(path))


def package_of(name: str) -> str:
    """The package of a module below ``lineage_tt`` or ``ingest``; empty for one of their own modules."""
    return name.split("/")[1] if name.count("/") > 1 else ""


def does_something(path: Path) -> bool:
    """Whether a module has a function, or a method of a class that is not a port."""
    for item in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(item, ast.FunctionDef):
            return True
        if isinstance(item, ast.ClassDef) and "Protocol" not in {getattr(base, "id", "") for base in item.bases}:
            has_methods = any(isinstance(part, ast.FunctionDef) for part in item.body)
            if has_methods:
                return True
    return False


def files_of(name: str) -> list[Path]:
    """Where a module's tests may lie: a file of its name, or with a package before it where that name is taken.

    They lie in the folder of its package, or as deep in it as the module lies in the package.
    """
    *packages, module = name.removesuffix(".py").split("/")
    package = package_of(name) or (packages[0] if packages == ["ingest"] else "")
    tails = [module, *(f"{above}_{module}" for above in packages)]
    folders = [ROOT / "tests" / room / package for room in ("unit", "")]
    folders.insert(0, folders[0].joinpath(*packages[2:]))
    return [folder / f"test_{tail}.py" for folder in folders for tail in tails]


@cache
def imported(path: Path) -> set[str]:
    """The dotted names that a file of tests imports, of modules and of what is in them."""
    names: set[str] = set()
    for item in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(item, ast.Import):
            names |= {alias.name for alias in item.names}
        elif isinstance(item, ast.ImportFrom):
            names |= {f"{item.module}", *(f"{item.module}.{alias.name}" for alias in item.names)}
    return names


def has_tests(name: str) -> bool:
    """Whether a file of its name imports the module."""
    dotted = name.removesuffix(".py").replace("/", ".")
    return any(path.exists() and dotted in imported(path) for path in files_of(name))


def test_each_core_module_has_a_file_of_tests_by_its_name() -> None:
    """A new module comes with its tests."""
    assert [name for name in core() if not has_tests(name)] == []


def test_a_module_of_ports_or_constants_needs_no_tests(tmp_path: Path) -> None:
    """What can be wrong in a module is its functions, and the methods of its classes."""
    module = tmp_path / "some.py"
    texts = {
        "SIZE = 3\n": False,
        "class Port(Protocol):\n    def ask(self) -> int: ...\n": False,
        "class Row(NamedTuple):\n    at: int\n": False,
        "class Row(NamedTuple):\n    at: int\n    def ends(self): return 1\n": True,
        "def ask(): return 1\n": True,
    }
    found = {}
    for text in texts:
        module.write_text(text, encoding="utf-8")
        found[text] = does_something(module)

    assert found == texts
