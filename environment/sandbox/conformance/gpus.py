"""A command sees the cards it was given, can compute on them, and sees no other and nobody else on them."""

from __future__ import annotations

import threading
import time

from environment.gpus.driver import Driver
from environment.sandbox.conformance.bench import LIMITS, Bench, NotApplicableError, Suite, require
from foundation.sizes import GiB

suite = Suite("gpus")

_WITH_CARDS = LIMITS.model_copy(update={"gpus": True, "memory": 8 * GiB})  # CUDA maps much of the host's memory
_SECONDS = 60.0

_LISTED = """
import json, re, shutil, subprocess
program = shutil.which("nvidia-smi")
listed = subprocess.run([program, "-L"], capture_output=True, text=True).stdout if program else ""
print(json.dumps(re.findall(r"GPU-[0-9a-f-]+", listed)))
"""

_COMPUTING = """
import ctypes, json, sys, time
cuda = ctypes.CDLL("libcuda.so.1")
def call(name, *arguments):
    code = getattr(cuda, name)(*arguments)
    if code:
        raise SystemExit(f"{name} fails with {code}")
count, context, memory = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_uint64()
size, back = 1 << 20, (ctypes.c_ubyte * (1 << 20))()
call("cuInit", 0)
call("cuDeviceGetCount", ctypes.byref(count))
for number in range(count.value):
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), number)
    call("cuCtxSetCurrent", context)
    call("cuMemAlloc_v2", ctypes.byref(memory), ctypes.c_size_t(size))
    call("cuMemsetD8_v2", memory, ctypes.c_ubyte(7), ctypes.c_size_t(size))
    call("cuMemcpyDtoH_v2", back, memory, ctypes.c_size_t(size))
    assert bytes(back) == bytes([7]) * size
"""


def _given(bench: Bench) -> list[str]:
    """The UUIDs of the sandbox's cards."""
    if not bench.sandbox.cards:
        raise NotApplicableError("No GPU is free here" if Driver.here().program else "This machine has no NVIDIA GPU")
    return [card.uuid for card in bench.sandbox.cards]


def _with_cuda(bench: Bench) -> list[str]:
    given, driver = _given(bench), Driver.here()
    if driver.libraries is None and not driver.known_to_loader:
        raise NotApplicableError("The driver's library libcuda.so.1 is not found on this machine")
    return given


@suite.check
def its_cards_alone(bench: Bench) -> None:
    """``nvidia-smi`` lists the cards given, and no other."""
    given = _given(bench)
    seen = bench.report(_LISTED, limits=_WITH_CARDS)
    require(sorted(seen) == sorted(given), f"given {given}, seen {seen}")


@suite.check
def computing(bench: Bench) -> None:
    """CUDA counts as many cards as were given, writes to each and reads back what it wrote."""
    given = _with_cuda(bench)
    seen = bench.report(f"{_COMPUTING}\nprint(json.dumps(count.value))", limits=_WITH_CARDS)
    require(seen == len(given), f"CUDA counts {seen} cards, {len(given)} were given")


@suite.check
def none_unless_granted(bench: Bench) -> None:
    """A command whose limits grant no GPU finds none, neither a program's listing nor a device file."""
    _given(bench)
    seen = bench.report(_LISTED)
    devices = bench.report("import glob, json; print(json.dumps(glob.glob('/dev/nvidia[0-9]*')))")
    require(not seen and not devices, f"seen without a grant: {seen or devices}")


@suite.check
def nobody_else(bench: Bench) -> None:
    """A command that computes on the same card cannot be seen from another sandbox."""
    _with_cuda(bench)
    computing, done = threading.Event(), threading.Event()

    def compute() -> None:
        bench.python(
            f"{_COMPUTING}\nprint('computing')\ntime.sleep({_SECONDS})",
            limits=_WITH_CARDS,
            on_output=lambda _: computing.set(),
            cancel=done,
        )

    other = threading.Thread(target=compute)
    other.start()
    try:
        require(computing.wait(_SECONDS), "the other command does not begin to compute")
        time.sleep(1)
        seen = bench.report(
            """
            import json, subprocess
            query = ["nvidia-smi", "--query-compute-apps=pid", "--format=csv,noheader"]
            print(json.dumps(subprocess.run(query, capture_output=True, text=True).stdout.split()))
            """,
            limits=_WITH_CARDS,
        )
        require(not seen, f"processes of others are listed: {', '.join(seen)}")
    finally:
        done.set()
        other.join()
