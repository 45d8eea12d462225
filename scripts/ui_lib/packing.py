"""The pages' modules as one: what they share in one scope, each page in a function that runs when it is first shown.

Modules give up their own scopes, so that an import costs nothing and a name is short everywhere; two of them that share
a scope may therefore not declare the same name. Libraries keep theirs. Written in Python, and run when the wheel is
built: a server serves files and nothing else.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

#: What begins, and the name of the one module that is served.
ENTRY: Final = "app/main.js"
#: Modules of others: their names are theirs.
LIBRARIES: Final = "vendor/"
#: Where a wheel has the pack, below the folder of the modules; and which files are beside it as they are.
PACKED: Final = "packed"
KEPT: Final = (".html", ".css", ".json", ".svg", ".txt")
#: What is sent gzipped, as it was written here.
GZIPPED: Final = (".html", ".css", ".js", ".json", ".svg")
#: Names of browsers that a module may mean when it declares none of the kind: no module may declare them.
GLOBALS: Final = re.compile(
    r"Array|Blob|Boolean|Comment|Date|Document|Element|Error|Event|File|Headers|History|Image|Intl|Map|Math|Node|Number"
    r"|Object|Option|Promise|Range|Request|Response|Selection|Set|String|Symbol|Text|URL|alert|blur|caches|close|closed"
    r"|confirm|document|event|external|fetch|find|focus|frames|history|length|location|name|navigator|open|opener"
    r"|origin|parent|performance|print|prompt|screen|scroll|self|status|stop|top|window"
)
_BRACES: Final = r"\{([^}]*)\}"
_IMPORT: Final = re.compile(rf'(?:^|(?<=[;}}]))import\s*(?:(\w+)|{_BRACES})\s*from\s*"(\.[^"]+)";?', re.MULTILINE)
_PASSED: Final = re.compile(rf'(?:^|(?<=[;}}]))export\s*{_BRACES}\s*from\s*"(\.[^"]+)";?', re.MULTILINE)
_LISTED: Final = re.compile(rf"(?:^|(?<=[;}}]))export\s*{_BRACES};?", re.MULTILINE)
_DEFAULT: Final = re.compile(r"(?:^|(?<=[;}]))export default\s*", re.MULTILINE)
_DECLARED: Final = re.compile(r"^export ((?:async )?function|const|class) (\w+)", re.MULTILINE)
_AT_TOP: Final = re.compile(r"^(?:(?:async )?function\*?|const|let|class) *(\w*)", re.MULTILINE)
#: A page that is loaded when it is first shown; types in comments look alike but for the arrow.
_LATER: Final = re.compile(r'=> import\("(\.[^"]+)"\)')
#: Line breaks that htm drops: before a tag or a value at the begin of a line.
_DROPPED: Final = re.compile(r"\n\s*(?=<[/\w$]|\$\{)")


class Module(NamedTuple):
    """A module: its body, the names it imports by module, those it exports, and the modules it loads later."""

    body: str
    imports: dict[str, list[tuple[str, str]]]
    exports: dict[str, str]
    later: dict[str, str]


def packed(folder: Path) -> str:
    """Return the pack of a folder of modules; ENTRY must be among them.

    Raises ValueError for a form of import or export that is not read, for modules that import each other, and for a
    name that is declared twice in a scope, or is the browser's.
    """
    modules: dict[str, Module] = {}
    waiting = [ENTRY]
    while waiting:
        name = waiting.pop()
        if name not in modules:
            modules[name] = read(name, (folder / name).read_text(encoding="utf-8"))
            waiting += [*modules[name].imports, *modules[name].later.values()]
    pages = list(dict.fromkeys(path for module in modules.values() for path in module.later.values()))
    needed = {start: _order(modules, start) for start in (ENTRY, *pages)}
    users = {name: [start for start in needed if name in needed[start]] for name in modules}
    if called := [page for page in pages if users[page] != [page]]:
        raise ValueError(f"{called} are pages, and others import them")
    alone = {page: [name for name in needed[page] if users[name] == [page]] for page in pages}
    of_one = {name for names in alone.values() for name in names}
    order = dict.fromkeys(name for start in (*pages, ENTRY) for name in needed[start] if name not in of_one)
    shared = [name for name in order if name != ENTRY]
    number = {name: f"m{at}" for at, name in enumerate(sorted(modules))}
    for scope in alone.values() if pages else [[]]:
        _check(modules, [*shared, ENTRY, *scope])
    parts = [_scoped(name, modules, number) for name in shared]
    for page in pages:
        body = "".join(_scoped(name, modules, number) for name in alone[page])
        exports = _fields(modules[page].exports.items())
        parts.append(f"const f{number[page]}=async()=>{{\n{body}return {{{exports}}}}};let p{number[page]};\n")
    return "".join(["(async()=>{\n", *parts, _scoped(ENTRY, modules, number), "})();\n"])


def write(source: Path, target: Path) -> None:
    """Write all files of the pages to a folder, their modules packed; the minifier is used where it is installed."""
    for path in source.rglob("*"):
        name = path.relative_to(source).as_posix()
        if path.suffix in KEPT and not name.startswith(PACKED):
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            (target / name).write_bytes(path.read_bytes())
    (target / ENTRY).write_text(minified(packed(source)), encoding="utf-8")
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
    return str(string("application/javascript", re.sub(r"\n[ \t]+", "\n", _DROPPED.sub("", text))))


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

    def take(match: re.Match[str]) -> str:
        taken = [("default", match[1])] if match[1] else pairs(match[2])
        imports.setdefault(beside(match[3]), []).extend(taken)
        return ""

    def hand_on(match: re.Match[str]) -> str:
        for inner, outer in pairs(match[1]):
            own = f"{inner}$"
            imports.setdefault(beside(match[2]), []).append((inner, own))
            exports[outer] = own
        return ""

    def give(match: re.Match[str]) -> str:
        exports.update({outer: inner for inner, outer in pairs(match[1])})
        return ""

    def give_one(match: re.Match[str]) -> str:
        exports["default"] = "default$"
        return "const default$="

    def declare(match: re.Match[str]) -> str:
        exports[match[2]] = match[2]
        return f"{match[1]} {match[2]}"

    body = _IMPORT.sub(take, text)
    body = _LISTED.sub(give, _PASSED.sub(hand_on, body))
    body = _DECLARED.sub(declare, _DEFAULT.sub(give_one, body))
    if left := re.search(r"(?:^|[;}])(?:import|export)\b(?!\()[^;]{0,60}", body, re.MULTILINE):
        raise ValueError(f"{name}: a form that is not read: {left[0]!r}")
    return Module(body, imports, exports, {path: beside(path) for path in _LATER.findall(body)})


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


def _check(modules: Mapping[str, Module], scope: Iterable[str]) -> None:
    """Raise ValueError where modules that are to share a scope would take a name from each other or the browser."""
    by: dict[str, str] = {}
    for name in scope:
        if name.startswith(LIBRARIES):
            continue
        for declared in _AT_TOP.findall(modules[name].body):
            if not declared:
                raise ValueError(f"{name}: a pattern is declared at its top, whose names are not read")
            if GLOBALS.fullmatch(declared):
                raise ValueError(f"{name} declares {declared!r}, which is a browser's name")
            if declared in by:
                raise ValueError(f"{by[declared]} and {name} declare {declared!r}, and share a scope")
            by[declared] = name


def _scoped(name: str, modules: Mapping[str, Module], number: Mapping[str, str]) -> str:
    """Return a module as a part of a scope: a library in a function of its own, others as they are."""
    module = modules[name]
    library = name.startswith(LIBRARIES)
    takes: list[str] = []
    for other, taken in module.imports.items():
        if other.startswith(LIBRARIES):
            takes.append(f"const {{{_fields(taken)}}}={number[other]};\n")
            continue
        exports = modules[other].exports
        takes += [f"const {inner}={exports[outer]};\n" for outer, inner in taken if exports[outer] != inner]
    body = "".join(takes) + _LATER.sub(lambda match: _loading(number[module.later[match[1]]]), module.body)
    if not library:
        return f"{body}\n"
    used = {outer for each in modules.values() for outer, _ in each.imports.get(name, ())}
    gives = _fields((outer, inner) for outer, inner in module.exports.items() if outer in used)
    return f"const {number[name]}=(()=>{{\n{body}\nreturn {{{gives}}}}})();\n"


def _loading(page: str) -> str:
    """Return what runs a page's modules once."""
    return f"=> (p{page} ??= f{page}())"


def _fields(pairs: Iterable[tuple[str, str]]) -> str:
    """Return fields of an object with what they hold, as it is made or taken apart."""
    return ",".join(name if name == held else f"{name}:{held}" for name, held in pairs)
