"""Keys: the readable, unique names of nodes. Pure functions, no database.

A key starts with its workspace. Parts are joined by "/"; characters of a part that
would be mistaken for structure ("/", "~", "%", white space, control characters) are
percent-encoded, so that any id a source gives is accepted and two ids never collide.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

from .errors import InvalidKeyError

PROJECT_KIND = "project"
"""Kind of the artifacts that a rename makes: a body of work, not one deliverable with a life."""

_WORKSPACE = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")
_LONGEST_TOKEN = 200
_UNSAFE = re.compile(r"[/~%\s\x00-\x1f\x7f]")


def check_workspace(name: str) -> str:
    """Return `name` if it is a valid workspace name, else raise `InvalidKeyError`."""
    if not _WORKSPACE.fullmatch(name):
        raise InvalidKeyError(
            f"The workspace name {name!r} is not usable.",
            "Use 1 to 63 lower-case letters, digits, '-' or '_', starting with a letter or digit.",
        )
    return name


def _part(value: str) -> str:
    if not value:
        raise InvalidKeyError("An empty id cannot be made into a key.", "Give every item an id.")
    return _UNSAFE.sub(lambda m: "".join(f"%{b:02X}" for b in m[0].encode()), value)


def channel_key(workspace: str, channel_id: str) -> str:
    """Key of a `Channel` node."""
    return f"{workspace}/c/{_part(channel_id)}"


def actor_key(workspace: str, actor_id: str) -> str:
    """Key of an `Actor` node."""
    return f"{workspace}/a/{_part(actor_id)}"


def artifact_key(workspace: str, kind: str, identifier: str) -> str:
    """Key of an `Artifact` node; `identifier` is normalised and already scoped."""
    return f"{workspace}/x/{_part(kind)}/{_part(identifier)}"


def is_project(key: str) -> bool:
    """Whether a key is that of an artifact of kind `PROJECT_KIND`, or of a tree or node of one."""
    return f"/x/{PROJECT_KIND}/" in key


def message_key(workspace: str, channel_id: str, source_id: str, revision: str = "") -> str:
    """Key of a log entry; `revision` is empty for the entry as first posted."""
    base = f"{workspace}/m/{_part(channel_id)}/{_part(source_id)}"
    return revised_key(base, revision) if revision else base


def revised_key(base: str, revision: str) -> str:
    """Key of a later entry of the message whose first entry has the key `base`."""
    return f"{base}~{_part(revision)}"


def sibling_key(message: str, source_id: str) -> str:
    """Key of the first entry of another message in the channel of `message` (a key)."""
    return f"{'/'.join(message.split('/', 3)[:3])}/{_part(source_id)}"


def audience_of(channel_id: str) -> str:
    """The audience of a private channel or conversation: its id, free of white space.

    Full-text filters compare audiences as tokens, which end at white space.

    Raises:
        InvalidKeyError: the id is longer than a token may be.
    """
    audience = _part(channel_id)
    if len(audience) > _LONGEST_TOKEN or audience == "public":
        raise InvalidKeyError(
            f"The channel id {channel_id[:40]!r} cannot name an audience.",
            f"Use an id of at most {_LONGEST_TOKEN} characters other than 'public'.",
        )
    return audience


def source_id_of(key: str) -> str:
    """The id that a key of an actor or channel was made from."""
    return unquote(key.split("/", 2)[2])


def tree_key(workspace: str, view: str, subject_key: str, audience: str) -> str:
    """Key of a `Tree`: one subject of one view for one audience."""
    subject = subject_key.removeprefix(f"{workspace}/")
    return f"{workspace}/t/{view}/{subject}/{_part(audience)}"


def node_key(tree: str, level: int, anchor_message_key: str) -> str:
    """Key of a `ForestNode`: its tree, its level and the first message below it."""
    workspace = tree.split("/", 1)[0]
    return f"{tree}/{level}/{anchor_message_key.removeprefix(f'{workspace}/m/')}"


def token_key(workspace: str, token_id: str) -> str:
    """Key of an `AccessToken`."""
    return f"{workspace}/k/{_part(token_id)}"


def tree_of_node(node: str) -> str:
    """The tree of a forest node: its key without level, channel and message."""
    return node.rsplit("/", 3)[0]


def view_of_node(node: str) -> str:
    """The view of a forest node or tree, read off its key: workspace/t/VIEW/…"""
    return node.split("/", 3)[2]


def tree_prefix(workspace: str, view: str) -> str:
    """What the keys of all trees of one view begin with."""
    return f"{workspace}/t/{view}/"
