"""``impact`` under governance.toml: labels, rules and rights, by the engines of the commands of those names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import forked
import pytest
from layer_rules import RULES

from lineage_tt import Store
from lineage_tt.curation.statements import annotate
from lineage_tt.testing import task_change

AT = "2026-01-01T00:00:00Z"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store where a clean table of people feeds a report, and that a board; addresses are secret."""
    folder = tmp_path_factory.mktemp("governed")
    store = Store.create(folder / "s")
    store.append([
        task_change("people", "online", AT, [("hive:ods.users#id", "hive:dw.people#id"),
                                             ("hive:ods.users#mail", "hive:dw.people#mail")]),
        task_change("report", "online", AT, [("hive:dw.people#id", "hive:ads.report#contact")]),
        task_change("board", "online", AT, [("hive:ads.report#contact", "bi:board/17#contact")]),
    ])  # fmt: skip
    annotate(store, "hive:ods.users#mail", "label", ["pii", "secret"], at=AT)
    annotate(store, "bi:board/17", "owner", ["mei"], at=AT)
    annotate(store, "hive:dw.people", "grant:marketing", ["read"], at=AT)
    (folder / "rules.toml").write_text(RULES, encoding="utf-8")
    return folder


def impact(folder: Path, sql: str, *words: str) -> tuple[int, dict[str, Any]]:
    """The exit status and the result for a new text of the report."""
    (folder / "report.sql").write_text(sql, encoding="utf-8")
    argv = ["--store", str(folder / "s"), "impact", "report.sql", "--dialect", "spark", "--namespace", "hive"]
    argv += ["--effective-at", "2026-03-01T00:00:00Z", "--rules", "rules.toml", "--format", "json", *words]
    done = forked.run(argv, given=b"", cwd=folder, timeout=120)
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)["result"]


LEAK = "INSERT OVERWRITE TABLE ads.report SELECT u.mail AS contact FROM ods.users u"
CLEAN = "INSERT OVERWRITE TABLE ads.report SELECT sha2(p.mail, 256) AS contact FROM dw.people p"


def test_a_change_that_would_bring_personal_data_to_a_board_is_told(folder: Path) -> None:
    """With the way from the source, the owner, the skipped layer and the source that marketing may not read."""
    gates = ("--fail-on", "labels", "--fail-on", "rules", "--fail-on", "permissions", "--as", "marketing")
    status, result = impact(folder, LEAK, *gates)

    reached = {(each["label"], each["node"]): each for each in result["labels"]}
    assert set(reached) == {
        (label, node) for label in ("pii", "secret") for node in ("bi:board/17#contact", "hive:ads.report#contact")
    }
    way = ["hive:ods.users#mail", "hive:ads.report#contact", "bi:board/17#contact"]
    assert reached["pii", "bi:board/17#contact"]["path"] == way
    assert reached["pii", "bi:board/17#contact"]["owners"] == ["mei"]
    kinds = {each["kind"]: each for each in result["findings"]}
    broken = [each["reason"] for each in result["findings"] if each["kind"] == "rule-violation"]
    assert any(reason.startswith("layer_skip: hive:ads.report ") for reason in broken)
    assert (kinds["denied-source"]["task"], kinds["denied-source"]["subject"]) == ("report", "hive:ods.users")
    assert [reason.partition(":")[0] for reason in result["gate"]["tripped"] if "unknown" not in reason] == [
        "labels", "rules", "permissions",
    ]  # fmt: skip
    assert status == 1


def test_a_hash_is_no_address_and_violates_nothing(folder: Path) -> None:
    """What the rules stop brings no label; what may be read and skips no layer trips no gate."""
    gates = ("--fail-on", "labels", "--fail-on", "rules", "--fail-on", "permissions", "--as", "marketing")
    status, result = impact(folder, CLEAN, *gates, "--allow", "unknown")

    assert result["labels"] == []
    assert {each["kind"] for each in result["findings"]} & {"rule-violation", "denied-source"} == set()
    assert (result["gate"]["passed"], status) == (True, 0)


def test_after_the_deployment_the_commands_say_the_same(folder: Path, tmp_path: Path) -> None:
    """What is predicted for a release is what ``labels diff`` and ``rules`` find once its message is in the store."""
    _, result = impact(folder, LEAK)
    store = Store.create(tmp_path / "s")
    argv = ["--store", str(tmp_path / "s"), "ingest", "-", "--no-progress"]
    message = {"event_id": "r2", "task_id": "report", "op": "update", "effective_at": "2026-03-01T00:00:00Z",
               "dialect": "spark", "namespace": "hive", "sql": LEAK}  # fmt: skip
    store.append([
        task_change("people", "online", AT, [("hive:ods.users#id", "hive:dw.people#id"),
                                             ("hive:ods.users#mail", "hive:dw.people#mail")]),
        task_change("report", "online", AT, [("hive:dw.people#id", "hive:ads.report#contact")]),
        task_change("board", "online", AT, [("hive:ads.report#contact", "bi:board/17#contact")]),
    ])  # fmt: skip
    annotate(store, "hive:ods.users#mail", "label", ["pii", "secret"], at=AT)
    assert forked.run(argv, given=json.dumps(message).encode()).returncode == 0
    from lineage_tt.governance.config import Config

    governance = Store.open(tmp_path / "s").governance(Config.parse(RULES))
    before, after = governance.basis("2026-02-01T00:00:00Z"), governance.basis("2026-03-02T00:00:00Z")
    gained = {
        (label, change.node) for change in governance.labels_diff(before, after)
        for label in change.after if label not in change.before
    }  # fmt: skip
    assert {(each["label"], each["node"]) for each in result["labels"]} == gained
    broken = {f"{each.rule}: {each.subject} " for each in governance.rules(after, before).violations}
    predicted = [each["reason"] for each in result["findings"] if each["kind"] == "rule-violation"]
    assert len(predicted) == len(broken)
    assert all(any(reason.startswith(words) for words in broken) for reason in predicted)


def test_sarif_and_markdown_show_them(folder: Path) -> None:
    """Both name the rule and the source that may not be read."""
    impact(folder, LEAK, "--as", "marketing", "--write", "sarif=out.sarif", "--write", "markdown=out.md")

    results = json.loads((folder / "out.sarif").read_text())["runs"][0]["results"]
    assert {"rule-violation", "denied-source", "label-reach"} <= {each["ruleId"] for each in results}
    page = (folder / "out.md").read_text()
    assert "layer\\_skip" in page
    assert "marketing may not read" in page


@pytest.mark.parametrize(
    "words", [("--fail-on", "permissions"), ("--store", "http://127.0.0.1:1", "--as", "marketing")]
)
def test_what_cannot_be_judged_is_an_error(folder: Path, words: tuple[str, ...]) -> None:
    """A gate of nobody's rights, and rights at a server, end with status 2 or 3 and a hint."""
    argv = ["--store", str(folder / "s"), "impact", "-", *words]
    done = forked.run(argv, cwd=folder, given=b"[]", timeout=60)
    assert done.returncode in (2, 3)
    assert b"hint:" in done.stderr
