"""The pages' modules as fewer and smaller ones: what is always needed, what several pages share, and each page.

Every module stays a scope of its own, so no name of one can meet another's; a page is still loaded when it is first
shown. Written in Python, and run when the wheel is built: a server serves files and nothing else.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

#: What begins; its pack holds what no page can do without, and what three or more share.
ENTRY: Final = "app/main.js"
MANY: Final = 3
#: Where a wheel has the packs, below the folder of the modules; and which files are beside them as they are.
PACKED: Final = "packed"
KEPT: Final = (".html", ".css", ".json", ".svg", ".txt")
#: What is sent gzipped, as it was written here.
GZIPPED: Final = (".html", ".css", ".js", ".json", ".svg")
_BRACES: Final = r"\{([^}]*)\}"
_IMPORT: Final = re.compile(rf'(?:^|(?<=[;}}]))import\s*(?:(\w+)|{_BRACES})\s*from\s*"(\.[^"]+)";?', re.MULTILINE)
_PASSED: Final = re.compile(rf'(?:^|(?<=[;}}]))export\s*{_BRACES}\s*from\s*"(\.[^"]+)";?', re.MULTILINE)
_LISTED: Final = re.compile(rf"(?:^|(?<=[;}}]))export\s*{_BRACES};?", re.MULTILINE)
_DEFAULT: Final = re.compile(r"(?:^|(?<=[;}]))export default\s*", re.MULTILINE)
_DECLARED: Final = re.compile(r"^export ((?:async )?function|const|class) (\w+)", re.MULTILINE)
#: A page that is loaded when it is first shown; types in comments look alike but for the arrow.
_LATER: Final = re.compile(r'=> import\("(\.[^"]+)"\)')


class Module(NamedTuple):
    """A module: its body, the names it imports by module, those it exports, and the modules it loads later."""

    body: str
    imports: dict[str, list[tuple[str, str]]]
    exports: dict[str, str]
    later: list[str]


def packed(folder: Path) -> dict[str, str]:
    """Return the packs of a folder of modules by their paths; an ENTRY must be among the modules.

    Raises ValueError for a form of import or export that is not read, and for modules that import each other.
    """
    modules: dict[str, Module] = {}
    waiting = [ENTRY]
    while waiting:
        name = waiting.pop()
        if name not in modules:
            modules[name] = read(name, (folder / name).read_text(encoding="utf-8"))
            waiting += [*modules[name].imports, *modules[name].later]
    pages = list(dict.fromkeys(path for module in modules.values() for path in module.later))
    if lost := [name for name, module in modules.items() if module.later and name not in (ENTRY, *pages)]:
        raise ValueError(f"a page is loaded by {lost}, which is in no pack of its own: its path would be another")
    needed = {start: _order(modules, start) for start in (ENTRY, *pages)}
    home = dict.fromkeys(needed[ENTRY], ENTRY)
    shared: dict[tuple[str, ...], str] = {}
    for name in dict.fromkeys(each for page in pages for each in needed[page]):
        users = tuple(page for page in pages if name in needed[page])
        if name in pages and len(users) > 1:
            raise ValueError(f"{name} is a page, and another imports it")
        if len(users) == 1:
            home.setdefault(name, users[0])
        elif name not in home:
            home[name] = ENTRY if len(users) >= MANY else shared.setdefault(users, f"app/shared{len(shared) + 1}.js")
    order = list(dict.fromkeys(name for start in (*pages, ENTRY) for name in needed[start]))
    return {
        pack: _pack(pack, [name for name in order if home[name] == pack], modules, home)
        for pack in (ENTRY, *shared.values(), *pages)
    }


def write(source: Path, target: Path) -> None:
    """Write all files of the pages to a folder, their modules packed; the minifier is used where it is installed."""
    for path in source.rglob("*"):
        name = path.relative_to(source).as_posix()
        if path.suffix in KEPT and not name.startswith(PACKED):
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            (target / name).write_bytes(path.read_bytes())
    for name, text in packed(source).items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_text(minified(text), encoding="utf-8")
    for path in [each for each in target.rglob("*") if each.suffix in GZIPPED]:
        path.with_name(f"{path.name}.gz").write_bytes(gzipped(path.read_bytes()))


def gzipped(body: bytes) -> bytes:
    """Return a file gzipped as it is sent: by zopfli where it is installed, which takes a second for 3 % less."""
    try:
        from zopfli.gzip import compress
    except ImportError:
        return gzip.compress(body, 9, mtime=0)
    return bytes(compress(body))


def minified(text: str) -> str:
    """Return a module without comments, white space and long local names; as it is where there is no minifier."""
    try:
        from minify import string  # tdewolff-minify; its wheels are for Linux and Windows
    except ImportError:
        return text
    # Indentation means nothing in code, and htm drops it from templates.
    return str(string("application/javascript", re.sub(r"\n[ \t]+", "\n", text)))


def read(name: str, text: str) -> Module:
    """Return a module by its text."""
    imports: dict[str, list[tuple[str, str]]] = {}
    exports: dict[str, str] = {}

    def beside(path: str) -> str:
        parts: list[str] = []
        for part in (PurePosixPath(name).parent / path).parts:
            parts = parts[:-1] if part == ".." else [*parts, part]
        return "/".join(parts)

    def pairs(listed: str) -> list[tuple[str, str]]:
        halves = [each.strip().partition(" as ") for each in listed.split(",") if each.strip()]
        return [(first, other or first) for first, _, other in halves]

    def take(found: re.Match[str]) -> str:
        taken = [("default", found[1])] if found[1] else pairs(found[2])
        imports.setdefault(beside(found[3]), []).extend(taken)
        return ""

    def hand_on(found: re.Match[str]) -> str:
        for inner, outer in pairs(found[1]):
            own = f"{inner}$"
            imports.setdefault(beside(found[2]), []).append((inner, own))
            exports[outer] = own
        return ""

    def give(found: re.Match[str]) -> str:
        exports.update({outer: inner for inner, outer in pairs(found[1])})
        return ""

    def give_one(found: re.Match[str]) -> str:
        exports["default"] = "default$"
        return "const default$="

    def declare(found: re.Match[str]) -> str:
        exports[found[2]] = found[2]
        return f"{found[1]} {found[2]}"

    body = _IMPORT.sub(take, text)
    body = _LISTED.sub(give, _PASSED.sub(hand_on, body))
    body = _DECLARED.sub(declare, _DEFAULT.sub(give_one, body))
    if left := re.search(r"(?:^|[;}])(?:import|export)\b(?!\()[^;]{0,60}", body, re.MULTILINE):
        raise ValueError(f"{name}: a form that is not read: {left[0]!r}")
    return Module(body, imports, exports, [beside(path) for path in _LATER.findall(body)])


def _order(modules: Mapping[str, Module], start: str) -> list[str]:
    """Return a module after all that it imports."""
    found: list[str] = []
    above: list[str] = []

    def visit(name: str) -> None:
        if name in above:
            raise ValueError(f"modules import each other: {' → '.join([*above, name])}")
        if name not in found:
            above.append(name)
            for other in modules[name].imports:
                visit(other)
            above.pop()
            found.append(name)

    visit(start)
    return found


def _pack(pack: str, names: list[str], modules: Mapping[str, Module], home: Mapping[str, str]) -> str:
    """Return the text of a pack; its entry or page keeps its exports and may wait, others are functions run once."""
    number = {name: f"m{at}" for at, name in enumerate(sorted(modules))}
    foreign: dict[str, set[str]] = {}
    parts: list[str] = []
    for name in names:
        module = modules[name]
        for other in module.imports:
            if home[other] != pack:
                foreign.setdefault(home[other], set()).add(number[other])
        takes = "".join(f"const {{{_fields(taken)}}}={number[other]};\n" for other, taken in module.imports.items())
        if name == pack:
            gives = ",".join(f"{inner} as {outer}" for outer, inner in module.exports.items())
            parts.append(f"{takes}{module.body}\n" + (f"export{{{gives}}};\n" if gives else ""))
        else:
            gives = _fields(module.exports.items())
            parts.append(f"const {number[name]}=(()=>{{\n{takes}{module.body}\nreturn {{{gives}}}}})();\n")
    heads = [f'import{{{",".join(sorted(taken))}}}from"/ui/{other}";\n' for other, taken in sorted(foreign.items())]
    used = sorted(number[name] for name in names if name != pack and _is_used(name, pack, modules, home))
    return "".join([*heads, *parts]) + (f"export{{{','.join(used)}}};\n" if used else "")


def _fields(pairs: Iterable[tuple[str, str]]) -> str:
    """Return fields of an object with what they hold, as it is made or taken apart."""
    return ",".join(name if name == held else f"{name}:{held}" for name, held in pairs)


def _is_used(name: str, pack: str, modules: Mapping[str, Module], home: Mapping[str, str]) -> bool:
    return any(name in module.imports and home[other] != pack for other, module in modules.items())
