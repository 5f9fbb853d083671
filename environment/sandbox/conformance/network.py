"""No network of any kind: each way out is tried against a listener that would notice."""

from __future__ import annotations

import socket
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

from environment.sandbox.conformance.bench import Bench, NotApplicableError, Suite, require

suite = Suite("network")

_CONNECT = """
import json, socket
try:
    peer = socket.socket({family}, socket.{kind})
    peer.settimeout(3)
    peer.connect({address!r})
    peer.send(b"out")
    print(json.dumps("connected"))
except OSError as error:
    print(json.dumps(str(error)))
"""


@contextmanager
def _listener(family: socket.AddressFamily, address: object, kind: int = socket.SOCK_STREAM) -> Iterator[_Listener]:
    listener = _Listener(family, address, kind)
    try:
        yield listener
    finally:
        listener.close()


class _Listener:
    """A socket of the host that remembers whether anything came."""

    def __init__(self, family: socket.AddressFamily, address: object, kind: int) -> None:
        self._socket = socket.socket(family, kind)
        self._socket.bind(address)  # type: ignore[arg-type]
        self._socket.settimeout(0.1)
        self.heard = False
        self._stop = threading.Event()
        if kind == socket.SOCK_STREAM:
            self._socket.listen()
        self._stream = kind == socket.SOCK_STREAM
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()

    @property
    def port(self) -> int:
        return int(self._socket.getsockname()[1])

    def _listen(self) -> None:
        while not self._stop.is_set():
            try:
                if self._stream:
                    self._socket.accept()[0].close()
                else:
                    self._socket.recv(16)
            except TimeoutError:
                continue
            self.heard = True

    def close(self) -> None:
        self._stop.set()
        self._thread.join()
        self._socket.close()


def _try(bench: Bench, family: str, address: object, kind: str = "SOCK_STREAM") -> str:
    return str(bench.report(_CONNECT.format(family=f"socket.{family}", kind=kind, address=address)))


def _own_address() -> str:
    """An address of this host that is not loopback; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError as error:
            raise NotApplicableError("The host has no address besides loopback") from error
        return str(probe.getsockname()[0])


@suite.check
def tcp_to_loopback(bench: Bench) -> None:
    """A server on the host's loopback cannot be reached by TCP."""
    with _listener(socket.AF_INET, ("127.0.0.1", 0)) as server:
        said = _try(bench, "AF_INET", ("127.0.0.1", server.port))
        require(said != "connected" and not server.heard, "a TCP connection reached the host's 127.0.0.1")


@suite.check
def tcp_to_host(bench: Bench) -> None:
    """A server on the host's own address cannot be reached by TCP."""
    address = _own_address()
    with _listener(socket.AF_INET, (address, 0)) as server:
        said = _try(bench, "AF_INET", (address, server.port))
        require(said != "connected" and not server.heard, f"a TCP connection reached the host's {address}")


@suite.check
def udp(bench: Bench) -> None:
    """UDP packets reach neither the host's loopback nor its own address."""
    with _listener(socket.AF_INET, ("0.0.0.0", 0), socket.SOCK_DGRAM) as server:
        _try(bench, "AF_INET", ("127.0.0.1", server.port), "SOCK_DGRAM")
        _try(bench, "AF_INET", (_own_address(), server.port), "SOCK_DGRAM")
        require(not server.heard, "a UDP packet reached the host")


@suite.check
def no_route(bench: Bench) -> None:
    """An address outside has no route, by IPv4 or IPv6."""
    for family, address in (("AF_INET", ("192.0.2.1", 80)), ("AF_INET6", ("2001:db8::1", 80))):
        said = _try(bench, family, address, "SOCK_DGRAM")
        require(said != "connected", f"there is a route to {address[0]}")


@suite.check
def dns(bench: Bench) -> None:
    """Names are not resolved."""
    said = bench.report(
        """
        import json, socket
        try:
            print(json.dumps(socket.getaddrinfo("example.com", 80)[0][4][0]))
        except OSError as error:
            print(json.dumps(None))
        """
    )
    require(said is None, f"example.com was resolved to {said}")


@suite.check
def interfaces(bench: Bench) -> None:
    """Loopback is the only network interface, and works inside."""
    names = bench.report(
        """
        import json, socket
        server = socket.create_server(("127.0.0.1", 0))
        socket.create_connection(server.getsockname()).close()
        lines = open("/proc/net/dev").read().splitlines()[2:]
        print(json.dumps([line.split(":")[0].strip() for line in lines]))
        """
    )
    require(names == ["lo"], f"interfaces inside: {names}")


@suite.check
def abstract_socket(bench: Bench) -> None:
    """Abstract Unix sockets of the host cannot be reached."""
    name = f"\0mlab-conformance-{uuid.uuid4()}"
    with _listener(socket.AF_UNIX, name) as server:
        require(_try(bench, "AF_UNIX", name) != "connected" and not server.heard, "an abstract socket was reached")


@suite.check
def path_socket(bench: Bench) -> None:
    """Unix sockets in the host's file system cannot be reached."""
    path = str(bench.outside / "socket")
    with _listener(socket.AF_UNIX, path) as server:
        bench.outside.chmod(0o777)
        require(_try(bench, "AF_UNIX", path) != "connected" and not server.heard, "a socket on the host was reached")


@suite.check
def other_families(bench: Bench) -> None:
    """Vsock, packet, raw and other socket families are refused."""
    opened = bench.report(
        """
        import json, socket
        opened = []
        for family in (*range(3, 10), *range(11, 16), *range(17, 46)):
            try:
                socket.socket(family, socket.SOCK_DGRAM).close()
                opened.append(family)
            except OSError:
                pass
        for family in (socket.AF_INET, socket.AF_INET6):
            try:
                socket.socket(family, socket.SOCK_RAW, 1).close()
                opened.append("raw")
            except OSError:
                pass
        print(json.dumps(opened))
        """
    )
    require(not opened, f"sockets of these families were opened: {opened}")
