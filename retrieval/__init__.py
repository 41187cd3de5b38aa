"""Answering: query analysis and the four stages."""
