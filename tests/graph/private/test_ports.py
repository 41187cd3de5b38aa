from __future__ import annotations

import socket

import pytest

from egcforest.graph.private import ports


def test_a_free_remembered_port_is_kept() -> None:
    port = ports.choose_port(0)
    assert ports.is_free(port)
    assert ports.choose_port(port) == port
    assert ports.choose_port(port, taken=port) != port


@pytest.mark.parametrize("address", ["127.0.0.1", "0.0.0.0"])
def test_a_port_somebody_listens_on_is_not_chosen(address: str) -> None:
    with socket.create_server((address, 0)) as foreign:
        port = foreign.getsockname()[1]
        assert not ports.is_free(port)
        assert ports.choose_port(port) != port


@pytest.mark.parametrize("port", [-1, 0, 65536])
def test_what_is_no_port_is_not_free(port: int) -> None:
    assert not ports.is_free(port)
