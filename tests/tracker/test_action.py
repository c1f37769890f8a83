"""The GitHub Action: its steps run here as its host runs them, beside a stand-in for comments."""

from __future__ import annotations

import http.server
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml

from tests.building import written

ROOT = Path(__file__).parents[2]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
REFERENCES = [f"number {n} is the sum of {n} and nothing else at all" for n in range(24)]


@dataclass
class Host:
    """What a build has of its host: inputs, the files that steps write to, and comments."""

    folder: Path
    comments: list[dict[str, Any]] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    refuses: int = 0
    address: str = ""
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)

    def answer(self, method: str, path: str, body: dict[str, Any] | None) -> Any:
        """Return what the host answers."""
        self.requests.append(f"{method} {path}")
        parts = urlsplit(path)
        if method == "GET":
            page = int(parse_qs(parts.query)["page"][0])
            return self.comments[100 * (page - 1) : 100 * page]
        assert body is not None
        if method == "PATCH":
            (old,) = (c for c in self.comments if str(c["id"]) == parts.path.rpartition("/")[2])
            return old | {"body": old.update(body) or body["body"]}
        self.comments.append({"id": 1000 + len(self.comments), **body})
        return self.comments[-1]

    def build(self, **inputs: str) -> tuple[int, str]:
        """Run the steps that are ours; return the exit code of the last, and what they wrote."""
        self.outputs.clear()
        values = {name: str(of.get("default", "")) for name, of in ACTION["inputs"].items()}
        values |= {name.replace("_", "-"): value for name, value in inputs.items()}
        summary = self.folder / "summary.md"
        summary.write_text("")
        shown, code = "", 0
        for step in STEPS:
            if "run" not in step or step["id"] == "install":
                continue
            file = self.folder / "output"
            file.write_text("")
            environment = {
                "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
                "HOME": str(self.folder),
                "RUNNER_TEMP": str(self.folder),
                "GITHUB_ACTION_PATH": str(ROOT),
                "GITHUB_API_URL": self.address,
                "GITHUB_REPOSITORY": "some/one",
                "GITHUB_STEP_SUMMARY": str(summary),
                "GITHUB_OUTPUT": str(file),
                **{name: self.filled(text, values) for name, text in step.get("env", {}).items()},
            }
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
                cwd=self.folder,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
                timeout=200,
            )
            shown, code = shown + done.stdout + done.stderr, done.returncode
            lines = (line.partition("=") for line in file.read_text().splitlines())
            self.outputs[step["id"]] = {name: value for name, _, value in lines}
            if code:
                break
        return code, shown

    def filled(self, text: str, values: dict[str, str]) -> str:
        """Return a text with the host's expressions filled in."""

        def value(match: re.Match[str]) -> str:
            where, _, name = match[1].partition(".")
            if where == "inputs":
                return values[name].replace("${{ github.token }}", "the token")
            if where == "steps":
                step, _, output = name.partition(".outputs.")
                return self.outputs[step][output]
            return {"event.pull_request.number": "7"}[name]

        return re.sub(r"\$\{\{ (.+?) \}\}", value, text)


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    """A host whose comments are answered for by a server of ours."""
    host = Host(tmp_path)

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            assert self.headers["Authorization"] == "Bearer the token"
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            content = [] if host.refuses else host.answer(self.command, self.path, body)
            self.send_response(host.refuses or 200)
            self.end_headers()
            self.wfile.write(json.dumps(content).encode())

        do_POST = do_PATCH = do_GET  # noqa: N815

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    written(tmp_path / "references.txt", "\n".join(REFERENCES) + "\n")
    written(tmp_path / "good.txt", "\n".join(REFERENCES) + "\n")
    worse = [" ".join(reversed(text.split())) for text in REFERENCES]
    worse[0] = "::error::x | @octocat <script>alert(1)</script>"
    written(tmp_path / "worse.txt", "\n".join(worse) + "\n")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        host.address = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield host
        server.shutdown()


def test_builds_are_gated_and_one_comment_is_kept_up_to_date(host: Host) -> None:
    inputs = {"system": "x--yes;$(id>stolen)`x`<b>", "references": "references.txt\n"}
    inputs |= {"max_drop": "bleu=1\nchrf=1\n", "min": "bleu=1"}
    host.comments += [{"id": n, "body": "<!-- another -->"} for n in range(100)]
    code, shown = host.build(outputs="good.txt", **inputs)
    assert code == 0, shown
    assert host.outputs["gate"] | {"summary": ""} == {
        "code": "0",
        "passed": "true",
        "verdict": "passed",
        "summary": "",
    }
    assert len(host.comments) == 101
    assert "### ✅ The gate passes" in host.comments[-1]["body"]
    assert host.requests[-1] == "POST /repos/some/one/issues/7/comments"

    written(host.folder / "good.txt", (host.folder / "worse.txt").read_text())
    code, shown = host.build(outputs="good.txt", **inputs)
    assert code == 1
    assert host.outputs["gate"]["verdict"] == "failed"
    assert host.requests[-1] == f"PATCH /repos/some/one/issues/comments/{host.comments[-1]['id']}"
    assert len(host.comments) == 101
    body = host.comments[-1]["body"]
    assert "### ❌ The gate fails by 3 thresholds" in body
    assert "BLEU-lc is worse by" in body
    assert "<script>" not in body
    assert "@octocat" not in body
    assert body.partition("\n")[2] == (host.folder / "summary.md").read_text()
    assert not (host.folder / "stolen").exists()
    stopped = re.findall(r"::stop-commands::(\w+)\n(.*?)\n::\1::\n", shown, re.DOTALL)
    assert len(stopped) == 2
    assert "::" not in re.sub(r"::stop-commands::(\w+)\n.*?\n::\1::\n", "", shown, flags=re.DOTALL)


def test_a_comment_that_is_refused_is_a_warning_and_decides_nothing(host: Host) -> None:
    host.refuses = 403
    inputs = {"system": "a", "references": "references.txt", "max_drop": "bleu=1"}
    code, shown = host.build(outputs="good.txt", **inputs)
    assert (code, host.outputs["gate"]["passed"]) == (0, "true")
    assert "::warning::no comment on the pull request: HTTP 403; the job needs" in shown
    code, shown = host.build(outputs="worse.txt", **inputs)
    assert (code, host.outputs["gate"]["passed"]) == (1, "false")
    assert host.comments == []


def test_what_cannot_be_judged_is_an_error_and_says_so(host: Host) -> None:
    inputs = {"system": "a", "references": "references.txt", "max_drop": "nothing=1"}
    code, shown = host.build(outputs="good.txt", **inputs)
    assert (code, host.outputs["gate"]["verdict"]) == (2, "error")
    assert "neither submission has a measure 'nothing'" in shown
    assert "could not judge" in host.comments[0]["body"]
    code, shown = host.build(outputs="missing.txt", **inputs)
    assert (code, "gate" in host.outputs) == (2, False)
    assert "missing.txt" in shown


def test_a_comment_fits_whatever_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / ".github" / "gate"))
    from comment import LONGEST, shortened  # type: ignore[import-not-found]

    folded = "\n<details><summary>a</summary>\n" + "x" * 30_000 + "\n</details>\n"
    text = shortened("head" + 3 * folded)
    assert text.count("<details>") == text.count("</details>") == 2
    assert text.endswith("(the rest is in the summary of the build)")
    assert len(shortened("x" * 100_000)) == LONGEST
    assert shortened("short") == "short"


def test_actions_are_pinned_and_inputs_reach_no_script() -> None:
    workflow = (ROOT / "docs" / "gate-workflow.yml").read_text(encoding="utf-8")
    action = (ROOT / "action.yml").read_text(encoding="utf-8")
    uses = re.findall(r"uses: (\S+)", workflow + action)
    ours = [name for name in uses if not name.startswith("actions/")]
    assert ours == ["OWNER/sr-tracker@COMMIT"]
    others = {*uses} - {*ours}
    assert len(others) == 5
    assert all(re.fullmatch(r"actions/[\w/-]+@[0-9a-f]{40}", name) for name in others)
    assert [step["id"] for step in STEPS if "${{" in step.get("run", "")] == []
    (job,) = yaml.safe_load(workflow)["jobs"].values()
    (step,) = (step for step in job["steps"] if step["uses"] in ours)
    assert {*step["with"]} <= {*ACTION["inputs"]}
    needed = {name for name, of in ACTION["inputs"].items() if of.get("required")}
    assert needed <= {*step["with"]}
    named = set(re.findall(r"(?:inputs\.([\w-]+))", action))
    assert named == {*ACTION["inputs"]}
