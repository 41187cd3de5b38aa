"""Free ports on loopback."""

from __future__ import annotations

import secrets
import socket
import sys

from .config import HOST

# Below the ranges from which systems take the ports of outgoing connections (32768 and up
# on Linux), so that a port remembered from the last start is likely still free.
_FIRST, _LAST = 17000, 31999
_TRIES = 50
_CONNECT_S = 1.0


def answers(port: int) -> bool:
    """Whether something accepts connections on the port."""
    try:
        socket.create_connection((HOST, port), timeout=_CONNECT_S).close()
    except OSError:
        return False
    return True


def is_free(port: int) -> bool:
    """Whether a server could listen on the port."""
    if not 0 < port < 65536 or answers(port):
        return False
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        if sys.platform == "win32":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:  # as Java's server sockets do: connections in TIME_WAIT do not count
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def choose_port(remembered: int, *, taken: int = 0) -> int:
    """The remembered port if it is free, else a free one other than `taken`."""
    if remembered != taken and is_free(remembered):
        return remembered
    for _ in range(_TRIES):
        port = _FIRST + secrets.randbelow(_LAST - _FIRST + 1)
        if port != taken and is_free(port):
            return port
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])
