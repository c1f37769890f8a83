"""Write a gate's summary as the one comment on a pull request: the first time anew, then over it.

All that it needs is in the environment. Where the host refuses, as it does for pull requests from
forks, that is a warning: a comment decides no build.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

LONGEST = 65_000
"""Characters of a comment; the host takes a few more."""
AT_ONCE = 100
FOLDED = "\n<details>"
SECONDS = 30.0


def ask(method: str, path: str, body: dict[str, str] | None = None) -> Any:
    """Return what the host answers. Raises OSError or HTTPException where it refuses."""
    request = Request(  # noqa: S310 the host's own address
        f"{os.environ['GITHUB_API_URL']}/repos/{os.environ['GITHUB_REPOSITORY']}/issues/{path}",
        None if body is None else json.dumps(body).encode(),
        {
            "Authorization": f"Bearer {os.environ['GITHUB_TOKEN']}",
            "Accept": "application/vnd.github+json",
            "Content-Type": "application/json",
            "User-Agent": "sr-tracker",
        },
        method=method,
    )
    with urlopen(request, timeout=SECONDS) as answer:  # noqa: S310
        return json.load(answer)


def comments(number: str) -> Iterator[dict[str, Any]]:
    """Yield the comments on a pull request."""
    page = 1
    while True:
        batch = ask("GET", f"{number}/comments?per_page={AT_ONCE}&page={page}")
        yield from batch
        if len(batch) < AT_ONCE:
            return
        page += 1


def shortened(text: str) -> str:
    """Return a text that fits into a comment: what is folded goes first, from its end."""
    note = "\n\n(the rest is in the summary of the build)"
    while len(text) > LONGEST and FOLDED in text:
        text = text[: text.rindex(FOLDED)].removesuffix(note) + note
    return text if len(text) <= LONGEST else text[: LONGEST - len(note)] + note


def main() -> None:
    """Write the comment, over that of the same system and file of outputs."""
    of_what = f"{os.environ['SYSTEM']}\n{os.environ['OUTPUTS']}"
    marker = f"<!-- sr-tracker gate {hashlib.sha256(of_what.encode()).hexdigest()[:16]} -->"
    text = Path(os.environ["SUMMARY"]).read_text(encoding="utf-8")
    body = {"body": shortened(f"{marker}\n{text}")}
    number = os.environ["PULL_REQUEST"]
    try:
        ours = (item["id"] for item in comments(number) if item["body"].startswith(marker))
        former = next(ours, None)
        if former is None:
            ask("POST", f"{number}/comments", body)
        else:
            ask("PATCH", f"comments/{former}", body)
    except HTTPError as error:
        warn(f"HTTP {error.code}; the job needs 'permissions: pull-requests: write'")
    except (OSError, HTTPException, ValueError) as error:
        warn(type(error).__name__)


def warn(reason: str) -> None:
    """Show a warning beside the build."""
    sys.stdout.write(f"::warning::no comment on the pull request: {reason}\n")


if __name__ == "__main__":
    main()
