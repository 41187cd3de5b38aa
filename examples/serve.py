"""`make serve`: the sample workspace behind the service, with a token and a first question.

Everything happens on the Neo4j that the settings name; by default the private one.
"""

from __future__ import annotations

import json
import sys
from datetime import timedelta
from pathlib import Path

from egcforest.api.access.issue import issue_token
from egcforest.api.access.principal import TokenScope
from egcforest.api.cli.context import find_engine, load, notices, run
from egcforest.api.cli.main import end_on_errors
from egcforest.api.engine import Engine
from egcforest.api.server.run import run_server
from egcforest.api.service import open_service
from egcforest.api.settings import Settings
from egcforest.builders.progress import open_report
from egcforest.builders.sources import open_source

EXAMPLES = Path(__file__).resolve().parent
WORKSPACE = "sample"
ASKER = "oliver"
CALLED = "make serve"
QUESTION = "What did I promise the customers in May?"
QUERY = "query($q: String!) { evidence(question: $q, items: 3) { items { citation text } } }"


async def prepare(engine: Engine, settings: Settings) -> str:
    """Ingest the sample if it is not there; a token for it, good for a day."""
    async with open_service(engine, settings) as service:
        if WORKSPACE not in await service.log.workspaces():
            with open_report(sys.stderr) as report:
                await service.ingest(open_source(EXAMPLES / "workspace"), WORKSPACE, report)
        key, _ = await issue_token(
            service.store,
            WORKSPACE,
            scopes=(TokenScope.READ, TokenScope.INGEST),
            actor=ASKER,
            name=CALLED,
            lifetime=timedelta(hours=24),
        )
        return key.text


def first_question(settings: Settings, token: str) -> str:
    """A command that asks the service something."""
    body = json.dumps({"query": QUERY, "variables": {"q": QUESTION}})
    url = f"http://{settings.serve_host}:{settings.serve_port}/graphql"
    return (
        f"curl {url} \\\n  -H 'Authorization: Bearer {token}' \\\n"
        f"  -H 'Content-Type: application/json' \\\n  -d '{body}'"
    )


def main() -> None:
    """Serve until interrupted."""
    settings = load().values
    engine = find_engine(settings, must_hold_data=False)
    token = run(prepare(engine, settings))
    console = notices()
    console.print(f"A token for the workspace {WORKSPACE!r} as {ASKER}, good for 24 hours:")
    console.print(f"  {token}")
    console.print("Ask something:")
    console.print(first_question(settings, token))
    console.print("Stop it with Ctrl+C.")
    run_server(settings, engine)


if __name__ == "__main__":
    with end_on_errors():
        main()
