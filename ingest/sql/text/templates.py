"""Template parts made harmless, so that a parser may read the text; nothing in them is ever run.

The meaning of a part follows from its position: joined to a name or after FROM it is a name and stays readable as one
(a table ``db_${env}.t`` becomes the quoted name that it is written as), between operators it is a value (NULL), after a
whole operand it is a piece of a clause and is removed. Strings keep their templates as text: a string's value moves no
edge.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from ingest.sql.dialects.engine import tokenizer_of
from ingest.sql.dialects.registry import rules_or_standard
from ingest.sql.dialects.rules import Rules
from ingest.sql.text.jinja import resolve_blocks, resolve_expression
from ingest.sql.text.parts import Neutralised, Part, label_of_part, name_of_part, own_label_of_part
from ingest.sql.text.places import NAME, OPERAND, QUERY, TYPE, Place
from ingest.sql.text.regions import CODE, COMMENT, TEMPLATE, Region, scanner_of
from ingest.sql.words import words

_NOTHING: Final[Mapping[str, str]] = MappingProxyType({})
_ANY: Final = re.compile(r"\{\{|\{%|\$(?:[(\[A-Za-z_]|\{(?!\{))|:['\"]?\w|&[{\w]|@\w|\?")
_MARK: Final = re.compile(rf"{_ANY.pattern}|\{{#")
_INSIDE: Final = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\$\{(?!\{)[^}]*\}|\$\([\w-]+\)", re.DOTALL)
_VARIABLE: Final = re.compile(r"\$[A-Za-z_]\w*|(?<![:\w\])}]):\w+|(?<!@)@\w+")
# A word at the end, or in front of $ or @, may be glued to what follows.
_PIECE: Final = re.compile(rf"(?P<word>\w+(?![\w$@]|\Z))|(?P<glued>\w+)|(?P<variable>{_VARIABLE.pattern})|(?P<sign>\S)")
_PREFIX: Final = re.compile(r"(?:hivevar|hiveconf|system|env):", re.IGNORECASE)
#: The start of a statement, and ``SET x = …`` or ``SET (x, y) = …`` where it is that; comments are passed over once.
_SETTING: Final = re.compile(
    r"(?:\A|;)(?:\s++|--[^\n]*+\n?+)*+(?:set\s++(?:\(([\w\s,]++)\)|(\w++))\s*+=)?", re.IGNORECASE
)
#: What is in front of INTO; after these words it names a table.
_INTO: Final = re.compile(r"(\w+|\S)\s+into\s+\Z", re.IGNORECASE)
_WRITE_INTO: Final = words("insert overwrite merge copy all first then else into")
_LONGEST_GAP: Final = 200
#: The most characters of values that replace template parts; a short text may name a long value many times.
MAX_INSERTED: Final = 4 << 20
#: The placeholder of a value that is not passed, where texts are compared: a function of the part's name.
PART_FUNCTION: Final = "lineage_tt_part"
#: A piece of a text: what it is (space, word, sign, variable, string, identifier, template), its text, its offset.
Piece = tuple[str, str, int]


def neutralise(
    sql: str,
    params: Mapping[str, str] = _NOTHING,
    *,
    dialect: str = "",
    this: str = "",
    branch: int = 0,
    marked: bool = False,
) -> Neutralised:
    """Return ``sql`` with its template parts replaced by given values, or by something harmless.

    ``this`` is the value of dbt's ``{{ this }}``; ``branch`` chooses the branch of every ``{% if %}`` that
    has an ``else``. With ``marked`` a value that is not given is written as a call that names it, so that texts can be
    compared. Newlines are as many as before, so that problems point at the right line.
    """
    rules = rules_or_standard(dialect)
    if _holds_no_part(sql, params, rules):
        return Neutralised(sql)
    return _Neutraliser(sql, params, rules, this, marked=marked).run(branch)


def _set_names(sql: str) -> frozenset[str]:
    """Return the lower-case names of the session variables that a text sets itself."""
    listed = (match[1] or match[2] for match in _SETTING.finditer(sql))
    return frozenset(name.strip().lower() for names in listed if names for name in names.split(","))


def _holds_no_part(sql: str, params: Mapping[str, str], rules: Rules) -> bool:
    """Whether nothing in a text, strings and comments included, looks like a template part; ``@x`` may be its own."""
    own_variables = rules.at_is_variable and not params
    return all(own_variables and match[0][0] == "@" for match in _ANY.finditer(sql))


class _Neutraliser:
    """One text on its way through: the output so far, what came before, and the problems."""

    def __init__(self, sql: str, params: Mapping[str, str], rules: Rules, this: str, *, marked: bool) -> None:
        self._marked = marked
        self._lossy = False
        self._left = MAX_INSERTED
        self._sql = sql
        self._params = {name: " ".join(value.splitlines()) for name, value in params.items()}
        if this:
            self._params.setdefault("this", this)
        self._rules = rules
        self._out: list[str] = []
        self._parts: list[Part] = []
        self._place = Place()
        self._own = _set_names(sql) if rules.variables.set_gives_dollar else frozenset()

    def run(self, branch: int) -> Neutralised:
        scanner = scanner_of(self._rules, templated=True)
        marked = list(scanner.holding(self._sql, (match.start() for match in _MARK.finditer(self._sql))))
        if all(self._is_plain(region) for region in marked):
            return self._quoted_parts_only(marked)
        regions = list(scanner.regions(self._sql))
        standing = resolve_blocks(self._sql, regions, branch, self._params)
        self._params = standing.constants | self._params
        self._parts = [Part(name, start, "block", False) for name, start in standing.conditions]
        compound: list[Piece] = []
        for region, stands in zip(regions, standing.flags, strict=True):
            text = self._sql[region.start : region.end]
            if not stands:
                self._piece("space", " " + "\n" * text.count("\n"), region.start, compound)
            elif region.kind == CODE:
                self._code(text, region.start, compound)
            else:
                self._piece("space" if region.kind == COMMENT else region.kind, text, region.start, compound)
        self._close(compound, "")
        return self._result(standing.branches)

    def _code(self, text: str, start: int, compound: list[Piece]) -> None:
        """Take in code: its words, signs, spaces and variables. Most of a text is this, so it is divided here."""
        out, place = self._out, self._place
        done = end = 0  # what of the text is written; where the open compound ends
        for match in _PIECE.finditer(text):
            kind, piece, at = match.lastgroup, match[0], match.start()
            if compound and at > end:
                self._close(compound, " ")
                done = end
            if (
                kind == "glued"
                or (compound and kind == "word")
                or (kind == "variable" and self._is_part(piece, start + at))
            ):
                if not compound:
                    out.append(text[done:at])
                compound.append(("variable" if kind == "variable" else "word", piece, start + at))
                end = match.end()
                continue
            if compound:
                self._close(compound, piece)
                done = at
            if kind == "word":
                place.saw_word(piece)
            else:  # a variable of the text's own is a sign
                place.saw(piece)
        if compound and end < len(text):
            self._close(compound, " ")
            done = end
        if not compound:
            out.append(text[done:])

    def _piece(self, kind: str, text: str, start: int, compound: list[Piece]) -> None:
        """Take in what is not code; template parts wait in ``compound`` for what is joined to them."""
        if kind == TEMPLATE:
            compound.append((kind, text, start))
            return
        self._close(compound, text)
        if kind in ("string", "identifier"):
            text = self._inside(text, start, quoted_name=kind == "identifier")
            self._place.saw_operand()
        self._out.append(text)

    def _is_plain(self, region: Region) -> bool:
        """Whether a region holds no template part outside of quotes: a long text is then not taken word by word."""
        if region.kind != CODE:
            return region.kind != TEMPLATE
        matches = _VARIABLE.finditer(self._sql, region.start, region.end)
        return all(each[0][0] != ":" and not self._is_part(each[0], each.start()) for each in matches)

    def _quoted_parts_only(self, regions: list[Region]) -> Neutralised:
        done = 0
        for region in regions:
            if region.kind in ("string", "identifier"):
                text = self._sql[region.start : region.end]
                self._out.append(self._sql[done : region.start])
                self._out.append(self._inside(text, region.start, quoted_name=region.kind == "identifier"))
                done = region.end
        self._out.append(self._sql[done:])
        return self._result(1)

    def _result(self, branches: int) -> Neutralised:
        parts = tuple(sorted(self._parts, key=lambda part: part.start))
        unknown = dict.fromkeys(p.name for p in parts if not p.known and p.role in ("name", "value", "clause", "block"))
        lossy = self._lossy or any(part.role == "block" for part in parts)
        return Neutralised("".join(self._out), tuple(unknown), parts, branches, lossy)

    def _is_part(self, text: str, start: int) -> bool:
        """Whether what looks like a variable means something else, and is not the text's own."""
        glued = start > 0 and (self._sql[start - 1].isalnum() or self._sql[start - 1] in "_.")
        if text[0] == "$" and self._rules.dollar == "column":  # T-SQL's $action, $identity …
            return text[1:] in self._params
        if text[0] == "$":
            is_own = text[1:].lower() in self._own and text[1:] not in self._params
            return not is_own and not (glued and self._rules.dollar == "name")
        if text[0] == ":":
            is_name = self._place.expects == NAME and not self._takes_row(start)
            return text[1].isdigit() or text[1:] in self._params or is_name
        return not self._rules.at_is_variable and text[1:] in self._params

    def _takes_row(self, start: int) -> bool:
        """Whether a colon is in front of a variable of ``SELECT … INTO :x``, not of a table's name."""
        if self._rules.variables.colon == "bind" or self._place.before != "into":
            return False
        before = _INTO.search(self._sql, max(0, start - _LONGEST_GAP), start)
        return before is not None and before[1].lower() not in _WRITE_INTO

    def _close(self, compound: list[Piece], following: str) -> None:
        """Write the words and template parts that are joined together; ``following`` is what comes next."""
        if not compound:
            return
        if len(compound) == 1 and compound[0][0] == "word":
            self._out.append(compound[0][1])
            self._place.saw_word(compound[0][1])
        else:
            self._out.append(self._compound(compound, following))
            self._out.append("\n" * sum(text.count("\n") for _, text, _ in compound))
        compound.clear()

    def _compound(self, compound: list[Piece], following: str) -> str:
        values = [text if kind == "word" else self._value(text) for kind, text, _ in compound]
        unknown = [value is None for value in values]
        dotted = following == "." or (bool(self._out) and self._out[-1].endswith("."))
        expects = self._place.expects
        if not any(unknown) or (len(compound) > 1 or dotted or following == "("):
            role = "name"
        else:
            role = {NAME: "name", OPERAND: "value", QUERY: "value", TYPE: "value"}.get(expects, "clause")
        for (kind, text, start), value in zip(compound, values, strict=True):
            if kind != "word":
                bind = role != "name" and (text[0] in ":@" or (role == "value" and text.startswith("$[")))
                self._parts.append(Part(name_of_part(text), start, "bind" if bind else role, value is not None))
        joined = "".join(text if value is None else value for (_, text, _), value in zip(compound, values, strict=True))
        if not any(unknown):
            for word in re.findall(r"\w+|\S", joined):
                self._place.saw_word(word) if word[0].isalnum() else self._place.saw(word)
            return joined
        if role == "name":
            self._place.saw_operand()
            return self._quoted(
                "".join(label_of_part(t) if v is None else v for (_, t, _), v in zip(compound, values, strict=True))
            )
        label = own_label_of_part if self._marked else label_of_part
        return self._placeholder(role, "".join(label(text) for _, text, _ in compound))

    def _placeholder(self, role: str, label: str) -> str:
        if role == "clause" or self._place.expects == TYPE:
            self._lossy = True
        if role == "clause":
            return " "
        value = f"{PART_FUNCTION}('{label}')" if self._marked else "NULL"
        text = {QUERY: f"SELECT {value}", TYPE: "INT"}.get(
            self._place.expects, f"({value})" if self._place.before == "in" else value
        )
        self._place.saw_operand()
        return text if text.startswith("(") else f" {text} "

    def _value(self, text: str) -> str | None:
        """Return the value of a part; None for one that is not given, or beyond ``MAX_INSERTED``."""
        value = self._lookup(text)
        self._left -= len(value or "")
        return value if self._left >= 0 else None

    def _lookup(self, text: str) -> str | None:
        name = name_of_part(text)
        if text.startswith("{{"):
            return resolve_expression(name, self._params)
        if (inserted := self._params.get(text)) is not None:  # what a script's own client sets
            return inserted
        result = self._params.get(name, self._params.get(_PREFIX.sub("", name)))
        if result is not None and text[0] in ":@" and self._place.expects == OPERAND:
            return result if re.fullmatch(r"-?[\d.]+|'[^']*'", result) else "'" + result.replace("'", "''") + "'"
        return result

    def _quoted(self, name: str) -> str:
        opening, closing = ("`", "`") if "`" in tokenizer_of(self._rules).IDENTIFIERS else '""'
        return f"{opening}{name}{closing}"

    def _inside(self, text: str, start: int, *, quoted_name: bool) -> str:
        """A string or quoted name with its template parts as harmless text, or their values."""

        def harmless(match: re.Match[str]) -> str:
            value = None if match[0].startswith("{%") else self._value(match[0])
            role = "name" if quoted_name else "text"
            self._parts.append(Part(name_of_part(match[0]), start + match.start(), role, value is not None))
            lines = "\n" * match[0].count("\n")
            if value is not None:
                return re.sub(r"[\"'`\\]", "_", value) + lines
            return (
                label_of_part(match[0]) if quoted_name else re.sub(r"[\"'`\\]", "_", match[0]).replace("\n", " ")
            ) + lines

        if len(text) < 2 or not ("{" in text or (quoted_name and "$(" in text)):
            return text
        return text[0] + _INSIDE.sub(harmless, text[1:-1]) + text[-1]
