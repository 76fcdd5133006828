"""Socket calls on a bare file descriptor, without a socket object that would own and close it."""

import ctypes
import fcntl
import socket
import struct
import sys
import termios
from collections.abc import Callable

Endpoint = bytes
"""A port and an address as the network writes them: two bytes, then 4 (IPv4) or 16 (IPv6)."""
TCP_INFO_BYTES, RECEIVED_OFFSET = 136, 128
"""Size of the first part of Linux's `tcp_info`, and where it holds `tcpi_bytes_received`."""
TCP_USER_TIMEOUT, TCP_KEEPIDLE, TCP_KEEPINTVL, TCP_KEEPCNT = 18, 4, 5, 6
"""Options of Linux, which other systems do not name."""
KEEPALIVE_PROBES = 3
PORT_BYTES, IPV4_BYTES, IPV6_NETWORK_BYTES = 2, 4, 8
MAPPED_IPV4 = bytes(10) + b"\xff\xff"
"""How an IPv6 address begins that stands for an IPv4 address."""
_ADDRESS_BYTES = 128
_libc = ctypes.PyDLL(None)
"""The C library; its calls keep the lock of Python, because to wait for it again would take much longer."""


def endpoint_of(host: str, port: int) -> Endpoint:
    """Return an address and a port as an endpoint."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return port.to_bytes(PORT_BYTES) + socket.inet_pton(family, host)


def port_of(endpoint: Endpoint) -> int:
    """Return the port of an endpoint."""
    return int.from_bytes(endpoint[:PORT_BYTES])


def address_group(endpoint: Endpoint) -> bytes:
    """Return what counts as one address: an IPv4 address, or the first 64 bits of an IPv6 address."""
    address = endpoint[PORT_BYTES:]
    if address.startswith(MAPPED_IPV4):
        return address[len(MAPPED_IPV4) :]
    return address if len(address) == IPV4_BYTES else address[:IPV6_NETWORK_BYTES]


class SocketCalls:
    """The calls, with the memory that they write to; for one thread."""

    def __init__(self) -> None:
        """Reserve the memory."""
        self._address, self._info = (ctypes.create_string_buffer(size) for size in (_ADDRESS_BYTES, 256))
        self._size = ctypes.c_uint32()
        self._size_at = ctypes.byref(self._size)

    def local(self, descriptor: int) -> Endpoint | None:
        """Return the own address of a socket, or None for any other descriptor."""
        return self._endpoint(_libc.getsockname, descriptor)

    def peer(self, descriptor: int) -> Endpoint | None:
        """Return the address of the other side, or None if there is none."""
        return self._endpoint(_libc.getpeername, descriptor)

    def _endpoint(self, call: Callable[..., int], descriptor: int) -> Endpoint | None:
        self._size.value = _ADDRESS_BYTES
        if call(descriptor, self._address, self._size_at) != 0:
            return None
        raw = self._address.raw
        family = int.from_bytes(raw[:2], sys.byteorder)
        if family == socket.AF_INET:
            return raw[2:8]
        return raw[2:4] + raw[8:24] if family == socket.AF_INET6 else None

    def received_bytes(self, descriptor: int) -> int:
        """Return how many bytes a TCP connection has received since it began, or 0 if it has ended."""
        self._size.value = TCP_INFO_BYTES
        failed = _libc.getsockopt(descriptor, socket.IPPROTO_TCP, socket.TCP_INFO, self._info, self._size_at)
        if failed or self._size.value < TCP_INFO_BYTES:
            return 0
        found: int = struct.unpack_from("=Q", self._info, RECEIVED_OFFSET)[0]
        return found


def unread_bytes(descriptor: int) -> int:
    """Return how many received bytes of a connection the process has not read yet."""
    try:
        found: int = struct.unpack("=i", fcntl.ioctl(descriptor, termios.FIONREAD, bytes(4)))[0]
    except OSError:
        return 0
    return found


def shut_down(descriptor: int) -> None:
    """Shut a connection down in both directions; its owner then reads its end and closes it."""
    _libc.shutdown(descriptor, socket.SHUT_RDWR)


def set_timeouts(descriptor: int, seconds: float) -> None:
    """End a connection whose other side takes no data, or does not answer at all, for so many seconds."""
    idle = max(1, round(seconds))
    pause = max(1, idle // KEEPALIVE_PROBES)
    _set(descriptor, socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    _set(descriptor, socket.IPPROTO_TCP, TCP_KEEPIDLE, idle)
    _set(descriptor, socket.IPPROTO_TCP, TCP_KEEPINTVL, pause)
    _set(descriptor, socket.IPPROTO_TCP, TCP_KEEPCNT, KEEPALIVE_PROBES)
    _set(descriptor, socket.IPPROTO_TCP, TCP_USER_TIMEOUT, round(seconds * 1_000))


def _set(descriptor: int, level: int, option: int, value: int) -> None:
    raw = ctypes.c_int(value)
    _libc.setsockopt(descriptor, level, option, ctypes.byref(raw), ctypes.sizeof(raw))
