"""How identifiers and project names are read: pure functions of what all channels name."""

import random

import pytest

from egcforest.builders.renames import ProjectNames, Rename, find_renames
from egcforest.builders.resolution import ChannelNames, Resolver


def names(channel, *identifiers, audience="public", count=1):
    counts = dict.fromkeys(identifiers, count)
    return ChannelNames(f"w/c/{channel}", channel, audience, counts)


def resolver(*channels):
    return Resolver(channels)


def pull(value):
    return f"pull_request:{value}"


def test_the_channels_own_link_comes_first():
    read = resolver(names("a", pull("atlas#7"), pull("#7")), names("b", pull("other#7")))
    assert read.resolve("w/c/a", pull("#7")) == pull("atlas#7")


def test_a_channel_of_one_repository_means_that_one():
    read = resolver(names("a", pull("atlas#7"), pull("#9")), names("b", pull("other#9")))
    assert read.resolve("w/c/a", pull("#9")) == pull("atlas#9")


def test_else_the_only_one_there_is():
    read = resolver(names("a", pull("#7")), names("b", pull("atlas#7")))
    assert read.resolve("w/c/a", pull("#7")) == pull("atlas#7")


def test_several_leave_it_to_the_channel():
    read = resolver(
        names("a", pull("#7")), names("b", pull("atlas#7")), names("c", pull("other#7"))
    )
    assert read.resolve("w/c/a", pull("#7")) == pull("a:#7")


def test_of_two_repositories_the_one_worked_on_is_meant():
    links = [pull(f"atlas#{n}") for n in range(1, 9)]
    read = resolver(names("a", *links, pull("django#7"), pull("#7")))
    assert read.resolve("w/c/a", pull("#7")) == pull("atlas#7")


def test_what_is_said_in_private_decides_nothing_elsewhere():
    public, private = names("a", pull("#7")), names("p", pull("secret#7"), audience="p")
    other = names("q", pull("#7"), audience="q")
    read = resolver(public, private, other)
    assert read.resolve("w/c/a", pull("#7")) == pull("a:#7")
    assert read.resolve("w/c/q", pull("#7")) == pull("q:#7")
    alone = resolver(public, other)
    for channel in ("w/c/a", "w/c/q"):
        assert read.identity(channel) == alone.identity(channel)


def test_a_private_channel_reads_in_the_light_of_the_public_ones():
    read = resolver(names("a", pull("atlas#7")), names("p", pull("#7"), audience="p"))
    assert read.resolve("w/c/p", pull("#7")) == pull("atlas#7")


def test_the_documents_short_name_means_the_one_of_the_channel():
    full, short = "document:atlas-market-report", "document:market-report"
    read = resolver(names("a", full, short), names("b", "document:kestrel-market-report", short))
    assert read.resolve("w/c/a", short) == full
    assert read.resolve("w/c/b", short) == "document:kestrel-market-report"
    assert read.resolve("w/c/a", full) == full


def test_a_link_is_an_artifact_if_two_messages_name_it():
    link = "url:example.org/x"
    assert resolver(names("a", link)).resolve("w/c/a", link) is None
    assert resolver(names("a", link, count=2)).resolve("w/c/a", link) == link
    assert resolver(names("a", link), names("b", link)).resolve("w/c/a", link) == link
    # A second mention in private must not show in public.
    private = names("p", link, audience="p")
    assert resolver(names("a", link), private).resolve("w/c/a", link) is None
    assert resolver(names("a", link), private).resolve("w/c/p", link) == link


def test_every_team_has_its_own_phase():
    read = resolver(names("a", "phase:phase-2", count=2), names("b", "phase:phase-2"))
    assert read.resolve("w/c/a", "phase:phase-2") == "phase:a:phase-2"
    assert read.resolve("w/c/b", "phase:phase-2") is None


def test_the_order_of_channels_does_not_matter():
    channels = [names(f"c{n}", pull(f"r{n}#{n % 3}"), pull(f"#{n % 3}")) for n in range(9)]
    shuffled = random.Random(1).sample(channels, len(channels))
    one, other = Resolver(channels), Resolver(shuffled)
    assert [one.identity(c.key) for c in channels] == [other.identity(c.key) for c in channels]


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("I suggest renaming the product from pathX to RouteGenie. Fine with everybody?",
         "pathX", "RouteGenie"),
        ("What about renaming it from OldName2 to RouteGenie?", "OldName2", "RouteGenie"),
        ("we propose changing the product name from navigateAI to RouteGenie.",
         "navigateAI", "RouteGenie"),
        ("They changed the name of Lantern to Beacon", "Lantern", "Beacon"),
        ("Wir ändern den Namen von Lantern in Beacon", "Lantern", "Beacon"),
        ("As of today Project Heron is called *Project Lantern* :tada:", "Heron", "Lantern"),
        ("Lantern is now called Beacon.", "Lantern", "Beacon"),
        ("Beacon (formerly Lantern) ships", "Lantern", "Beacon"),
        ("Beacon, formerly known as Project Lantern, ships", "Lantern", "Beacon"),
        ("We rename Blue Heron to \"Grey Owl\" today", "Blue Heron", "Grey Owl"),
        ("Lantern wird in Beacon umbenannt", "Lantern", "Beacon"),
        ("Lantern heißt jetzt Beacon", "Lantern", "Beacon"),
        ("LanternをBeaconに改名しました", "Lantern", "Beacon"),
    ],
)  # fmt: skip
def test_renames_are_found(text, old, new):
    assert [(r.old, r.new) for r in find_renames(text, "m")] == [(old, new)]


@pytest.mark.parametrize(
    "text",
    [
        "renaming the file from Foo to Bar",
        "we are changing the method name from GetA to GetB",
        "changing the price. The name from Monday to Friday",
        "I changed my name tag from Monday to Friday",
        "Tobi was named Employee of the Month",
        "She is called Elfriede.",
        "Their quality lead is called Freja",
        "one man called Graham",
        "the rename got us",
        "",
    ],
)
def test_other_things_are_no_renames(text):
    assert find_renames(text, "m") == []


def test_a_chain_of_renames_is_one_project_in_any_order():
    said = [Rename("A1", "B1", "m"), Rename("B1", "C1", "m"), Rename("Xa", "Ya", "m")]
    known = ProjectNames("w", "public", said)
    assert known.identity == ProjectNames("w", "public", reversed(said)).identity
    assert [project.names for project in known.projects] == [("A1", "B1", "C1"), ("Xa", "Ya")]
    assert [p.identifier for p in known.named_in("c1 and XA and A1")] == ["a1", "xa"]


def test_a_word_is_a_name_only_where_it_is_written_as_one():
    known = ProjectNames("w", "public", [Rename("Heron", "Lantern", "m")])
    assert known.named_in("a lantern in the dark, herons too") == []
    assert [p.names for p in known.named_in("the Lantern team")] == [("Heron", "Lantern")]


def test_a_private_rename_makes_a_project_of_its_own():
    public, own = [Rename("Heron", "Lantern", "m")], [Rename("Lantern", "Nova", "m")]
    inside = ProjectNames("w", "p", public, own)
    assert [p.key for p in inside.projects] == ["w/x/project/p:heron"]
    assert [p.key for p in ProjectNames("w", "public", public, own).projects] == [
        "w/x/project/heron"
    ]
