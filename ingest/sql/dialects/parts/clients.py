"""What the client programs of an engine read themselves: lines that are no SQL, and their own variables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_NAME: Final = r"[A-Za-z_][\w-]*+"


@dataclass(frozen=True, slots=True)
class Client:
    """The client of a dialect; expressions are in lower and upper case."""

    lines: str = ""
    """How a line that is a command of the client begins, as an expression; "": there is none."""
    anywhere: bool = False
    """Such a line may come in the middle of a statement, too; elsewhere only where a statement may begin."""
    sends: str = ""
    """Those of these lines that end the statement in front of them."""
    copies: str = ""
    """The word of a line that is a COPY statement."""
    runs: str = ""
    """Those of these lines that run another script, or name another database; the expression ends before secrets."""
    sets: str = ""
    """A line that sets a variable: groups ``name`` and ``value``."""
    blocks: str = ""
    """How a line begins that opens a block; none in it is a command, up to a line of a slash or one with its END."""
    inserts: str = ""
    """The sign in front of a variable whose value is inserted as it is, though elsewhere it is a text's place."""
    parts: tuple[tuple[str, str], ...] = ()
    """How a variable is read: what it opens with, and the expression of the rest."""


NO_CLIENT: Final = Client()
PSQL: Final = Client(
    lines=r"\\\w|\\!",
    anywhere=True,
    sends=r"\\(?:g|gx|gset|gexec|gdesc|crosstabview|watch)\b",
    copies=r"\\copy\b",
    runs=r"\\(?:ir?|include(?:_relative)?)[ \t]+[^\s;]+|\\(?:c|connect|gexec|!)(?!\w)",
    sets=rf"\\set[ \t]+(?P<name>{_NAME})[ \t]+(?P<value>[^\n]+)",
    inserts=":",
    parts=((":'", r"(?<!::')\w++'"), (':"', r'(?<!::")\w++"')),
)
SQLPLUS: Final = Client(
    blocks=r"(?:declare|begin|create\s+(?:or\s+replace\s+)?(?:(?:non)?editionable\s+)?"
    r"(?:procedure|function|package|trigger|type))\b",
    lines=r"(?:set(?![ \t]+(?:role|transaction|constraints?)\b)|whenever|def(?:ine)?|undef(?:ine)?|spo(?:ol)?|"
    r"pro(?:mpt)?|rem(?:ark)?|acc(?:ept)?|col(?:umn)?|var(?:iable)?|print|show|sho|ttitle|btitle|break|clear|compute|pause|"
    r"timing|conn(?:ect)?|disconnect|host|start(?![ \t]+transaction\b)|exit|quit)(?![\w.(]|[ \t]*:=)|@@?[\w./&$]|!\w",
    runs=r"start[ \t]+[^\s;]+|(?:conn(?:ect)?|host)(?![\w.])|@@?[^\s;]+|!",
    sets=rf"def(?:ine)?[ \t]+(?P<name>{_NAME})[ \t]*=[ \t]*(?P<value>[^\n]+)",
    parts=(("&", r"&?+\w++\.?+"),),
)
SNOWSQL: Final = Client(
    lines=r"![a-z]",
    runs=r"!(?:source|load|connect|system)\b",
    sets=rf"!(?:define|set[ \t]+variables)[ \t]+(?P<name>{_NAME})[ \t]*=[ \t]*(?P<value>[^\n]+)",
    parts=(("&", r"(?:\{\w++\}|\w++)"),),
)
SQLCMD: Final = Client(
    lines=r":(?:setvar|r|on|connect|out|error|perftrace|quit|exit|reset|ed|list|listvar|serverlist|xml|help)\b|:?!!",
    anywhere=True,
    runs=r":r[ \t]+[^\s;]+|:connect\b|:?!!",
    sets=rf":setvar[ \t]+(?P<name>{_NAME})[ \t]+(?P<value>[^\n]+)",
    parts=(("$(", r"[\w-]++\)"),),
)
BTEQ: Final = Client(
    lines=r"\.[ \t]*[a-z]",
    runs=r"\.[ \t]*(?:run|os|tso|compile)\b",
)
DOT_COMMANDS: Final = Client(
    lines=r"\.[a-z]",
    runs=r"\.(?:read|import|open|restore|shell|system|sh)\b",
)
MYSQL_CLIENT: Final = Client(
    lines=r"(?:source|system|tee|notee|pager|nopager|warnings|nowarning|rehash|charset)(?![\w.(])|\\[.!]",
    runs=r"(?:source|\\\.)[ \t]+[^\s;]+|system\b|\\!",
)
