"""The ready queries and the style sheet, in the real Neo4j Browser.

With EGCFOREST_BROWSER_PICTURES set to a folder, the drawings are saved there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.api.conftest import Finished
from tests.api.neo4j_browser import CHROMEDRIVER, CHROMIUM, DrawnNode, Neo4jBrowser
from tests.neo4j_server import Neo4jServer

ROOT = Path(__file__).resolve().parents[2]
STYLE = (ROOT / "docs" / "browser" / "style.grass").read_text("utf-8")
PICTURES = os.environ.get("EGCFOREST_BROWSER_PICTURES")

pytestmark = pytest.mark.timeout(900)
needs_chromium = pytest.mark.skipif(
    not (CHROMIUM and CHROMEDRIVER), reason="Chromium and its driver are not installed"
)


@dataclass(frozen=True, slots=True)
class Ready:
    """A ready query of docs/browser.md."""

    title: str
    query: str
    picture: str


def ready_queries() -> list[Ready]:
    text = (ROOT / "docs" / "browser.md").read_text("utf-8")
    sections = re.findall(
        r"^## \d\. (.+?)$.*?^```cypher\n(.*?)^```\n+!\[[^\]]+\]\(browser/(.+?\.png)\)",
        text,
        re.MULTILINE | re.DOTALL,
    )
    return [Ready(title, query.strip(), picture) for title, query, picture in sections]


def rules() -> dict[str, dict[str, str]]:
    """The style sheet by selector."""
    found = {}
    for selector, body in re.findall(r"^([\w.]+) \{\n(.*?)^\}", STYLE, re.MULTILINE | re.DOTALL):
        found[selector] = dict(re.findall(r"^  ([\w-]+): (.+);$", body, re.MULTILINE))
    return found


def colours() -> dict[str, str]:
    """Selector of the label that has the colour, by colour in small letters."""
    return {
        properties["color"].lower(): selector
        for selector, properties in rules().items()
        if selector.startswith("node.")
    }


def test_there_are_five_and_the_readme_has_the_same():
    queries = ready_queries()
    assert len(queries) == 5
    readme = (ROOT / "README.md").read_text("utf-8")
    shown = re.findall(r"^```cypher\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    assert [query.strip() for query in shown] == [ready.query for ready in queries]


def test_style_sheet_covers_every_label_that_is_drawn():
    from egcforest.graph.schema import NODE_CLASSES

    # What keeps the service's own house is no part of the picture.
    housekeeping = {"Installation", "AccessToken", "Job"}
    labels = {node.__label__ for node in NODE_CLASSES} - housekeeping
    assert labels == {name.removeprefix("node.") for name in rules() if name.startswith("node.")}
    # Nothing in it but rules that the parser above understood.
    assert not re.sub(r"^[\w.]+ \{\n(  [\w-]+: .+;\n)+\}\n", "", STYLE, flags=re.MULTILINE).strip()


@pytest.fixture(scope="module")
def browser(
    sample: Finished, neo4j_server: Neo4jServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Neo4jBrowser]:
    if not neo4j_server.http_url:
        pytest.skip("where the Browser of the configured server is, is not known")
    with Neo4jBrowser(neo4j_server, tmp_path_factory.mktemp("chromium")) as browser:
        yield browser


@needs_chromium
@pytest.mark.parametrize("ready", ready_queries(), ids=lambda ready: ready.picture)
def test_query_draws_styled_nodes(browser: Neo4jBrowser, ready: Ready):
    browser.open(ready.query)
    shown = browser.drop_style(STYLE)
    # Browser shows the style that it parsed, rule by rule.
    for selector, properties in rules().items():
        assert f"{selector} {{" in shown
        assert all(f"{name}: {value};" in shown for name, value in properties.items())
    by_colour = colours()
    nodes = browser.run(ready.query, colours=by_colour)
    assert len(nodes) >= 5
    assert len({by_colour[node.fill.lower()] for node in nodes}) >= 2
    assert not [node for node in nodes if not is_captioned(node)]
    if PICTURES:
        browser.picture(ROOT / PICTURES / ready.picture)


@needs_chromium
def test_style_stays_for_the_pages_that_follow(browser: Neo4jBrowser):
    """What docs/browser.md says: it need not be dropped again."""
    ready = ready_queries()[0]
    browser.open(ready.query)
    browser.drop_style(STYLE)
    browser.await_style_kept()
    browser.open(ready.query)
    nodes = browser.run(ready.query, colours=colours())
    assert len(nodes) >= 5


def is_captioned(node: DrawnNode) -> bool:
    """A caption for a person: words or `#482`, not a bare number, not a key."""
    return bool(re.search(r"[^\W\d_]|#\d", node.caption)) and not node.caption.startswith("sample/")
