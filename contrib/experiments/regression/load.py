# SPDX-License-Identifier: GPL-2.0-or-later
"""load.py - processes that keep CPUs busy for a part of the time

They are busy for their part of a frame, and asleep for the rest of it.
"""

import ctypes
import os
import random
import signal
import time

FRAME_S = 0.1
FRAME_VARY = 0.5  # of it, to both sides: processes do not fall in step
SPIN = 10000      # some tenths of a millisecond

PR_SET_PDEATHSIG = 1


def frame_s():
    return FRAME_S * random.uniform(1 - FRAME_VARY, 1 + FRAME_VARY)


def burn(clock, seconds):
    """Compute until so many seconds have passed by a clock.  It is not read
    more often than after SPIN steps: to ask for the CPU time makes the kernel
    count it, and so notice sooner than for others that a quota is used up."""
    end_s = time.clock_gettime(clock) + seconds
    while time.clock_gettime(clock) < end_s:
        for _ in range(SPIN):
            pass


def spawn(act, *arguments):
    """Begin a process that acts for ever, and ends with this one."""
    parent = os.getpid()
    if os.fork():
        return
    try:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        random.seed(os.getpid())
        if os.getppid() == parent:
            act(*arguments)
    finally:
        os._exit(1)
