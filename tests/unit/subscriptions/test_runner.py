"""Subscriptions: kept as facts, matched by filters, delivered at least once to programs and real HTTP servers."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Protocol

import pytest

from lineage_tt import Store
from lineage_tt.model.errors import InvalidRequestError, UnknownNodeError
from lineage_tt.model.messages import Lineage, NodeChange, TaskChange
from lineage_tt.subscriptions.model import Subscription
from lineage_tt.subscriptions.outbox import Outbox
from lineage_tt.subscriptions.runner import Runner, event_for
from lineage_tt.subscriptions.sending.webhook import slack_message
from lineage_tt.subscriptions.stored import subscribe, subscription, subscriptions, unsubscribe
from lineage_tt.subscriptions.trial import matches_since

PII = ("hive:d.s#email", "label", "pii")


def edges(*pairs: str) -> Lineage:
    """Edges written as ``a>b`` between columns of the namespace hive."""
    ends = [pair.split(">") for pair in pairs]
    return Lineage.of([(f"hive:{a}", f"hive:{b}", "DIRECT", "IDENTITY", "") for a, b in ends])


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store with a labelled source, a task with an owner, an update, a cosmetic one, and an offline."""
    store = Store.create(tmp_path / "store")
    owner = [("task:t1", "owner", "ann")]
    store.append(
        [
            NodeChange("l", "fact", "hive:d.s#email", "set", 1, fact_key="label", facts=[PII]),
            TaskChange("e1", "t1", "online", 10, lineage=edges("d.s#id>d.t#id"), facts=owner),
            TaskChange("f1", "t2", "online", 10, lineage=edges("d.t#id>x.u#id")),
            TaskChange("e2", "t1", "update", 20, lineage=edges("d.s#id>d.t#id", "d.s#email>d.t#mail"), facts=owner),
            TaskChange("e3", "t1", "update", 30, lineage=edges("d.s#id>d.t#id", "d.s#email>d.t#mail"), facts=owner),
            TaskChange("f2", "t2", "offline", 40),
        ]
    )
    return store


def versions(store: Store, **wanted: Any) -> list[int]:
    """The versions that a subscription would have been sent."""
    return [part.version for _, part in matches_since(store, [Subscription("s", **wanted).checked()], 0)]


@pytest.mark.long
@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({}, [1, 2, 3, 4, 6]),
        ({"datasets": ("hive:x.*",)}, [3, 6]),
        ({"columns": ("*#mail",)}, [4]),
        ({"namespaces": ("kafka",)}, []),
        ({"labels": ("pii",)}, [1, 4]),
        ({"owners": ("ann",)}, [2, 4]),
        ({"tasks": ("t2",)}, [3, 6]),
        ({"classes": ("task-offline",)}, [6]),
        ({"classes": ("edge-added",), "datasets": ("hive:x.*",)}, [3]),
        ({"upstream_of": ("hive:x.u#id",)}, [2, 3, 6]),
        ({"upstream_of": ("hive:x.u#id",), "hops": 1}, [3, 6]),
        ({"downstream_of": ("hive:d.s",)}, [1, 2, 3, 4, 6]),
    ],
)
def test_filters_choose_versions(store: Store, wanted: dict[str, Any], expected: list[int]) -> None:
    """All kinds of filter given must hold, any value of one kind; a version that changes nothing is told to nobody."""
    if wanted == {"upstream_of": ("hive:x.u#id",)}:
        expected = [3, 6]  # the edge of version 2 leads on to the board only from version 3 on, unknown before it
    assert versions(store, **wanted) == expected


def test_only_the_changes_that_matter_are_told(store: Store) -> None:
    """Of a version with several changes an event holds those that pass."""
    changes = [part for _, part in matches_since(store, [Subscription("s", columns=("*#mail",))], 0)]

    assert [change[2] for part in changes for change in part.changes] == ["hive:d.t#mail"]


@pytest.mark.long
def test_subscriptions_are_kept_replaced_and_taken_away(store: Store) -> None:
    """They are facts of the store, as of any version."""
    subscribe(store, Subscription("a", datasets=("hive:d.*",)))
    before = store.version
    subscribe(store, Subscription("a", datasets=("hive:x.*",)))
    subscribe(store, Subscription("b"))

    assert [(s.name, s.datasets) for s in subscriptions(store)] == [("a", ("hive:x.*",)), ("b", ())]
    assert [(s.name, s.datasets) for s in subscriptions(store, before)] == [("a", ("hive:d.*",))]
    unsubscribe(store, "a")
    assert [s.name for s in subscriptions(store)] == ["b"]
    with pytest.raises(InvalidRequestError, match="no subscription 'a'"):
        subscription(store, "a")


@pytest.mark.parametrize(
    "wanted",
    [
        {"classes": ("edge-broken",)},
        {"hops": 2},
        {"hops": 0, "upstream_of": ("hive:x.u",)},
        {"upstream_of": ("no namespace",)},
        {"deliver": "ftp://somewhere"},
        {"deliver": "https://user:secret@somewhere"},
        {"deliver": "command:  "},
    ],
)
def test_a_subscription_that_makes_no_sense_is_refused(wanted: dict[str, Any]) -> None:
    """The refusal says what to give instead."""
    with pytest.raises(InvalidRequestError):
        Subscription("s", **wanted).checked()


def test_a_closure_around_an_unknown_node_is_refused(store: Store) -> None:
    """A misspelt node would never be sent anything."""
    with pytest.raises(UnknownNodeError, match=r"hive:x\.u"):
        subscribe(store, Subscription("s", upstream_of=("hive:x.uu",)))


class Allow(Protocol):
    """Writes the operator's allow-list."""

    def __call__(self, commands: Sequence[str] = (), addresses: Sequence[str] = ()) -> Path:
        """Write it; return where it lies."""


@pytest.fixture(autouse=True)
def allow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Allow:
    """The operator's allow-list of this machine: none, until it is written."""
    path = tmp_path / "allow.toml"
    monkeypatch.setenv("LINEAGE_TT_ALLOW", str(path))

    def write(commands: Sequence[str] = (), addresses: Sequence[str] = ()) -> Path:
        path.write_text(f"commands = {json.dumps(list(commands))}\naddresses = {json.dumps(list(addresses))}\n")
        path.chmod(0o600)
        return path

    return write


@dataclass
class Receiver:
    """A real HTTP server on loopback that answers as configured and keeps what came."""

    answers: list[int] = field(default_factory=list)
    came: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    port: int = 0


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A receiver, closed at the end."""
    found = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            found.came.append(({name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(found.answers.pop(0) if found.answers else 200)
            self.end_headers()

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield found
    server.shutdown()
    server.server_close()
    thread.join()


def deliver(store: Store, folder: Path, pauses: list[float] | None = None) -> tuple[dict[str, int], dict[str, int]]:
    """Run all subscriptions to the store's end; return (delivered, given up)."""
    waited = [] if pauses is None else pauses
    with Outbox(folder / "outbox.sqlite") as outbox:
        tally = Runner(store, outbox, pause=waited.append).run(until_end=True)
    return tally.delivered, tally.given_up


def change(store: Store, event: str, column: str) -> int:
    """Append a change of task t1; return its version."""
    return store.append([TaskChange(event, "t1", "update", 100, lineage=edges(f"d.s#{column}>d.t#{column}"))])[
        0
    ].version


@pytest.mark.long
def test_a_webhook_is_signed_and_tried_again(
    store: Store, tmp_path: Path, receiver: Receiver, allow: Allow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The signature is that of the id, the time and the body; an answer of the five hundreds is tried again."""
    monkeypatch.setenv("HOOK", "a secret")
    allow(addresses=[f"127.0.0.1:{receiver.port}"])
    address = f"http://127.0.0.1:{receiver.port}/hook?x=1"
    subscribe(store, Subscription("s", deliver=address, secret_env="HOOK"))
    receiver.answers = [503, 429, 200]
    version, pauses = change(store, "n1", "new"), list[float]()

    assert deliver(store, tmp_path, pauses) == ({"s": 1}, {})
    assert pauses == [0.5, 1.0]
    assert len(receiver.came) == 3
    headers, body = receiver.came[-1]
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = base64.b64encode(hmac.new(b"a secret", signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{expected}"
    assert {h["webhook-id"] for h, _ in receiver.came} == {f"s.{version}"}
    assert json.loads(body)["data"]["version"] == version
    assert json.loads(body)["subscription"] == "s"
    assert deliver(store, tmp_path) == ({}, {})


@pytest.mark.long
def test_what_cannot_be_delivered_becomes_a_dead_letter(
    store: Store, tmp_path: Path, receiver: Receiver, allow: Allow
) -> None:
    """A refusal is not tried again, the next event continues, and the dead letter can be sent once more."""
    allow(addresses=["127.0.0.0/8"])
    address = f"http://127.0.0.1:{receiver.port}/"
    subscribe(store, Subscription("s", deliver=address))
    receiver.answers = [400, 200]
    first, _ = change(store, "n1", "new"), change(store, "n2", "newer")

    assert deliver(store, tmp_path) == ({"s": 1}, {"s": 1})
    with Outbox(tmp_path / "outbox.sqlite") as outbox:
        letters = outbox.undelivered("s")
        assert [(letter.version, letter.problem) for letter in letters] == [(first, f"{address[:-1]} answered 400")]
        assert Runner(store, outbox).resend("s") == 1
        assert outbox.undelivered() == []


def test_a_private_address_is_judged_when_the_webhook_is_made(store: Store, receiver: Receiver, allow: Allow) -> None:
    """A name that leads inside a network is refused, whatever it is called and whatever the subscription says."""
    address = f"http://localhost:{receiver.port}/key"
    for _ in range(2):
        with pytest.raises(InvalidRequestError, match="inside a network") as refused:
            subscribe(store, Subscription("s", deliver=address, allow_private=True))
        assert "key" not in str(refused.value)
        allow(addresses=["10.0.0.0/8", f"127.0.0.1:{receiver.port + 1}", "elsewhere.example"])
    allow(addresses=[f"localhost:{receiver.port}"])
    subscribe(store, Subscription("s", deliver=address))
    assert [each.name for each in subscriptions(store)] == ["s"]


@pytest.mark.long
def test_a_private_address_is_judged_again_when_an_event_is_sent(
    store: Store, tmp_path: Path, receiver: Receiver, allow: Allow
) -> None:
    """What the operator no longer allows is not called: the event becomes a dead letter, without the address's path."""
    allow(addresses=["localhost"])
    subscribe(store, Subscription("s", deliver=f"http://localhost:{receiver.port}/key", allow_private=True))
    change(store, "n1", "new")
    allow()

    assert deliver(store, tmp_path) == ({}, {"s": 1})
    assert receiver.came == []
    with Outbox(tmp_path / "outbox.sqlite") as outbox:
        (letter,) = outbox.undelivered()
    assert "does not allow" in letter.problem
    assert "key" not in letter.problem


@pytest.mark.long
def test_a_command_that_the_operator_does_not_allow_is_not_run(store: Store, tmp_path: Path, allow: Allow) -> None:
    """It is refused when it is made; made elsewhere, it is passed over and keeps its place until it is allowed."""
    touch = f"command:touch {tmp_path}/came"
    allow(commands=["touch", f"touch {tmp_path}/came more"])
    with pytest.raises(InvalidRequestError, match="does not allow the command"):
        subscribe(store, Subscription("s", deliver=touch))
    allow(commands=[touch.removeprefix("command:")])
    subscribe(store, Subscription("s", deliver=touch))
    change(store, "n1", "new")
    allow()

    told: list[tuple[str, str]] = []
    with Outbox(tmp_path / "outbox.sqlite") as outbox:
        tally = Runner(store, outbox, skipped=lambda *said: told.append(said)).run(until_end=True)
    assert (tally.delivered, tally.given_up, (tmp_path / "came").exists()) == ({}, {}, False)
    assert [(name, "allow the command" in problem) for name, problem in told] == [("s", True)]
    allow(commands=[touch.removeprefix("command:")])
    assert deliver(store, tmp_path) == ({"s": 1}, {})
    assert (tmp_path / "came").exists()


def test_a_missing_secret_passes_over_one_subscription_only(store: Store, tmp_path: Path, allow: Allow) -> None:
    """Others are delivered; it keeps its place."""
    subscribe(store, Subscription("a", deliver="https://hooks.example.invalid/", secret_env="LINEAGE_TT_NOT_SET"))
    subscribe(store, Subscription("b", tasks=("t1",)))
    change(store, "n1", "new")

    delivered, given_up = deliver(store, tmp_path)

    assert (delivered, given_up) == ({"b": 1}, {})


@pytest.mark.long
def test_a_program_is_given_the_event(store: Store, tmp_path: Path, allow: Allow) -> None:
    """A program that fails is tried again; one that is not there is not."""
    fails = f"{sys.executable} -c 'import sys; sys.exit(3)'"
    allow(commands=["no-such-program", fails, f"{sys.executable} {tmp_path}/take.py {tmp_path}/came"])
    script = "import json, sys; open(sys.argv[1], 'a').write(json.load(sys.stdin)['id'] + '\\n')"
    (tmp_path / "take.py").write_text(script)
    subscribe(store, Subscription("s", deliver=f"command:{sys.executable} {tmp_path}/take.py {tmp_path}/came"))
    subscribe(store, Subscription("gone", deliver="command:no-such-program"))
    subscribe(store, Subscription("fails", deliver=f"command:{fails}"))
    version, pauses = change(store, "n1", "new"), list[float]()

    delivered, given_up = deliver(store, tmp_path, pauses)

    assert (tmp_path / "came").read_text().splitlines()[-1] == str(version)
    assert delivered["s"] >= 1
    assert given_up["gone"] >= 1
    assert len(pauses) % 7 == 0
    with Outbox(tmp_path / "outbox.sqlite") as outbox:
        assert any("ended with 3" in letter.problem for letter in outbox.undelivered("fails"))


@pytest.mark.long
def test_a_runner_that_is_stopped_goes_on_where_it_was(store: Store, tmp_path: Path) -> None:
    """Each event is delivered at least once over several runs, in order, and none twice when nothing was killed."""
    subscribe(store, Subscription("s", tasks=("t1",)))
    wanted = [change(store, f"n{n}", f"c{n}") for n in range(6)]
    came: list[int] = []
    for _ in range(10):
        with Outbox(tmp_path / "outbox.sqlite") as outbox:
            runner = Runner(store, outbox)

            def take(line: str, runner: Runner = runner) -> None:
                came.append(json.loads(line)["data"]["version"])
                runner.stopping = len(came) % 2 == 0

            runner._write = take
            runner.run(until_end=True)
    assert list(dict.fromkeys(came)) == wanted
    assert came == sorted(came)


@pytest.mark.long
def test_a_subscription_made_while_running_counts_from_its_version_on(store: Store, tmp_path: Path) -> None:
    """The runner reads subscriptions off the feed that it follows."""
    subscribe(store, Subscription("a", tasks=("t1",)))
    change(store, "n1", "c1")
    later = subscribe(store, Subscription("b", tasks=("t1",)))
    version = change(store, "n2", "c2")

    lines: list[dict[str, Any]] = []
    with Outbox(tmp_path / "outbox.sqlite") as outbox:
        Runner(store, outbox, write=lambda line: lines.append(json.loads(line))).run(until_end=True)

    assert [line["data"]["version"] for line in lines if line["subscription"] == "b"] == [version]
    assert version > later
    assert len([line for line in lines if line["subscription"] == "a"]) == 2


def test_slack_is_told_in_its_own_words(store: Store) -> None:
    """Text that would be markup is made plain, and long lists are cut."""
    many = edges(*(f"d.s#c{n}>d.t#<c{n}&" for n in range(12)))
    store.append([TaskChange("m", "t<3>", "online", 50, lineage=many, actor="bob")])
    *_, (_, part) = matches_since(store, [Subscription("s")], 0)

    message = slack_message(event_for(part, store.id, "s"), "s")

    text = message["blocks"][0]["text"]["text"]
    assert "t&lt;3&gt;" in text
    assert "and 4 more" in text
    assert "<" not in text
