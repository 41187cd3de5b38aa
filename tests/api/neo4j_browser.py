"""The real Neo4j Browser in headless Chromium, as a person would use it."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from egcforest.graph.private.server import browser_url
from tests.neo4j_server import Neo4jServer

T = TypeVar("T")

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
CHROMEDRIVER = shutil.which("chromedriver")
PATIENCE_S = 90

_FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--force-device-scale-factor=1",
    "--window-size=1500,1000",
    # Browser asks the net for fonts and the like; nothing but loopback is to be reached.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)

# What a file manager does when somebody drags a file onto the window.
_DROP = """
const transfer = new DataTransfer();
transfer.items.add(new File([arguments[0]], 'style.grass'));
const target = document.querySelector('[data-testid=stream]') || document.body;
for (const kind of ['dragenter', 'dragover', 'drop'])
  target.dispatchEvent(
    new DragEvent(kind, {bubbles: true, cancelable: true, dataTransfer: transfer}));
"""

_NODES = """
return [...arguments[0].querySelectorAll('svg g.node')].map(node => ({
  caption: [...node.querySelectorAll('text.caption')].map(t => t.textContent.trim()).join(' '),
  fill: node.querySelector('circle.b-outline').getAttribute('fill'),
}));
"""


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """A node as it stands in the picture: caption as far as it fits, and colour."""

    caption: str
    fill: str


class Neo4jBrowser:
    """One Chromium with one tab. Use as a context manager."""

    def __init__(self, server: Neo4jServer, profile: Path) -> None:
        self._server = server
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM or ""
        for flag in (*_FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        # With its path given, Selenium does not look for a driver on the net.
        self.driver = webdriver.Chrome(options=options, service=Service(CHROMEDRIVER))

    def __enter__(self) -> Neo4jBrowser:
        return self

    def __exit__(self, *_: object) -> None:
        self.driver.quit()

    def open(self, query: str) -> None:
        """Open the address that `egcforest neo4j browser QUERY` prints; log in if asked to."""
        self.driver.get(browser_url(self._server.bolt_uri, self._server.http_url, query))

        def connected() -> bool:
            return "You are connected as user" in self._one("[data-testid=stream]").text

        def asked_or_connected() -> bool:
            return connected() or bool(self._one("input[type=password]"))

        # Browser keeps the credentials for a while, as its server allows.
        self.wait("a field for the password", asked_or_connected)
        if not connected():
            self._one("input[type=password]").send_keys(self._server.password, Keys.ENTER)
            self.wait("a connection", connected)

    def drop_style(self, grass: str) -> str:
        """Drop a style sheet onto the window; returns what Browser then shows as its style.

        It holds for this page at once. Browser writes it to the window's storage later: half a
        second after the last thing that happened in it, at most one. A page left before then
        takes it along, which a slow machine makes likely (`await_style_kept`).
        """
        self.driver.execute_script(_DROP, grass)
        return str(
            self.wait(
                "the frame of :style",
                lambda: next(f.text for f in self._all("frame") if f.text.startswith(":style")),
            )
        )

    def await_style_kept(self) -> None:
        """Wait until the next page will have the style, too."""
        self.wait(
            "a style in the window's storage",
            lambda: self.driver.execute_script(
                "return JSON.parse(localStorage.getItem('neo4j.grass'))"
            ),
        )

    def run(self, query: str, *, colours: Collection[str] = ()) -> list[DrawnNode]:
        """Run the query that stands in the editor; returns the nodes that it draws.

        Waits until all of them have one of `colours`, in lower case, if any are given.
        """
        editor = self._one("[data-testid=activeEditor]").text
        assert "".join(query.split())[:30] in "".join(editor.split()), editor
        self._one("[data-testid=editor-Run]").click()

        def nodes() -> list[DrawnNode]:
            frame = self._all("frame")[0]
            if "ERROR" in frame.text.split("\n"):
                raise AssertionError(frame.text)
            found = self.driver.execute_script(_NODES, frame)
            return [DrawnNode(node["caption"], node["fill"]) for node in found]

        def coloured() -> bool:
            found = nodes()
            return bool(found) and (
                not colours or all(node.fill.lower() in colours for node in found)
            )

        self.wait("a drawing in the colours of its style sheet", coloured)
        self._settle()
        return nodes()

    def picture(self, path: Path) -> None:
        """Save the drawing alone, over the whole window."""
        frame = self._all("frame")[0]
        frame.find_element(
            By.CSS_SELECTOR, "[title='Collapse the node properties display']"
        ).click()
        frame.find_element(By.CSS_SELECTOR, "[title='Fullscreen']").click()
        time.sleep(1)
        frame.find_element(By.CSS_SELECTOR, "[aria-label='zoom-to-fit']").click()
        time.sleep(1.5)
        self.driver.save_screenshot(str(path))

    def wait(self, what: str, look: Callable[[], T]) -> T:
        """Call `look` until it returns something, for at most PATIENCE_S seconds."""

        def attempt(_: object) -> T | None:
            try:
                return look() or None
            except (WebDriverException, IndexError, StopIteration):
                return None

        return WebDriverWait(self.driver, PATIENCE_S).until(
            attempt, f"Neo4j Browser shows no sign of {what}."
        )

    def _settle(self) -> None:
        """Wait until the layout no longer moves."""
        before = ""
        for _ in range(40):
            now = str(
                self.driver.execute_script(
                    "return [...document.querySelectorAll('svg g.node')]"
                    ".map(n => n.getAttribute('transform')).join()"
                )
            )
            if now == before:
                return
            before = now
            time.sleep(0.5)

    def _one(self, selector: str) -> webdriver.remote.webelement.WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def _all(self, test_id: str) -> list[webdriver.remote.webelement.WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, f"[data-testid={test_id}]")
