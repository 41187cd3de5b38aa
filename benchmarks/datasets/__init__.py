"""One adapter per dataset; each turns the dataset's own files into a `Dataset`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ..errors import BenchmarkError
from ..questions import Dataset
from .evermembench import load_evermembench
from .friendsqa import load_friendsqa
from .groupmembench import load_groupmembench
from .herb import load_herb
from .locomo import load_locomo
from .qmsum import load_qmsum
from .sample import load_sample

_POOLED: dict[str, Callable[[Path], Dataset]] = {
    "herb": load_herb,
    "sample": load_sample,
    "evermembench": load_evermembench,
    "groupmembench": load_groupmembench,
}
_EITHER: dict[str, Callable[[Path, bool], Dataset]] = {
    "qmsum": load_qmsum,
    "friendsqa": load_friendsqa,
    "locomo": load_locomo,
}
DATASETS = (*_POOLED, *_EITHER)


def load_dataset(name: str, folder: Path, *, within: bool = False) -> Dataset:
    """Read a dataset.

    Args:
        name: one of `DATASETS`.
        folder: where its files are.
        within: each question searches its own conversation only.

    Raises:
        BenchmarkError: the name is unknown, or the dataset's questions belong to no channel.
        DatasetError: the files are not in the expected form.
    """
    if not folder.exists():
        raise BenchmarkError(f"There is no folder {str(folder)!r}.", "Check --data.")
    if name in _EITHER:
        found = _EITHER[name](folder, within)
        return replace(found, name=f"{name}-within") if within else found
    if name not in _POOLED:
        raise BenchmarkError(
            f"There is no dataset {name!r}.", f"Known are: {', '.join(sorted(DATASETS))}."
        )
    if within:
        raise BenchmarkError(
            f"The questions of {name} are asked of the whole workspace.",
            f"Leave --within out, or use one of: {', '.join(_EITHER)}.",
        )
    return _POOLED[name](folder)
