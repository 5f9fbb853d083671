"""Whether a machine lets an ordinary user make namespaces, and what keeps it from that."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from environment.errors import SandboxError, SandboxUnavailableError

_REFUSED = re.compile(
    r"setting up uid map|no permissions? to creat\w+ (?:a )?new namespace|creating new namespace failed|unshare failed"
    r"|user namespaces? (?:are|is) (?:not|disabled)|needs? to be (?:installed )?setuid"
    r"|loopback: Failed RTM_NEWADDR",
    re.IGNORECASE,
)
_PROFILE = "/etc/apparmor.d/mlab-bwrap"
_APPARMOR = "kernel.apparmor_restrict_unprivileged_userns"
_SETTINGS = {
    _APPARMOR: "1",
    "kernel.unprivileged_userns_clone": "0",
    "user.max_user_namespaces": "0",
}
"""Settings of the kernel with the value by which each forbids them."""
_ALLOWING = {_APPARMOR: "0", "kernel.unprivileged_userns_clone": "1"}
_MANY = "15000"


def setup_failure(message: str, bwrap: str) -> SandboxError:
    """Why bubblewrap could not set a sandbox up; of a machine that refuses namespaces, with what to do there.

    Args:
        message: What bubblewrap printed.
        bwrap: Its path.
    """
    message = message.strip() or "no message"
    if not _REFUSED.search(message):
        return SandboxError(f"Bubblewrap could not set the sandbox up: {message}")
    found = list(_forbidding())
    ways = []
    if found:
        allow = " ".join(f"{name}={_ALLOWING.get(name, _MANY)}" for name in found)
        ways.append(f"allow them to all programs: sudo sysctl -w {allow}")
    if _APPARMOR in found or not found:
        ways.append(
            f"allow them to {bwrap} alone: write 'abi <abi/4.0>, include <tunables/global> profile mlab-bwrap {bwrap} "
            f"flags=(unconfined) {{ userns, }}' into {_PROFILE}, then sudo apparmor_parser -r {_PROFILE}"
        )
    ways += ["in a container, start it with the right to make them", "use --sandbox docker"]
    forbids = f" ({', '.join(f'{name} = {_SETTINGS[name]}' for name in found)})" if found else ""
    return SandboxUnavailableError(
        f"This machine does not let {bwrap} make user namespaces{forbids}: {message}",
        hint=f"One of these helps: {'; '.join(ways)}.",
    )


def _forbidding() -> Iterator[str]:
    """The settings of this kernel that forbid user namespaces."""
    for name, value in _SETTINGS.items():
        with suppress(OSError):
            if Path("/proc/sys", name.replace(".", "/", 1)).read_text().strip() == value:
                yield name
