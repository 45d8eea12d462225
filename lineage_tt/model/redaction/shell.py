"""Credentials in shell commands: options of known programs, long options, variables, and text piped into a prompt.

So are those in the lines of a script that the engine's client reads: ``\\set``, ``:setvar``, ``DEFINE``, ``.LOGON``.

``mysql -psecret`` does not contain the word password, but ``-p`` is that option of that program. In SQL, ``a -p1`` is a
subtraction, so short options count only after the program's name, up to the end of its command. Each pattern reads a
bounded number of characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from lineage_tt.model.redaction.positional import MASK

_VALUE: Final = (
    r"(?P<value>(?:'[^']{0,1024}+(?:'|\Z)|\"(?:[^\"\\]|\\.){0,1024}+(?:\"|\Z)|\\.|[^\s'\"\\]{1,4096}+){1,64}+)"
)
_OPTION: Final = r"(?P<name>(?<=\s)"
#: ``-psecret`` in one word: with a space between, the program asks for the password, and the next word is a database.
_ATTACHED: Final = re.compile(rf"{_OPTION}-p){_VALUE}", re.DOTALL)


def _options(*names: str) -> re.Pattern[str]:
    return re.compile(rf"{_OPTION}(?:{'|'.join(names)})(?:\s{{1,8}}|=)?)(?!-){_VALUE}", re.DOTALL)


def _users(options: str, mark: str) -> re.Pattern[str]:
    user = rf"(?:{options})(?:\s{{1,8}}|=)?['\"]?[^\s{mark}'\"-][^\s{mark}'\"]{{0,255}}{mark}"
    return re.compile(rf"{_OPTION}{user})(?P<value>[^\s'\"]{{1,1024}}+)", re.DOTALL)


_MYSQL: Final = ("mysql", "mysqldump", "mysqladmin", "mysqlimport", "mysqlsh", "mysqlpump", "mysqlbinlog", "mysqlslap",
                 "mysqlcheck", "mysqlshow", "mariadb", "mariadb-dump", "mariadb-admin", "mariadb-import")  # fmt: skip
_ORACLE: Final = ("sqlplus", "sqlldr", "expdp", "impdp", "rman")
_LOGIN: Final = re.compile(rf"{_OPTION}['\"]?[A-Za-z][\w$#]{{0,127}}/)(?P<value>[^\s@/'\"]{{1,256}}+)(?=[@\s'\"]|\Z)")
#: The pattern of the options to mask, by the program's name.
_PROGRAMS: Final = {
    **dict.fromkeys(_MYSQL, _ATTACHED),
    **dict.fromkeys(("sqlcmd", "bcp", "osql", "isql", "tsql", "mosquitto_pub", "mosquitto_sub"), _options("-P")),
    **dict.fromkeys(
        ("sshpass", "beeline", "mongo", "mongosh", "mongodump", "mongorestore", "mongoexport", "mongoimport", "cqlsh",
         "hdbsql", "docker login", "podman login", "az login", "plsql"),
        _options("-p"),
    ),
    **dict.fromkeys(_ORACLE, _LOGIN),
    **dict.fromkeys(("vsql", "ldapsearch", "ldapmodify"), _options("-w")),
    **dict.fromkeys(("plink", "pscp", "psftp", "nzsql", "nzload"), _options("-pw", "-W")),
    "redis-cli": _options("-a"),
    "curl": _users("-u|--user|-U|--proxy-user", ":"),
    "lftp": _users("-u", ","),
    "smbclient": _users("-U|--user", "%"),
    "openssl": _options("-k", "-K", "-pass(?:in|out)?"),
    "influx": _options("-password"),
}  # fmt: skip
_COMMAND: Final = re.compile(
    rf"(?<![\w.$-])(?P<program>{'|'.join(sorted(map(re.escape, _PROGRAMS), key=len, reverse=True))})(?P<rest>\s"
    r"(?:'(?:[^']{0,1024}+')?|\"(?:(?:[^\"\\]|\\.){0,1024}+\")?|\\.|[^\n;|&'\"\\]){1,2048}+)",
    re.DOTALL,
)
_NAMES: Final = (
    r"(?:[A-Za-z0-9]{1,20}[._-]){0,6}?(?:passw(?:or)?d|passphrase|pass|pwd|token|secret|credentials?|"
    r"(?:api|access|account|secret|auth|private|sas)[._-]?(?:access[._-]?)?(?:key|token)|client[._-]?secret)(?:[._-]cmd)?"
)
#: ``--password secret``; in SQL this would be a comment, and masking it does no harm.
_LONG: Final = re.compile(rf"(?P<name>(?<![\w-])--{_NAMES}(?:=|[ \t]{{1,8}}))(?![-=*]){_VALUE}", re.DOTALL)
#: ``-Dfs.s3a.secret.key=…``, ``export DB_PASSWORD=…``.
_DEFINED: Final = re.compile(
    rf"(?P<name>(?:(?<=\s)-[DJ]\s?|\A-[DJ]\s?|\b(?:export|setenv|env|docker\s{{1,4}}run\s{{1,4}}-e)\s{{1,8}})"
    rf"(?:[A-Za-z0-9]{{1,40}}[._-]){{0,8}}?{_NAMES}(?:=|(?<=\w)[ \t]{{1,4}}(?==)))(?![*]){_VALUE}",
    re.IGNORECASE | re.DOTALL,
)
_VARIABLE: Final = re.compile(
    r"(?P<name>(?<![\w.$])(?:PGPASSWORD|MYSQL_PWD|AWS_SECRET_ACCESS_KEY|AWS_SESSION_TOKEN|SNOWSQL_PWD|REDISCLI_AUTH|SSHPASS|"
    rf"VAULT_TOKEN|GITHUB_TOKEN|GH_TOKEN|DATABRICKS_TOKEN|SNOWFLAKE_PASSWORD)=)(?![*]){_VALUE}",
    re.DOTALL | re.IGNORECASE,
)
#: ``?token=…`` in a URL outside any string.
_URL: Final = re.compile(
    rf"(?P<name>\b[a-z][a-z0-9+.-]{{1,15}}://[^\s'\"?]{{1,256}}\?(?:[^\s'\"&]{{1,512}}&){{0,16}}?"
    rf"(?:{_NAMES}|sig(?:nature)?|x-amz-(?:signature|credential|security-token))=)(?![*])(?P<value>[^\s'\"&#]{{1,4096}}+)",
    re.IGNORECASE,
)
#: ``;password=…`` in an address of JDBC outside any string.
_JDBC: Final = re.compile(
    rf"(?P<name>\bjdbc:[^\s'\";?]{{1,256}}(?:[;?&][^\s'\";&]{{1,256}}){{0,16}}?[;?&]{_NAMES}=)(?![*])(?P<value>[^\s'\";&]{{1,1024}}+)",
    re.IGNORECASE,
)
_PIPED: Final = re.compile(
    r"(?P<name>\b(?:echo|printf)\s{1,8}(?:-\w{1,4}\s{1,8})?)(?![$*])"
    rf"{_VALUE}(?=\s{{0,8}}\|\s{{0,8}}(?:sudo\s{{1,8}}-S|kinit|docker\s{{1,8}}login|gpg|openssl|cryptsetup|su\b|passwd|chpasswd))",
    re.DOTALL,
)
_HERE: Final = re.compile(rf"(?P<name>\b(?:kinit|gpg|su)\b[^\n;|&<]{{0,256}}<<<\s{{0,8}}){_VALUE}", re.DOTALL)
_LOGON: Final = re.compile(
    r"(?P<name>(?:\.logon\s{1,8}(?:[\w.-]{1,255}/)?|(?:\A|;)\s{0,80}logon\s{1,8}[\w.-]{1,255}/)\w{1,128}\s?,\s?)"
    r"(?P<value>'[^'\n]{1,256}'|\"[^\"\n]{1,256}\"|[^\s;'\"]{1,256}+)",
    re.IGNORECASE,
)
_CLIENT_NAMES: Final = (
    r"(?:\w{0,40}(?:passw(?:or)?d|pwd|passphrase)|(?:\w{1,40}_)?(?:pw|secret|(?:api|access|account|secret|private)_?key|"
    r"(?:auth|access|api|session|bearer)_?token)|token)"
)
#: A variable of the client: ``\\set password x``, ``:setvar DbPassword "x"``, ``DEFINE pwd = x``.
_LINE: Final = re.compile(
    rf"(?P<name>(?:\A|\n)[ \t]{{0,80}}(?:(?:\\set|:setvar)[ \t]{{1,8}}{_CLIENT_NAMES}[ \t]{{1,8}}|"
    rf"def(?:ine)?[ \t]{{1,8}}{_CLIENT_NAMES}[ \t]{{0,8}}=[ \t]{{0,8}}))"
    r"(?P<value>'[^'\n]{1,1024}'|\"[^\"\n]{1,1024}\"|[^\s'\"=][^\n]{0,1024})",
    re.IGNORECASE,
)
#: Beeline's: an address, a user and a password.
_BEELINE: Final = re.compile(
    r"(?P<name>!connect[ \t]{1,8}\S{1,1024}[ \t]{1,8}\S{1,256}[ \t]{1,8})(?P<value>\S{1,256}+)"
)
_DB2: Final = re.compile(
    rf"(?P<name>\bconnect\s{{1,8}}to\s{{1,8}}\w{{1,128}}\s{{1,8}}user\s{{1,8}}\S{{1,128}}\s{{1,8}}using\s{{1,8}}){_VALUE}",
    re.IGNORECASE | re.DOTALL,
)
_HIDDEN: Final = re.compile(r"\$\{?\w{1,80}\}?")
#: A reference to a variable of a client, or of a template, in a line of a client.
_REFERENCE: Final = re.compile(r"\$\(\w{1,80}\)|&{1,2}\w{1,80}\.?|:'?\w{1,80}'?|\{\{[^{}]{1,200}\}\}")
_CALLED: Final = tuple(sorted(_PROGRAMS))
#: Every text in which the pattern of that name finds anything contains one of these.
_SHORT: Final = (" -p", " -P", " -a", " -u", " -U", " -w", " -W", " -k", " -K", " --user", " --proxy-user")
_DEFINITIONS: Final = ("-D", "-J", "export ", "setenv ", "env ", " -e ")
_VARIABLES: Final = ("pgpassword=", "_pwd=", "aws_se", "rediscli_auth=", "sshpass=", "_token=", "snowflake_password=")


def mask_commands(text: str, lowered: str) -> str:
    """Return a text with the credentials of commands masked; ``lowered`` is the text in lower case."""
    if (_holds(text, _SHORT) and _holds(text, _CALLED)) or ("/" in text and _holds(text, _ORACLE)):
        text = _COMMAND.sub(_masked_command, text)
    if "--" in text:
        text = _LONG.sub(_masked_option, text)
    if "=" in text and _holds(text, _DEFINITIONS):
        text = _DEFINED.sub(_masked, text)
    if "=" in text and _holds(lowered, _VARIABLES):
        text = _VARIABLE.sub(_masked, text)
    if "://" in text and "?" in text:
        text = _URL.sub(_masked, text)
    if "|" in text and ("echo" in text or "printf" in text):
        text = _PIPED.sub(_masked, text)
    if "<<<" in text:
        text = _HERE.sub(_masked, text)
    if "logon" in lowered:
        text = _LOGON.sub(_masked, text)
    if "\\set" in lowered or ":setvar" in lowered or "def" in lowered:
        text = _LINE.sub(_masked_line, text)
    if "!connect" in text:
        text = _BEELINE.sub(_masked, text)
    if "jdbc:" in lowered and "=" in text:
        text = _JDBC.sub(_masked, text)
    if "using" in lowered and "connect" in lowered:
        text = _DB2.sub(_masked, text)
    return text


def _holds(text: str, words: Iterable[str]) -> bool:
    return any(word in text for word in words)


def _masked_command(command: re.Match[str]) -> str:
    return command["program"] + _PROGRAMS[command["program"]].sub(_masked, command["rest"])


def _masked_option(match: re.Match[str]) -> str:
    """Return an option masked; at the start of a line it is an SQL comment, unless a command continues there."""
    text, start = match.string, match.start()
    line = text.rfind("\n", 0, start) + 1
    begins = line > 0 and not text[line:start].strip() and text[line - 2 : line - 1] != "\\"
    return match[0] if begins else _masked(match)


def _masked_line(match: re.Match[str]) -> str:
    return match[0] if _REFERENCE.fullmatch(match["value"].strip("'\" \t\r")) else _masked(match)


def _masked(match: re.Match[str]) -> str:
    """Return a match with its value masked; a reference to a variable stays, since it shows no value."""
    value = match["value"]
    bare = value.strip("'\"")
    if not bare or bare == MASK or _HIDDEN.fullmatch(bare):
        return match[0]
    quote = value[0] if value[0] in "'\"" else ""
    return f"{match['name']}{quote}{MASK}{quote}"
