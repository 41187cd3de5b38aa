"""Encoders: texts to vectors of unit length, behind one small protocol."""

from .base import Encoder
from .loading import load_encoder

__all__ = ["Encoder", "load_encoder"]
