"""The files of ``scripts/ci`` tried for real: in a git repository with a bare remote, against a server of comments."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml
from calling import git
from releases import TASKS, platform

CI = Path(__file__).resolve().parents[2] / "scripts" / "ci"
BIN = str(Path(sys.executable).parent)
SALES = TASKS["sales"]
#: What GitHub gives an action, by the names that expressions use.
CONTEXT = {
    "github.base_ref": "main",
    "github.event_name": "pull_request",
    "github.event.pull_request.number": "7",
    "github.action_path": str(CI),
    "github.token": "secret-of-the-job",
}


class Comments(BaseHTTPRequestHandler):
    """GitHub's and GitLab's comments, as far as the script asks for them: list, make, change."""

    kept: list[dict[str, Any]]

    def _answer(self, value: Any) -> None:
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        """List the comments of a page."""
        page = int(re.findall(r"[?&]page=(\d+)", self.path)[0])
        self._answer(self.kept[(page - 1) * 100 : page * 100])

    def do_POST(self) -> None:
        """Make one."""
        given = self._given()
        self.kept.append({"id": len(self.kept) + 1, "body": given["body"], "path": self.path, "who": self._who()})
        self._answer(self.kept[-1])

    def do_PATCH(self) -> None:
        """Change one."""
        found = next(comment for comment in self.kept if str(comment["id"]) == self.path.rpartition("/")[2])
        found.update(body=self._given()["body"], changed=self.command)
        self._answer(found)

    do_PUT = do_PATCH  # noqa: N815

    def _given(self) -> Any:
        return json.loads(self.rfile.read(int(self.headers["Content-Length"])))

    def _who(self) -> str | None:
        return self.headers.get("Authorization") or self.headers.get("PRIVATE-TOKEN")

    def log_message(self, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def comments() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield the address of a server of comments, and the comments."""
    kept: list[dict[str, Any]] = [{"id": i + 1, "body": f"comment {i}"} for i in range(100)]  # a whole page of others
    handler = type("Handler", (Comments,), {"kept": kept})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}", kept
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store, and a bare remote whose main branch holds the tasks."""
    folder = tmp_path_factory.mktemp("ci")
    platform(folder / "store")
    git(folder, "init", "-q", "--bare", "-b", "main", "remote.git")
    git(folder, "clone", "-q", "remote.git", "seed")
    seed = folder / "seed"
    (seed / "impact.toml").write_text('dialect = "spark"\nnamespace = "hive"\ndefault_database = "dw"\n')
    (seed / "sales.sql").write_text(SALES + "\n")
    git(seed, "add", ".")
    git(seed, "commit", "-qm", "tasks")
    git(seed, "push", "-q", "origin", "HEAD:main")
    return folder


@pytest.fixture
def checkout(place: Path, tmp_path: Path) -> Path:
    """A shallow clone of a branch that breaks readers, as a CI job checks it out."""
    work = tmp_path / "mine"
    git(tmp_path, "clone", "-q", str(place / "remote.git"), str(work))
    git(work, "switch", "-qc", "mine")
    (work / "sales.sql").write_text(SALES.replace("amount, ", "") + "\n")
    git(work, "commit", "-qam", "fewer columns")
    git(work, "push", "-qf", "origin", "mine")
    git(tmp_path, "clone", "-q", "--branch", "mine", f"file://{place / 'remote.git'}", "job")
    return tmp_path / "job"


def plain(**more: str) -> dict[str, str]:
    """Return an environment without anything of the caller's CI."""
    kept = {
        n: v for n, v in os.environ.items() if not n.startswith(("GITHUB", "CI_", "LINEAGE_TT", "IMPACT", "GITLAB"))
    }
    return kept | {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"} | more


def value_of(expression: str, known: dict[str, str]) -> str:
    """Return what GitHub puts in place of an expression: the first of its alternatives that is not empty."""
    return next((known[part] for part in map(str.strip, expression.split("||")) if known.get(part)), "")


def filled(text: str, known: dict[str, str]) -> str:
    """Return a text with its expressions put in."""
    return re.sub(r"\$\{\{\s*(.+?)\s*\}\}", lambda found: value_of(found[1], known), text)


def holds(condition: str, known: dict[str, str]) -> bool:
    """Say whether a step's condition holds: comparisons of a name with a text, joined by ``&&``."""
    for part in condition.split("&&"):
        name, sign, text = re.fullmatch(r"\s*(\S+)\s*(==|!=)\s*'(.*)'\s*", part).groups()  # type: ignore[union-attr]
        if (known.get(name, "") == text) != (sign == "=="):
            return False
    return True


def run_action(
    checkout: Path, runner: Path, inputs: dict[str, str], api: str
) -> tuple[list[tuple[str, int]], dict[str, str]]:
    """Run the action's steps as GitHub does; return each step's status, and the action's outputs."""
    action = yaml.safe_load((CI / "action.yml").read_text())
    known = CONTEXT | {"runner.temp": str(runner)}
    for name, about in action["inputs"].items():
        known[f"inputs.{name}"] = inputs.get(name, filled(about.get("default", ""), known))
    statuses: list[tuple[str, int]] = []
    for step in action["runs"]["steps"]:
        if "if" in step and not holds(step["if"], known):
            continue
        assert step["shell"] == "bash"
        outputs = runner / f"outputs-{len(statuses)}"
        own = {name: filled(text, known) for name, text in step.get("env", {}).items()}
        github = {"GITHUB_OUTPUT": str(outputs), "GITHUB_STEP_SUMMARY": str(runner / "summary"), "GITHUB_API_URL": api,
                  "GITHUB_REPOSITORY": "shop/etl", "RUNNER_TEMP": str(runner)}  # fmt: skip
        folder = checkout / filled(step.get("working-directory", "."), known)
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        done = subprocess.run(
            command, cwd=folder, env=plain(**github, **own), capture_output=True, text=True, timeout=120
        )
        print(step["name"], done.returncode, done.stdout[-1500:], done.stderr[-1500:])
        statuses.append((step["name"], done.returncode))
        if outputs.exists():
            pairs = (line.split("=", 1) for line in outputs.read_text().splitlines())
            known |= {f"steps.{step['id']}.outputs.{name}": value for name, value in pairs}
        if done.returncode:
            break
    return statuses, {name: filled(about["value"], known) for name, about in action["outputs"].items()}


def test_the_action_comments_once_and_gates(place: Path, checkout: Path, tmp_path: Path) -> None:
    """A broken branch gets a comment, a summary, outputs and SARIF, and fails; a second run changes the comment."""
    inputs = {"store": str(place / "store"), "fail-on": "breaking labels", "install": ""}
    with comments() as (api, kept):
        first, outputs = run_action(checkout, tmp_path, inputs, api)
        second, _ = run_action(checkout, tmp_path, inputs | {"fail-on": ""}, api)

    assert first == [("Predict", 0), ("Comment", 0), ("Gate", 1)]
    assert second == [("Predict", 0), ("Comment", 0), ("Gate", 0)]
    assert (outputs["verdict"], outputs["passed"]) == ("breaking", "false")
    assert json.loads(Path(outputs["sarif"]).read_text())["runs"][0]["results"]
    assert json.loads(Path(outputs["report"]).read_text())["result"]["verdict"] == "breaking"
    assert "Lineage impact: breaking" in (tmp_path / "summary").read_text()
    ours = [comment for comment in kept if comment["body"].startswith("<!-- lineage-tt-impact -->")]
    assert len(ours) == 1
    assert ours[0]["path"] == "/repos/shop/etl/issues/7/comments"
    assert ours[0]["who"] == "Bearer secret-of-the-job"
    assert ours[0]["changed"] == "PATCH"
    assert "Gate: passed" in ours[0]["body"]


def test_the_action_fails_where_nothing_was_checked(checkout: Path, tmp_path: Path) -> None:
    """A store that is not there fails the step that asks it: no green tick without an answer."""
    statuses, _ = run_action(checkout, tmp_path, {"store": str(tmp_path / "none"), "install": ""}, "http://127.0.0.1:9")

    assert statuses == [("Predict", 1)]


def test_the_action_works_on_a_shallow_checkout(place: Path, checkout: Path, tmp_path: Path) -> None:
    """With the default depth of one commit the base is fetched, and the same is found."""
    shallow = tmp_path / "shallow"
    git(tmp_path, "clone", "-q", "--depth", "1", "--branch", "mine", f"file://{place / 'remote.git'}", str(shallow))

    inputs = {"store": str(place / "store"), "install": "", "comment": "false"}
    statuses, outputs = run_action(shallow, tmp_path, inputs, "http://127.0.0.1:9")

    assert statuses == [("Predict", 0), ("Gate", 0)]
    assert outputs["verdict"] == "breaking"


def test_the_gitlab_template(place: Path, checkout: Path, tmp_path: Path) -> None:
    """The job's script writes code quality and JUnit, keeps one note, and ends with the gate's status."""
    job = yaml.safe_load((CI / "gitlab-ci.yml").read_text())["lineage-impact"]
    given = {"CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main", "CI_MERGE_REQUEST_IID": "3", "CI_PROJECT_ID": "11",
             "LINEAGE_TT_STORE": str(place / "store"), "IMPACT_FAIL_ON": "breaking", "IMPACT_SCRIPTS": str(CI),
             "GITLAB_COMMENT_TOKEN": "glpat"}  # fmt: skip
    variables = {n: re.sub(r"^\$(\w+)$", lambda f: given[f[1]], v) for n, v in job["variables"].items()}
    script = "set -eo pipefail\n" + "\n".join(job["script"])
    with comments() as (api, kept):
        environment = plain(**variables | given | {"CI_API_V4_URL": api, "IMPACT_INSTALL": ""})
        done = subprocess.run(["bash", "-c", script], cwd=checkout, env=environment, capture_output=True, text=True,
                              timeout=120)  # fmt: skip

    assert done.returncode == 1, done.stdout + done.stderr
    assert kept[-1]["path"] == "/projects/11/merge_requests/3/notes"
    assert kept[-1]["who"] == "glpat"
    reports = job["artifacts"]["reports"]
    assert json.loads((checkout / reports["codequality"]).read_text())[0]["severity"] == "critical"
    assert "<testsuite " in (checkout / reports["junit"]).read_text()


def test_the_pre_commit_hook(place: Path, checkout: Path) -> None:
    """A commit that breaks readers is refused, a harmless one is not; without the store it passes, with a word."""
    hook = checkout / ".git" / "hooks" / "pre-commit"
    shutil.copy(CI / "pre-commit", hook)
    git(checkout, "checkout", "-q", "origin/main")

    def commit(text: str, store: Path) -> subprocess.CompletedProcess[str]:
        (checkout / "sales.sql").write_text(text)
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qam", "x"]
        environment = plain(LINEAGE_TT_STORE=str(store))
        return subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True, timeout=120)

    refused = commit(SALES.replace("amount, ", ""), place / "store")
    harmless = commit(SALES + " -- hi", place / "store")
    alone = commit(SALES.replace("amount, ", ""), place / "nowhere")

    assert refused.returncode == 1
    assert "BREAKING" in refused.stdout + refused.stderr
    assert harmless.returncode == 0
    assert alone.returncode == 0
    assert "nothing was checked here" in alone.stderr


def test_the_yaml_is_well_formed() -> None:
    """The linter for YAML has nothing to say of the action, the template and the hooks."""
    rules = "{extends: default, rules: {line-length: {max: 120}}}"
    files = sorted(map(str, CI.glob("*.y*ml")))
    done = subprocess.run([f"{BIN}/yamllint", "--strict", "-d", rules, *files], capture_output=True, text=True)

    assert len(files) == 3
    assert done.returncode == 0, done.stdout


def test_the_action_takes_no_input_into_its_scripts() -> None:
    """What a pull request's author can choose comes to the shell in variables, never in the text of a script."""
    action = yaml.safe_load((CI / "action.yml").read_text())

    assert [step["name"] for step in action["runs"]["steps"] if "${{" in step["run"]] == []


def test_ci_installs_no_name_that_anybody_could_take() -> None:
    """What the CI files install is a path or an address; the action installs its own files by default."""
    folder = Path(__file__).resolve().parents[2] / "scripts" / "ci"
    action = (folder / "action.yml").read_text()

    assert "default: own" in action
    assert '"$ACTION/../..[impact]"' in action
    for file in folder.iterdir():
        assert not re.search(r"(install|INSTALL|default):? +[\"']?lineage-tt", file.read_text()), file.name
