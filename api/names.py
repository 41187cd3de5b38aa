"""From what a person calls a channel, an actor or an artifact to its trees."""

from __future__ import annotations

import difflib

from ..graph.errors import NobodyError
from ..graph.inspection import InspectionStore, StoredTree
from ..graph.keys import channel_key
from ..graph.log_store import LogStore
from ..graph.records import Scope, View
from ..graph.store import ForestStore
from ..text.cleaning import without_surrogates
from ..text.identifiers import find_identifiers
from .errors import AmbiguousNameError, NotFoundError

_LISTED = 10


async def find_trees(store: ForestStore, scope: Scope, view: View, name: str) -> list[StoredTree]:
    """The trees of the one subject of `view` called `name`, one for each visible audience.

    Raises:
        NotFoundError: there is none that the asker may see; similar names are suggested.
        AmbiguousNameError: several subjects are called so.
        UnknownActorError: no person, or several, go by the name.
    """
    inspection = InspectionStore(store)
    name = without_surrogates(name)
    wanted = name.strip()
    key = wanted
    match view:
        case View.CHANNEL:
            wanted = wanted.removeprefix("#") or "#"
            key = channel_key(scope.workspace, wanted)
        case View.ACTOR:
            try:
                actor = await LogStore(store).find_actor(scope.workspace, wanted)
            except NobodyError:
                raise _unknown(view, name, await inspection.all_trees(scope, view)) from None
            key, wanted = actor.key, actor.key
        case View.ARTIFACT:
            # "PR #519", as people say it, is what the log calls #519.
            said = [one for one in find_identifiers(wanted, lenient=True) if one.surface == wanted]
            wanted = said[0].value if said else wanted
    found = await inspection.find_trees(scope, view, wanted, key)
    if not found:
        raise _unknown(view, name, await inspection.all_trees(scope, view))
    subjects = {tree.subject: tree for tree in reversed(found)}
    if len(subjects) > 1:
        listed = "; ".join(
            f"{tree.name} ({tree.subject}, {tree.size} messages)" for tree in subjects.values()
        )
        raise AmbiguousNameError(f"{name!r} may be any of: {listed}.", "Give the id instead.")
    return found


def _unknown(view: View, name: str, trees: list[StoredTree]) -> NotFoundError:
    # Said in the same words whether it is hidden or not there at all.
    problem = f"There is no {view} {name!r} that the asker may see."
    names = {called.lower(): called for tree in trees for called in (tree.name, *tree.aliases)}
    near = difflib.get_close_matches(name.lower().removeprefix("#"), names, n=5, cutoff=0.5)
    if near:
        return NotFoundError(problem, f"Similar: {', '.join(names[found] for found in near)}.")
    largest = ", ".join(dict.fromkeys(tree.name for tree in trees[: 2 * _LISTED]))
    if largest:
        return NotFoundError(problem, f"Some that are there: {largest}.")
    return NotFoundError(problem, "Name who asks with --as to see more than what is public.")
