"""A headless browser for tests, driven through its debugging pipe with the standard library."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Self

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    # Nothing listens there: whatever is asked of the network fails.
    *("--proxy-server=127.0.0.1:9", "--remote-debugging-pipe"),
)
# The browser reads commands from descriptor 3 and writes answers to descriptor 4.
START = (
    "import fcntl, os, sys; "
    "r, w = (fcntl.fcntl(int(n), fcntl.F_DUPFD, 10) for n in sys.argv[1:3]); "
    "os.dup2(r, 3); os.dup2(w, 4); os.execv(sys.argv[3], sys.argv[3:])"
)
PATIENCE = 30.0
TABS = 600
"""Presses of the tabulator that lead anywhere on a page."""


def find_browser() -> str | None:
    """Return the path of a Chromium or Chrome, where there is one."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """One page of a headless browser; what it logs and asks for is kept."""

    def __init__(self, program: str, profile: Path) -> None:
        read_commands, self._commands = os.pipe()
        self._answers, write_answers = os.pipe()
        ends = (read_commands, write_answers)
        start = [sys.executable, "-c", START, *map(str, ends)]
        self._process = subprocess.Popen(
            [*start, program, *FLAGS, f"--user-data-dir={profile}"],
            pass_fds=ends,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for end in ends:
            os.close(end)
        self._buffer = b""
        self._number = 0
        self._session: str | None = None
        self.events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        for domain in ("Runtime", "Log", "Network", "Page"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and return its result."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                result: dict[str, Any] = answer["result"]
                return result

    def look(self, *, width: int = 1400, dark: bool = False) -> None:
        """Have pages a width, in pixels, and a colour scheme."""
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("Emulation.setEmulatedMedia", features=scheme)
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=900,
            deviceScaleFactor=1,
            mobile=False,
        )

    def open(self, url: str, *, width: int = 1400, dark: bool = False) -> None:
        """Open a page and wait until it is loaded."""
        self.look(width=width, dark=dark)
        for address in ("about:blank", url):
            self.events.clear()
            self.call("Page.navigate", url=address)
            loaded = f"location.href === {json.dumps(address)} && document.readyState"
            while self.run(loaded) != "complete":
                time.sleep(0.01)

    def run(self, expression: str) -> Any:
        """Return the value of a JavaScript expression on the page."""
        computed = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in computed:
            raise RuntimeError(computed["exceptionDetails"]["exception"]["description"])
        return computed["result"].get("value")

    def until(self, condition: str) -> None:
        """Wait until a JavaScript expression holds on the page, or on the one it leads to."""
        deadline = time.monotonic() + PATIENCE
        while not self.run(condition):
            if time.monotonic() > deadline:
                raise TimeoutError(f"{condition} never held at {self.run('location.href')}")
            time.sleep(0.01)

    def click(self, selector: str) -> None:
        """Click with the mouse on the middle of what a CSS selector finds first."""
        computed = f"document.querySelector({json.dumps(selector)})"
        self.until(f"document.readyState === 'complete' && {computed} !== null")
        x, y = self.run(
            f"(() => {{ const found = {computed}; found.scrollIntoView({{ block: 'center' }}); "
            "const box = found.getClientRects()[0]; "
            "return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def write(self, text: str) -> None:
        """Type a text into what has the focus."""
        for letter in text:
            self.call("Input.dispatchKeyEvent", type="char", text=letter)

    def tab_to(self, condition: str) -> None:
        """Press the tabulator until a JavaScript expression holds, such as of the focus."""
        for _ in range(TABS):
            self.press("Tab", 9)
            if self.run(condition):
                return
        raise AssertionError(f"the tabulator never leads to where {condition}")

    def names(self) -> list[tuple[str, str]]:
        """Return what a screen reader says of each part of the page: its role and its name."""
        tree = self.call("Accessibility.getFullAXTree")["nodes"]
        return [
            (node["role"]["value"], node.get("name", {}).get("value", ""))
            for node in tree
            if not node["ignored"] and "role" in node
        ]

    def press(self, key: str, code: int, *, control: bool = False) -> None:
        """Press a key."""
        keys = {"key": key, "windowsVirtualKeyCode": code, "modifiers": 2 if control else 0}
        keys["text"] = "\r" if key == "Enter" and not control else ""
        self.call("Input.dispatchKeyEvent", type="keyDown", **keys)
        self.call("Input.dispatchKeyEvent", type="keyUp", **keys)

    def complaints(self) -> list[str]:
        """Return what was logged, and every exception."""
        wanted = ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded")
        return [json.dumps(e["params"]) for e in self.events if e["method"] in wanted]

    def requests(self) -> list[str]:
        """Return the addresses that were asked for."""
        return [
            event["params"]["request"]["url"]
            for event in self.events
            if event["method"] == "Network.requestWillBeSent"
        ]

    def _receive(self) -> dict[str, Any]:
        deadline = time.monotonic() + PATIENCE
        while b"\0" not in self._buffer:
            left = max(deadline - time.monotonic(), 0.0)
            if not select.select([self._answers], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            self._buffer += os.read(self._answers, 1 << 20)
        text, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        if "method" in message:
            self.events.append(message)
        return message

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()
        os.close(self._commands)
        os.close(self._answers)
