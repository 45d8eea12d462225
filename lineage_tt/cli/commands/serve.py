"""``serve``: serves lineage over HTTP until it is stopped. ``ui``: serves this machine alone, and opens a browser."""

from __future__ import annotations

import ipaddress
import os
import threading
import webbrowser
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from lineage_tt.cli.calls import Call, StoreOption, verb
from lineage_tt.cli.commands.governance.shared import RulesOption, rules_path
from lineage_tt.cli.commands.ingest import MappingOption, load_fields
from lineage_tt.model.errors import InvalidRequestError, UnavailableError

if TYPE_CHECKING:
    from socket import socket

    from lineage_tt.api.reads.reading import Reading
    from lineage_tt.store import Store

TOKEN_VARIABLE: Final = "LINEAGE_TT_TOKEN"  # noqa: S105 (the name of a variable, not its value)
#: The host names that a service without token accepts, so that web pages cannot reach it by another name.
LOCAL_NAMES: Final = frozenset({"localhost", "127.0.0.1", "[::1]"})
#: The modules that the extra ``server`` installs.
NEEDED: Final = ("fastapi", "uvicorn", "httptools", "prometheus_client", "sse_starlette")
_MIB: Final = 1024 * 1024


def serve(
    ctx: typer.Context,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="Port; 0 selects a free one.")] = 8321,
    token_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help=f"File with the bearer token (or set ${TOKEN_VARIABLE}).")
    ] = None,
    allow_anonymous: Annotated[
        bool, typer.Option("--allow-anonymous", help="Serve other machines without a token.")
    ] = False,
    read_only: Annotated[bool, typer.Option("--read-only", help="Accept no messages.")] = False,
    no_graph: Annotated[
        bool, typer.Option("--no-graph", help="Answer from the files, and keep no graph in memory.")
    ] = False,
    mapping: MappingOption = None,
    state: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Events: folder for unfinished runs (default: in the store).")
    ] = None,
    workers: Annotated[int, typer.Option(metavar="N", min=1, help="Number of processes that parse SQL.")] = 2,
    max_body: Annotated[int, typer.Option(metavar="MIB", min=1, max=1024, help="Maximum request body, in MiB.")] = 16,
    timeout: Annotated[float, typer.Option(metavar="SECONDS", min=0.1, help="Maximum seconds for one answer.")] = 30.0,
    rules: RulesOption = None,
    store: StoreOption = None,
) -> None:
    """Serve lineage over HTTP, with pages for a browser at /.

    Creates the store if it does not exist (not with --read-only). SIGTERM or Ctrl-C stops the service.
    """
    call = Call.of(ctx, store, None, ("text",))
    token = read_token(token_file)
    closed = is_loopback(host) and token is None and not allow_anonymous
    if not is_loopback(host) and token is None and not allow_anonymous:
        raise InvalidRequestError(
            f"{host} can be reached from other machines, and no token is set",
            hint=f"set ${TOKEN_VARIABLE} or give --token-file; or give --allow-anonymous",
        )
    if read_only and (mapping or state):
        call.note("--mapping and --state have no effect with --read-only: nothing is received")
    fields = load_fields(mapping, required=False)
    check_installed()
    from ingest.events.policy import load_policies

    policies = load_policies(mapping, required=False)
    opened = call.open() if read_only else call.create()
    reading = begin_reading(opened)
    from ingest.resolve.comparing import SqlAnalyst
    from lineage_tt.api import server
    from lineage_tt.api.settings import Settings
    from lineage_tt.cli.receiving import EventReceiver, Operator, Receiver
    from lineage_tt.governance.config import Config

    settings = Settings(
        token=token,
        hosts=LOCAL_NAMES if closed else None,
        max_body=max_body * _MIB,
        max_open=max(Settings.max_open, 2 * max_body * _MIB),
        seconds=timeout,
        graph=not no_graph,
        rules=Config.read(rules_path(rules)),
    )
    listening = server.listen(host, port)
    receiver = None if read_only else Receiver(call.store_uri, fields, workers)
    events = None if read_only else EventReceiver(call.store_uri, policies, workers, state)
    operations = None if read_only else Operator(call.store_uri, fields)
    if events is not None:
        events.resume()
    call.write([f"serving {call.store_uri} on {_address(host, listening)} at version {opened.version}"])
    call.flush()
    server.serve(opened, settings, receiver, listening, SqlAnalyst(workers), reading, events, operations)


def ui(
    ctx: typer.Context,
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="Port (default: a free one).")] = 0,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the address; do not open a browser.")] = False,
    no_graph: Annotated[
        bool, typer.Option("--no-graph", help="Answer from the files, and keep no graph in memory.")
    ] = False,
    store: StoreOption = None,
) -> None:
    """Open the store in the browser.

    Serves the store to this machine alone, and read-only. Ctrl-C stops it.
    """
    call = Call.of(ctx, store, None, ("text",))
    check_installed()
    opened = call.open()
    reading = begin_reading(opened)
    from ingest.resolve.comparing import SqlAnalyst
    from lineage_tt.api import server
    from lineage_tt.api.settings import Settings
    from lineage_tt.cli.commands.governance.shared import rules_path
    from lineage_tt.governance.config import Config

    rules = Config.read(rules_path(None))
    listening = server.listen("127.0.0.1", port)
    address = _address("127.0.0.1", listening)
    call.write([f"showing {call.store_uri} on {address} at version {opened.version}"])
    call.flush()
    if not no_browser:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    settings = Settings(hosts=LOCAL_NAMES, graph=not no_graph, rules=rules)
    server.serve(opened, settings, None, listening, SqlAnalyst(1), reading)


def _address(host: str, listening: socket) -> str:
    """Return the URL of a listening socket, for a browser."""
    return f"http://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}"


def check_installed() -> None:
    """Raise InvalidRequestError if a module of the service is not installed; called before the store is created."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise InvalidRequestError(
            f"the service needs {', '.join(missing)}, which is not installed",
            hint="run: pip install 'lineage-tt[server]'",
        )


def begin_reading(store: Store) -> Reading:
    """Return the store as of now; a thread opens its files while the rest of the service is imported."""
    from lineage_tt.api.reads.reading import Reading

    reading = Reading.of(store)
    threading.Thread(target=reading.again().warm, daemon=True).start()
    return reading


def read_token(path: Path | None) -> str | None:
    """Return the token from a file, else from the environment, None where neither is given."""
    if path is None:
        content = os.environ.get(TOKEN_VARIABLE)
        name = f"${TOKEN_VARIABLE}"
    else:
        name = f"the token file {path}"
        try:
            content = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UnavailableError(f"{name} cannot be read: {type(error).__name__}") from None
    if content is None:
        return None
    token = content.strip()
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise InvalidRequestError(f"{name} holds no token", hint="a token is a word of printable ASCII characters")
    return token


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach an address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


VERBS = {"serve": verb("serve", serve), "ui": verb("ui", ui)}
