"""Credentials in texts: recognized by their shape in SQL, URLs and settings, and masked before they are stored.

Only the value is masked, so a statement still parses and names the setting. No list is complete: this keeps the usual
ways of writing a password out of the log, but it does not make a log full of secrets safe to publish.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

import orjson

from lineage_tt.model.redaction.positional import MASK, mask_positional
from lineage_tt.model.redaction.shell import mask_commands

#: Lists and objects that hold credentials are kept down to this level of nesting.
MAX_LEVELS: Final = 100
#: Names of credentials: in SQL (PASSWORD '…'), in settings ('fs.s3a.secret.key' = '…') and in JSON.
_NAMES: Final = (
    r"\w{0,40}passw(?:or)?d|pass(?:phrase)?|pwd?|awsauth|"
    r"(?:aws)?secret(?:[._-]?(?:access|account))?(?:[._-]?key)?(?:[._-]?id)?|secret[._-]?string|aws[._-]?(?:access[._-]?key[._-]?id|key[._-]?id)|"
    r"access[._-]?key(?:[._-]?(?:id|secret))?|account[._-]?key|api[._-]?key|auth[._-]?key|private[._-]?key|"
    r"(?:session|access|auth|refresh|bearer|sas|oauth2?|api)[._-]?token|token|client[._-]?secret|"
    r"credentials?|shared[._-]?access[._-]?signature|encryption[._-]?(?:key|master[._-]?key)|"
    r"master[._-]?(?:symmetric[._-]?)?key"
)
#: A whole name, which may have other parts in front: ``fs.s3a.secret.key``, ``connection-password``.
_NAME: Final = re.compile(rf"(?:.*[^A-Za-z0-9])?(?:{_NAMES})", re.IGNORECASE | re.DOTALL)
#: What separates a name from the string that is its value; the name itself may be quoted.
_BETWEEN: Final = " \t\r\n=:>\"'`])"
_PREFIX: Final = re.compile(r"(?<![A-Za-z0-9_])(?:[NERB]|_binary\s)\Z", re.IGNORECASE)
_REVERSED_WORD: Final = re.compile(r"[\w.-]{0,80}")
#: A variable's or parameter's name and type before its value: ``@password varchar(20) = '…'``, ``pwd TEXT := '…'``.
_DECLARED: Final = re.compile(
    r"(?P<name>[\w.$#@-]{1,80})\s{1,8}(?:(?:constant|as)\s{1,8})?[A-Za-z_][\w.%]{0,80}(?:\s{0,8}\([^()]{0,40}\))?"
    r"(?:\s{1,8}not\s{1,8}null)?\s{0,8}(?::?=|\bdefault)\s{0,8}\Z",
    re.IGNORECASE,
)
_DOLLARS: Final = re.compile(r"\$\w{0,40}\$")
_IDENTIFIED: Final = re.compile(r"identified\s{1,8}(?:with\s{1,8}\w{1,40}\s{1,8})?(?:by|as)?", re.IGNORECASE)
_STRING: Final = re.compile(
    r"'(?:[^'\\]++|\\.|'')*+(?:'|\Z)|\"(?:[^\"\\]++|\\.|\"\")*+(?:\"|\Z)|`[^`]*+(?:`|\Z)|"
    r"--[^\n]*+|/\*.*?(?:\*/|\Z)",
    re.DOTALL,
)
#: ``password=…`` and the like inside a string or a comment: connection strings, options, query strings.
_PAIR: Final = re.compile(
    rf"(?P<name>(?<![A-Za-z0-9])(?:{_NAMES}|sig(?:nature)?)\s?[=:]\s?)"
    r"(?P<quote>\\?['\"])?(?(quote)[^'\"\\]{1,4096}+|[^\s;&,'\"*(){}\[\]\\]{1,4096}+)",
    re.IGNORECASE,
)
#: The same with no sign between: ``IDENTIFIED BY '…'`` in a comment, in a text that is executed, in half a message.
_QUOTED: Final = re.compile(
    rf"(?P<name>(?<![A-Za-z0-9])(?:{_NAMES}|identified\s{{1,8}}by)\s{{1,8}}(?:to\s{{1,8}})?)"
    r"(?P<quote>(?:\\?['\"]){1,2})(?!\*)[^'\"\\]{1,4096}+(?=(?P=quote))",
    re.IGNORECASE,
)
_SET_PASSWORD: Final = re.compile(r"\bset\s{1,8}password\b[^;]{0,100}(?:=|\bto)\s{0,8}\Z", re.IGNORECASE)
_USER_INFO: Final = re.compile(r"(?P<scheme>\b[A-Za-z][A-Za-z0-9+.-]{1,30}://[^\s/'\"@:?#]{0,256}:)[^\s/'\"@]{1,1024}@")
#: A parameter of a URL or connection string inside a dataset's name: ``?X-Amz-Signature=…``, ``;password=…``.
_PARAMETER: Final = re.compile(
    rf"(?P<name>(?:(?<=[?&;,(])|\A)[\w.-]{{0,80}}?(?<![A-Za-z0-9])(?:{_NAMES}|sig(?:nature)?)=)[^&;,)\s'\"]{{1,8192}}+",
    re.IGNORECASE,
)
#: ``password=…`` in text that is not SQL; in SQL it would be a comparison.
_BARE: Final = re.compile(
    rf"(?P<name>(?<![\w.-])[\w.-]{{0,80}}?(?<![A-Za-z0-9])(?:{_NAMES})=)(?![*'\"])[^\s,;)'\"]{{1,8192}}+", re.IGNORECASE
)
#: Oracle's form: ``jdbc:oracle:thin:scott/tiger@host``.
_SLASHED: Final = re.compile(r"(?P<user>\bjdbc:oracle:\w{1,16}:[^\s/@]{0,256}/)[^\s@]{1,1024}@", re.IGNORECASE)
#: Keys that can be recognized by their shape.
_SHAPES: Final = re.compile(
    r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{30,255}\b|\bgithub_pat_[A-Za-z0-9_]{22,255}\b|"
    r"\bxox[abprs]-[A-Za-z0-9-]{10,255}|\bAIza[0-9A-Za-z_-]{35}\b|\bsk_(?:live|test)_[0-9A-Za-z]{10,255}\b|"
    r"\bsk-(?:proj|ant|svcacct|admin)-(?=[a-z0-9_-]{0,255}[A-Z])[A-Za-z0-9_-]{20,255}|\bsk-[A-Za-z0-9]{40,255}\b|"
    r"\beyJ[A-Za-z0-9_-]{8,4096}+\.eyJ[A-Za-z0-9_-]{8,4096}+\.[A-Za-z0-9_-]{8,4096}+|"
    r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{0,16384}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?"
)
_WORD: Final = re.compile(r"\S+")
#: Every name above contains one of these, in lower case.
_STEMS: Final = (
    "pass", "pw", "secret", "token", "credential", "identified", "signature", "sig=", "sig:", "awsauth", "key",
)  # fmt: skip
_KEYS: Final = ("access", "account", "api", "auth", "private", "aws", "encryption", "master")
#: Every shape above begins with one of these.
_BEGINNINGS: Final = ("AKIA", "ASIA", "gh", "github_pat_", "xox", "AIza", "sk_", "sk-", "eyJ", "-----BEGIN")
#: How far before a string its name may begin.
_REACH: Final = 120
#: The longest value in dollar quotes; longer ones are bodies of procedures.
_MAX_QUOTED: Final = 4096


def mask_credentials(text: str) -> str:
    """Return SQL, or any text, with each recognized credential replaced by ``***``; linear in the text's length."""
    stems = _stems(text)
    if stems:
        text = "".join(_pieces(text, stems))
        if "$" in text:
            text = "".join(_dollar_quoted(text))
    lowered = text.lower()
    text = mask_commands(mask_positional(text, lowered), lowered)
    if "://" in text:
        text = _USER_INFO.sub(rf"\g<scheme>{MASK}@", text)
    if "jdbc:" in text:
        text = _SLASHED.sub(rf"\g<user>{MASK}@", text)
    return _SHAPES.sub(MASK, text) if any(beginning in text for beginning in _BEGINNINGS) else text


def mask_name(node: str) -> str:
    """Return a node's name with the credentials in its dataset masked: URLs and connection strings may be names.

    The column is not masked, whatever its name. A name masked here equals that name in a text masked by
    ``mask_credentials``.
    """
    if "=" not in node and "@" not in node:
        return node
    dataset, mark, column = node.partition("#")
    return f"{_mask_parameters(dataset)}{mark}{column}"


def mask_words(text: str) -> str:
    """Return text for people that may quote SQL or URLs, such as the reason for a rejection, without credentials."""
    masked = mask_credentials(text)
    if "=" not in masked and "@" not in masked:
        return masked
    return _BARE.sub(rf"\g<name>{MASK}", _WORD.sub(lambda word: _mask_parameters(word[0]), masked))


def _mask_parameters(url: str) -> str:
    return _PARAMETER.sub(rf"\g<name>{MASK}", mask_credentials(url))


def _stems(text: str) -> list[int]:
    """Return the offsets of parts of credential names, in order; most texts have none and need no closer look."""
    lowered = text.lower()
    if len(lowered) != len(text):  # a letter whose lower case is longer would shift the offsets
        lowered = "".join(letter.lower() if letter.isascii() else letter for letter in text)
    stems: list[int] = []
    for stem in _STEMS:
        at = lowered.find(stem)
        if stem == "key" and not any(word in lowered for word in _KEYS):
            continue
        while at >= 0:
            stems.append(at)
            at = lowered.find(stem, at + 1)
    return sorted(stems)


def _pieces(text: str, stems: list[int]) -> Iterator[str]:
    """Yield the text piece by piece, strings and comments near a stem masked."""
    at = place = 0
    for match in _STRING.finditer(text):
        start, end = match.span()
        while place < len(stems) and stems[place] < start - _REACH:
            place += 1
        if place < len(stems) and stems[place] < end:
            yield text[at:start]
            yield _masked(match[0], text[max(0, start - _REACH) : start])
            at = end
    yield text[at:]


def _dollar_quoted(text: str) -> Iterator[str]:
    """Yield the text piece by piece, with the value in dollar quotes after a credential's name masked."""
    at = 0
    for tag in _DOLLARS.finditer(text):
        start = tag.end()
        if tag.start() < at or not _ends_in_a_name(text[max(0, tag.start() - _REACH) : tag.start()]):
            continue
        end = text.find(tag[0], start, start + _MAX_QUOTED)
        if end > start:
            yield text[at:start] + MASK
            at = end
    yield text[at:]


def _masked(string: str, before: str) -> str:
    """Return a string or a comment: masked as a whole after a credential's name, otherwise masked inside."""
    quote = string[0]
    if quote in "'\"" and len(string) > 2 and _ends_in_a_name(before) and not (quote == '"' and _is_column(before)):
        return f"{quote}{MASK}{quote}"
    end = quote if quote == "`" and string.endswith("`") else ""
    string = _QUOTED.sub(lambda match: f"{match['name']}{match['quote']}{MASK}", string.removesuffix(end))
    return _PAIR.sub(lambda match: f"{match['name']}{match['quote'] or ''}{MASK}", string) + end


def _is_column(before: str) -> bool:
    """Return whether the name before a double quote is a column with an alias: ``t.token "x"``."""
    word = before.rstrip()
    if not word or word[-1] in _BETWEEN:
        return False
    place = word[: -len(_word_at_end(word))].rstrip()
    return place[-8:].lower().endswith(("select", "distinct")) or _ends_an_item(place)


def _ends_an_item(place: str) -> bool:
    """Return whether a text ends in a comma of a select list; in a list of options it follows a string."""
    return place.endswith(",") and place[:-1].rstrip()[-1:] not in ("'", '"')


def _word_at_end(text: str) -> str:
    match = _REVERSED_WORD.match(text[::-1])
    return match[0][::-1] if match else ""


def _ends_in_a_name(before: str) -> bool:
    """Return whether the text before a string ends in the name of a credential, or in IDENTIFIED BY."""
    if before[-1:].isalpha() and (prefix := _PREFIX.search(before, len(before) - 9 if len(before) > 9 else 0)):
        before = before[: prefix.start()]
    if _SET_PASSWORD.search(before):
        return True
    if (
        before.rstrip()[-1:] in ("=", "t", "T")
        and (declared := _DECLARED.search(before))
        and _is_name(declared["name"])
    ):
        return True
    before = before.rstrip(_BETWEEN)
    word = _word_at_end(before)
    if word.lower() in ("by", "as", "values") or not word:
        return any(not before[each.end() :].strip(" \t\r\n") for each in _IDENTIFIED.finditer(before))
    return _is_name(word)


@lru_cache(4096)
def _is_name(word: str) -> bool:
    return _NAME.fullmatch(word) is not None


def mask_values(document: Any, level: int = 0) -> Any:
    """Return plain JSON with every text masked; texts under keys that name a credential are masked as a whole.

    Values nested deeper than ``MAX_LEVELS`` are masked as a whole: writing them again would exceed the limits of JSON.
    """
    if isinstance(document, str):
        return _masked_text(document)
    if level >= MAX_LEVELS and isinstance(document, (Mapping, list, tuple)):
        return MASK
    if isinstance(document, Mapping):
        return {
            name: MASK if _is_credential(name, value) else mask_values(value, level + 1)
            for name, value in document.items()
        }
    if isinstance(document, (list, tuple)):
        return [mask_values(value, level + 1) for value in document]
    return document


def _masked_text(text: str) -> str:
    # a text without white space may be a URL; in SQL, what looks like a parameter is a comparison
    return mask_credentials(text) if len(text.split(None, 1)) > 1 else _mask_parameters(text)


def _is_credential(name: str, value: Any) -> bool:
    return isinstance(value, str) and bool(value) and _is_name(name[-80:])


def _holds_credentials(document: Any) -> bool:
    """Return whether ``mask_values`` would mask any text at any level."""
    waiting = [document]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            if _masked_text(each) != each:
                return True
        elif isinstance(each, Mapping):
            if any(_is_credential(name, value) and value != MASK for name, value in each.items()):
                return True
            waiting += (value for name, value in each.items() if not _is_credential(name, value))
        elif isinstance(each, (list, tuple)):
            waiting += each
    return False


def mask_bytes(raw: bytes) -> bytes:
    """Return a message as received with its credentials masked; the same bytes where it has none.

    JSON is masked value by value and written again; other bytes are masked as text.
    """
    text = raw.decode("utf-8", "surrogateescape")
    if "\\" not in text and not _stems(text) and mask_credentials(text) == text:
        return raw  # nothing is escaped, so no value contains anything that the text does not
    try:
        document = orjson.loads(raw)
    except ValueError:
        return mask_credentials(text).encode("utf-8", "surrogateescape")
    return orjson.dumps(mask_values(document)) if _holds_credentials(document) else raw
