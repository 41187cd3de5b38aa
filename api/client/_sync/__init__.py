# Made from ../_async by `make client`; change that instead.
"""The client for code that waits; made from `_async` by `make client`."""
