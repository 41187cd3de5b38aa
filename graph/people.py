"""Which actor a name means. No database here."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .errors import NobodyError, UnknownActorError
from .records import ActorRecord

_LISTED = 10


def choose_actor(text: str, wanted: str, found: Sequence[ActorRecord]) -> ActorRecord:
    """The actor among `found` that `text` means; `wanted` is `text` in lower case.

    Raises:
        NobodyError: there is none.
        UnknownActorError: there are several of the same rank.
    """
    for matches in _RANKS:
        candidates = [actor for actor in found if matches(actor, wanted)]
        # A person who left, a bot or a placeholder gives way to a person who is there.
        people = [a for a in candidates if not (a.deleted or a.is_bot or a.placeholder)]
        for group in (people, candidates):
            if len(group) == 1:
                return group[0]
        if candidates:
            raise UnknownActorError(
                f"{text!r} may be any of: {_listed(people or candidates)}.",
                "Give the id or the full name.",
            )
    raise NobodyError(f"Nobody goes by {text!r}.", "Give an id, a name or a real name.")


def _named(actor: ActorRecord, wanted: str) -> bool:
    return actor.name.lower() == wanted


def _also_named(actor: ActorRecord, wanted: str) -> bool:
    return wanted in {actor.real_name.lower(), *(alias.lower() for alias in actor.aliases)}


def _partly_named(actor: ActorRecord, wanted: str) -> bool:
    return wanted in f"{actor.name} {actor.real_name}".lower().split()


_RANKS: tuple[Callable[[ActorRecord, str], bool], ...] = (
    lambda actor, wanted: actor.source_id.lower() == wanted,
    _named,
    _also_named,
    _partly_named,
)


def _listed(actors: Sequence[ActorRecord]) -> str:
    ordered = sorted(actors, key=lambda actor: (actor.name, actor.source_id))
    lines = [
        f"{actor.real_name or actor.name}"
        + (f", {actor.title}" if actor.title else "")
        + f" ({actor.source_id})"
        for actor in ordered[:_LISTED]
    ]
    more = len(ordered) - _LISTED
    return "; ".join(lines) + (f"; and {more} more" if more > 0 else "")
