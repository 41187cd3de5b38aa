"""What the forests hold: artifacts, edits, privacy, late replies."""

from egcforest.builders.grouping import GroupingParameters

from .talk import DESCRIPTIONS, message, talk

MINUTES = "2026-03-02T09:{:02}:00+00:00"


def said(channel, number, text, author="ana", minute=None, **fields):
    line = {
        "channel": channel,
        "id": f"{channel}-{number}",
        "time": MINUTES.format(number if minute is None else minute),
        "author": author,
        "text": text,
    }
    return {**line, **fields}


async def everything_public(company):
    """All text that the public forests hold."""
    rows = await company.cypher(
        "MATCH (n) WHERE n.workspace = $w AND (n:Tree OR n:ForestNode) "
        "AND n.audience = 'public' RETURN properties(n) AS p"
    )
    return "\n".join(f"{name}: {value}" for row in rows for name, value in row["p"].items())


async def members(company, kind, identifier, audience="public"):
    rows = await company.cypher(
        "MATCH (t:Tree {audience: $audience})-[:ABOUT]->(x:Artifact {workspace: $w, kind: $kind}) "
        "WHERE x.identifier = $identifier "
        "MATCH (t)-[:ROOT]->()-[:CHILD*0..]->(:ForestNode {level: 1})<-[:PLACED]-(m) "
        "RETURN collect(DISTINCT m.source_id) AS ids",
        kind=kind, identifier=identifier, audience=audience,
    )  # fmt: skip
    return set(rows[0]["ids"])


async def test_a_bare_pull_request_is_the_one_of_its_channel(company):
    one = company()
    await one.grow(
        *DESCRIPTIONS,
        said("atlas", 1, "Please look at https://git.example/acme/atlas/pull/7"),
        said("atlas", 2, "PR #7 looks good", "ben"),
        said("atlas", 50, "What about PR #8?", "ben"),
        said("plat", 3, "PR #7 broke the pager"),
        said("plat", 4, "I saw that too", "ben"),
    )
    # The channel links it; one repository in the channel; one such in the workspace.
    assert await members(one, "pull_request", "atlas#7") == {
        "atlas-1", "atlas-2", "plat-3", "plat-4",
    }  # fmt: skip
    named = await one.cypher(
        "MATCH (x:Artifact {workspace: $w})<-[:MENTIONS]-(m) "
        "RETURN x.identifier AS x, collect(m.source_id) AS m"
    )
    assert {row["x"]: sorted(row["m"]) for row in named} == {
        "atlas#7": ["atlas-1", "atlas-2", "plat-3"],
        "atlas#8": ["atlas-50"],
    }


async def test_a_second_repository_makes_a_bare_number_the_channels_own(company):
    one = company()
    await one.grow(
        *DESCRIPTIONS,
        said("atlas", 1, "Please look at https://git.example/acme/atlas/pull/7"),
        said("plat", 3, "PR #7 broke the pager"),
    )
    await one.grow(said("gen", 4, "and https://git.example/acme/borealis/pull/7 is ours"))
    named = await one.cypher(
        "MATCH (x:Artifact {workspace: $w})<-[:MENTIONS]-(m) "
        "RETURN x.identifier AS x, collect(m.source_id) AS m"
    )
    assert {row["x"]: row["m"] for row in named} == {
        "atlas#7": ["atlas-1"],
        "plat:#7": ["plat-3"],
        "borealis#7": ["gen-4"],
    }


async def test_it_goes_on_until_another_of_its_kind_is_named(company):
    one = company()
    await one.grow(
        *DESCRIPTIONS,
        said("plat", 1, "unrelated"),
        said("plat", 2, "OPS-1 is open"),
        said("plat", 3, "looking into it", "ben"),
        said("plat", 4, "now OPS-2", "ben"),
        said("plat", 5, "done"),
        said("plat", 6, "in a thread", "ben", thread="plat-2"),
        said("gen", 30, "OPS-1 again", minute=30),
    )
    assert await members(one, "ticket", "OPS-1") == {"plat-2", "plat-3", "plat-6", "gen-30"}
    assert await members(one, "ticket", "OPS-2") == {"plat-4", "plat-5"}


async def test_same_identifier_leads_to_the_previous_mention_and_never_into_private(company):
    one = company()
    await one.grow(
        *DESCRIPTIONS,
        said("plat", 1, "OPS-1 is open"),
        said("legal", 2, "OPS-1 is a risk"),
        said("gen", 3, "OPS-1 is closed"),
        said("legal", 4, "OPS-1 was a risk"),
        said("dm1", 5, "OPS-1 is funny"),
    )
    rows = await one.cypher(
        "MATCH (m:Message {workspace: $w})-[r:SAME_IDENTIFIER]->(p) "
        "RETURN m.source_id AS m, p.source_id AS p, r.identifier AS i"
    )
    assert {(row["m"], row["p"]) for row in rows} == {
        ("gen-3", "plat-1"),
        ("legal-2", "plat-1"),
        ("legal-4", "legal-2"),
        ("legal-4", "gen-3"),
        ("dm1-5", "gen-3"),
    }
    assert {row["i"] for row in rows} == {"ticket:OPS-1"}


async def test_a_rename_joins_both_names_and_a_private_one_stays_private(company):
    one = company()
    await one.grow(
        *DESCRIPTIONS,
        said("atlas", 1, "Heron is on time"),
        said("atlas", 2, "We are renaming Heron to Lantern", "ben"),
        said("gen", 3, "Lantern is great"),
        said("plat", 4, "Osprey is slow"),
        said("legal", 5, "Osprey will be renamed to Kestrel", "eve"),
        said("legal", 6, "Kestrel needs a licence"),
    )
    assert await members(one, "project", "heron") == {"atlas-1", "atlas-2", "gen-3"}
    assert await members(one, "project", "legal:osprey", "legal") == {"legal-5", "legal-6"}
    public = await everything_public(one)
    assert "Kestrel" not in public
    assert "kestrel" not in public
    (card,) = await one.cypher(
        "MATCH (t:Tree {workspace: $w, name: 'Lantern'}) RETURN t.aliases AS aliases, "
        "t.card_identifiers AS identifiers, t.card_status_changes AS changes"
    )
    assert card["aliases"] == ["Heron"]
    assert card["changes"] == [
        "2026-03-02 Ben Okafor (#proj-atlas): We are renaming Heron to Lantern"
    ]


async def test_nothing_private_is_in_a_public_tree(company):
    one = company()
    await one.grow(
        *DESCRIPTIONS,
        *talk(60),
        said("legal", 1, 'See the secret "Zanzibar Report" on OPS-1', "eve", mentions=["ana"]),
        said("legal", 2, "Zanzibar again, https://z.example/zanzibar/1 and PR #999", "eve"),
        said("plat", 3, "OPS-1 is public, PR #999 too"),
        said("plat", 4, "yes", "ben"),
    )
    public = await everything_public(one)
    assert "zanzibar" not in public.casefold()
    mixed = await one.cypher(
        "MATCH (m:Message {workspace: $w})-[:PLACED]->(n:ForestNode) "
        "MATCH (t:Tree {key: n.tree}) "
        "WHERE m.audience <> n.audience OR t.audience <> n.audience RETURN m.key"
    )
    assert mixed == []


async def test_an_edit_and_a_deletion_leave_nothing_behind(company):
    edited, clean = company(), company()
    lines = [*DESCRIPTIONS, *talk(40)]
    secret = said("atlas", 1, "The vault code 4711-XYZZY is in OPS-77", minute=30)
    other = said("atlas", 2, "Zyzzyva is an odd word, see OPS-78", minute=31)
    await edited.grow(*lines, secret, other)
    await edited.grow({**secret, "deleted": True, "revision": "1"})
    await edited.grow({**other, "revision": "1", "text": "It is a word."})
    rows = await edited.cypher(
        "MATCH (n) WHERE n.workspace = $w AND NOT n:Message RETURN properties(n) AS p"
    )
    text = "\n".join(str(value) for row in rows for value in row["p"].values())
    for gone in ("4711", "XYZZY", "xyzzi", "OPS-77", "OPS-78", "zyzzyva"):
        assert gone.casefold() not in text.casefold()
    await clean.grow(*lines, {**other, "revision": "1", "text": "It is a word."})
    assert await edited.fingerprint() == await clean.fingerprint()


async def test_a_subject_without_messages_has_no_tree(company):
    one = company()
    lines = [said("plat", 1, "OPS-5 is open"), said("plat", 2, "yes", "dirk")]
    await one.grow(*DESCRIPTIONS, said("gen", 3, "hello there, people"), *lines)
    await one.grow(*({**line, "deleted": True, "revision": "1"} for line in lines))
    rows = await one.cypher("MATCH (t:Tree {workspace: $w}) RETURN t.subject AS s ORDER BY s")
    assert [row["s"].partition("/")[2] for row in rows] == ["a/ana", "c/gen"]
    rows = await one.cypher("MATCH (x:Artifact {workspace: $w}) RETURN x.key")
    assert rows == []
    rows = await one.cypher(
        "MATCH (n:ForestNode {workspace: $w}) WHERE NOT n.tree IN "
        "COLLECT { MATCH (t:Tree {workspace: $w}) RETURN t.key } RETURN n.key"
    )
    assert rows == []


async def test_a_late_reply_joins_its_thread(company):
    one = company()
    await one.grow(*DESCRIPTIONS, said("plat", 1, "first"), said("plat", 2, "second", "ben"))
    await one.grow(
        {**said("plat", 3, "late", "chie", thread="plat-1"), "time": "2026-05-02T09:00:00Z"}
    )
    rows = await one.cypher(
        "MATCH (m:Message {workspace: $w})-[p:PLACED {view: 'channel'}]->(n) "
        "RETURN m.source_id AS m, p.position AS at, n.key AS n ORDER BY at"
    )
    assert [row["m"] for row in rows] == ["plat-1", "plat-3", "plat-2"]
    assert len({row["n"] for row in rows}) == 1
    to_ana = await one.cypher(
        "MATCH (m:Message {workspace: $w, source_id: 'plat-3'})-[:PLACED {view: 'actor'}]->(n) "
        "RETURN n.tree AS tree"
    )
    assert {row["tree"].split("/")[4] for row in to_ana} == {"ana", "chie"}


async def test_messages_know_their_neighbours(company):
    one = company()
    await one.grow(
        *DESCRIPTIONS,
        said("plat", 1, "alpha"),
        said("plat", 2, "beta", "ben"),
        said("plat", 3, "gamma"),
    )
    rows = await one.cypher(
        "MATCH (m:Message {workspace: $w}) RETURN m.terms AS own, m.context_terms AS beside, "
        "m.encode_pending AS pending ORDER BY m.at"
    )
    assert [(row["own"], row["beside"]) for row in rows] == [
        ("alpha", "beta"), ("beta", "alpha gamma"), ("gamma", "beta"),
    ]  # fmt: skip
    assert [row["pending"] for row in rows] == [None] * 3


async def test_fixed_grouping_is_every_k_in_time_order(company):
    one = company()
    lines = [
        message("plat", n, _at(n), "ana", f"message number {n} of the report") for n in range(40)
    ]
    await one.grow(*DESCRIPTIONS, *lines, grouping=GroupingParameters(grouping="fixed"))
    rows = await one.cypher(
        "MATCH (n:ForestNode {workspace: $w, view: 'channel', level: 1}) "
        "RETURN n.size AS size ORDER BY n.span_from"
    )
    assert [row["size"] for row in rows] == [16, 16, 8]


def _at(n):
    from datetime import UTC, datetime, timedelta

    return datetime(2026, 3, 2, tzinfo=UTC) + timedelta(hours=5 * n)


async def test_cards_say_who_and_when(company):
    one = company()
    await one.grow(
        *DESCRIPTIONS,
        said("atlas", 1, "I will send the Rollout Plan by Friday.", "ben"),
        said("atlas", 2, "We decided to keep the old queue.", "ana"),
        said("atlas", 3, "OPS-9 is assigned to Ben, it is due on 12 March.", "ana"),
        said("atlas", 4, "OPS-9 was released this morning.", "ben"),
    )
    rows = await one.cypher("MATCH (t:Tree {workspace: $w}) RETURN properties(t) AS p")
    trees = {row["p"]["name"]: row["p"] for row in rows}
    channel, actor, ticket = trees["proj-atlas"], trees["Ben Okafor"], trees["OPS-9"]
    assert channel["card_purpose"] == ["Building Atlas"]
    assert channel["card_period"] == ["2026-03-02, 4 messages"]
    assert channel["card_participants"] == ["Ana Ruiz (2)", "Ben Okafor (2)"]
    assert channel["card_decisions"] == [
        "2026-03-02 Ana Ruiz (#proj-atlas): We decided to keep the old queue."
    ]
    assert actor["card_role"] == ["Ben Okafor's role"]
    assert actor["card_commitments"] == [
        "2026-03-02 Ben Okafor (#proj-atlas): I will send the Rollout Plan by Friday."
    ]
    assert ticket["card_status_changes"] == [
        "2026-03-02 Ben Okafor (#proj-atlas): OPS-9 was released this morning."
    ]
    assert (
        ticket["card_owner"]
        == ticket["card_dates"]
        == ["2026-03-02 Ana Ruiz (#proj-atlas): OPS-9 is assigned to Ben, it is due on 12 March."]
    )
    assert "card_purpose" not in actor
    assert "Decisions:" in channel["card_text"]
