"""Descriptions of actors and channels: later exports update earlier ones."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from .errors import InvalidKeyError
from .records import PUBLIC_AUDIENCE, ActorRecord, ChannelRecord
from .store import ForestStore, Transaction

_BATCH = 1000
_REFRESH_BATCH = 5000
_AUDIENCE = re.compile(r"\S{1,200}")

Properties = Mapping[str, Any]


async def upsert_actors(store: ForestStore, actors: Sequence[ActorRecord]) -> None:
    """See `LogStore.upsert_actors`."""
    latest = {actor.key: actor for actor in actors}
    for keys in _batches(sorted(latest)):
        rows = await store.read("log/actors", {"keys": keys})
        known = {node["key"]: node for node in rows[0]["nodes"]}
        changes: list[dict[str, Any]] = [
            {"key": key, "set": change}
            for key in keys
            if (change := _actor_change(latest[key], known.get(key)))
        ]
        if changes:
            await store.write("log/write_actors", {"rows": changes})
        for row in changes:
            if row["set"].get("refresh_pending"):
                await _refresh_author(store, row["key"])


async def upsert_channels(
    store: ForestStore, channels: Sequence[ChannelRecord], introducer: str | None
) -> None:
    """See `LogStore.upsert_channels`."""
    latest = {channel.key: channel for channel in channels}
    for channel in latest.values():
        _check_audience(channel)
    for keys in _batches(sorted(latest)):
        rows = await store.read("log/channels", {"keys": keys})
        known = {node["properties"]["key"]: node for node in rows[0]["nodes"]}
        changes: list[dict[str, Any]] = []
        members: list[dict[str, Any]] = []
        for key in keys:
            channel, node = latest[key], known.get(key)
            properties = node["properties"] if node else None
            closed = properties is not None and not _may_open(properties, introducer)
            if change := _channel_change(channel, properties, introducer, closed=closed):
                changes.append({"key": key, "set": change})
            listed = sorted(set(channel.members))
            if (
                not closed
                and _tells_members(channel, node)
                and (node is None or listed != sorted(node["members"]))
            ):
                members.append({"key": key, "members": listed})
        if changes or members:
            workspace = latest[keys[0]].workspace
            await store.write_transaction(partial(_write_channels, workspace, changes, members))
        for row in changes:
            if row["set"].get("refresh_pending"):
                now = (await store.read("log/channels", {"keys": [row["key"]]}))[0]["nodes"]
                properties = now[0]["properties"]
                await _follow(store, row["key"], properties["name"], properties["audience"])
                await store.write("log/refreshed", {"key": row["key"]})


async def _write_channels(
    workspace: str, changes: Sequence[Properties], members: Sequence[Properties], tx: Transaction
) -> None:
    """At once, so that nobody sees a channel that turns private who is not, or no longer, one of
    its members: from here on it shows too little until all has followed, never too much."""
    if changes:
        moved = [
            {"key": row["key"], "audience": row["set"]["audience"]}
            for row in changes
            if row["set"].get("refresh_pending") and "audience" in row["set"]
        ]
        if moved:
            await tx.run("log/count_audience_change", {"workspace": workspace})
        await tx.run("log/write_channels", {"rows": list(changes)})
        if moved:
            await tx.run("log/withdraw_trees", {"rows": moved})
    if members:
        await tx.run("log/set_members", {"rows": list(members)})


async def _follow(store: ForestStore, key: str, name: str, audience: str) -> None:
    """Bring the channel's messages in line with `name` and `audience`."""
    params = {"key": key, "name": name, "audience": audience, "limit": _REFRESH_BATCH}
    while (await store.write("log/refresh_channel", params))[0]["changed"]:
        pass


def _may_open(known: Properties, introducer: str | None) -> bool:
    """Whether `introducer` may say who sees the channel that is stored as `known`."""
    return (
        introducer is None
        or known.get("audience") == PUBLIC_AUDIENCE
        or known.get("introduced_by") == introducer
    )


def _tells_members(channel: ChannelRecord, node: Mapping[str, Any] | None) -> bool:
    """Whether `channel` says who its members are. An empty list does where there was one before:
    all have left. The first one may come from a tool that does not know."""
    known = node["properties"] if node else {}
    return bool(channel.members) or (
        channel.members_listed and known.get("members_listed") is True and not channel.placeholder
    )


def _actor_change(actor: ActorRecord, known: Properties | None) -> dict[str, Any]:
    """The properties to set; empty where the graph says the same already."""
    if known is None:
        return _actor_properties(actor, actor.aliases)
    if actor.placeholder and not known.get("placeholder"):
        return _pending(known)
    aliases = dict.fromkeys((*(known.get("aliases") or ()), *actor.aliases))
    if not known.get("placeholder") and known["name"] != actor.name:
        aliases[known["name"]] = None
    aliases.pop(actor.name, None)
    wanted = _actor_properties(actor, tuple(aliases))
    if actor.placeholder and actor.name == actor.source_id:
        # Nobody says what it is called: that takes no name away.
        del wanted["name"]
    change = _difference(wanted, known)
    if change:
        change["build_pending"] = actor.workspace
    if "name" in change:
        change["refresh_pending"] = True
    return change | _pending(known)


def _actor_properties(actor: ActorRecord, aliases: Sequence[str]) -> dict[str, Any]:
    return {
        "workspace": actor.workspace,
        "source_id": actor.source_id,
        "name": actor.name,
        "real_name": actor.real_name,
        "title": actor.title,
        "aliases": list(aliases),
        "is_bot": actor.is_bot,
        "is_deleted": actor.deleted,
        "placeholder": actor.placeholder,
    }


def _channel_change(
    channel: ChannelRecord, known: Properties | None, introducer: str | None, *, closed: bool
) -> dict[str, Any]:
    wanted: dict[str, Any] = {
        "workspace": channel.workspace,
        "source_id": channel.source_id,
        "name": channel.name,
        "kind": channel.kind.value,
        "audience": channel.audience,
        "purpose": channel.purpose,
        "topic": channel.topic,
        "archived": channel.archived,
        "placeholder": channel.placeholder,
    }
    if channel.members and not closed:
        wanted["members_listed"] = True
    if known is None:
        return wanted if introducer is None else wanted | {"introduced_by": introducer}
    if channel.placeholder and not known.get("placeholder"):
        return _pending(known)
    if closed or (channel.placeholder and known.get("audience") != PUBLIC_AUDIENCE):
        # A guess never opens what another guess kept closed.
        del wanted["kind"], wanted["audience"]
    change = _difference(wanted, known)
    if change.keys() - {"members_listed", "placeholder"}:
        change["build_pending"] = channel.workspace
    if change.keys() & {"name", "audience"}:
        change["refresh_pending"] = True
    if "audience" in change:
        change["built_name"] = None
    return change | _pending(known)


def _difference(wanted: Properties, known: Properties) -> dict[str, Any]:
    """What is new in `wanted`; an empty text or list there says nothing."""
    return {
        name: value
        for name, value in wanted.items()
        if value not in ("", [])
        and value != known.get(name)
        # Absent and false are the same.
        and not (value is False and not known.get(name))
    }


def _pending(known: Properties) -> dict[str, Any]:
    """A refresh that was interrupted is due still."""
    return {"refresh_pending": True} if known.get("refresh_pending") else {}


async def _refresh_author(store: ForestStore, key: str) -> None:
    params = {"key": key, "limit": _REFRESH_BATCH}
    while (await store.write("log/refresh_author", params))[0]["changed"]:
        pass
    await store.write("log/refreshed", {"key": key})


def _check_audience(channel: ChannelRecord) -> None:
    private = channel.kind.value != "public"
    if not _AUDIENCE.fullmatch(channel.audience) or private == (
        channel.audience == PUBLIC_AUDIENCE
    ):
        raise InvalidKeyError(
            f"The channel {channel.source_id[:40]!r} of kind {channel.kind.value!r} cannot have "
            f"the audience {channel.audience[:40]!r}.",
            "Use 'public' for public channels and keys.audience_of(id) for all others.",
        )


def _batches(keys: list[str]) -> list[list[str]]:
    return [keys[start : start + _BATCH] for start in range(0, len(keys), _BATCH)]
