"""Makes the page findable in the house by a name: `marchwarden-<station>.local`, by multicast DNS.

Only for stations that serve their page to the house. Without a network the page is still there under its address, and
nothing else suffers. The one module that knows zeroconf.
"""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import ip_address

import ifaddr
from zeroconf import Error as ZeroconfError
from zeroconf import InterfaceChoice, IPVersion, ServiceInfo, Zeroconf

SERVICE = "_http._tcp.local."


def local_name(station: str) -> str:
    """The name under which a station is found."""
    return f"marchwarden-{station}.local"


def house_addresses() -> list[str]:
    """The IPv4 addresses of this computer, its own loop left out."""
    found = [address.ip for adapter in ifaddr.get_adapters() for address in adapter.ips if address.is_IPv4]
    return [str(ip) for ip in found if not str(ip).startswith("127.")]


class Announcement:
    """Tells the house where the page is, until it is stopped."""

    def __init__(self, station: str, port: int, addresses: Sequence[str], interfaces: Sequence[str] = ()) -> None:
        shown = [f"[{address}]" if ":" in address else address for address in addresses]
        self.pages = [f"http://{host}:{port}/" for host in (local_name(station), *shown)]
        self._interfaces = list(interfaces) or InterfaceChoice.Default
        self._info = ServiceInfo(
            SERVICE,
            f"Marchwarden {station}.{SERVICE}",
            addresses=[ip_address(address).packed for address in addresses],
            port=port,
            properties={"path": "/"},
            server=f"{local_name(station)}.",
        )
        self._zeroconf: Zeroconf | None = None

    def start(self) -> str | None:
        """Begins; returns why not, if it cannot be done."""
        try:
            self._zeroconf = Zeroconf(interfaces=self._interfaces, ip_version=IPVersion.V4Only)
            self._zeroconf.register_service(self._info, allow_name_change=True)
        except (OSError, ZeroconfError) as error:
            self.stop()
            return f"the page cannot be announced in the house ({error or type(error).__name__}); use its address"
        return None

    def stop(self) -> None:
        if self._zeroconf is not None:
            self._zeroconf.close()
            self._zeroconf = None
