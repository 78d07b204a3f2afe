/* SPDX-License-Identifier: GPL-2.0-or-later */
/* virtual_clock.h - one clock for all processes of a rehearsal
 *
 * The page is mapped from a file that VIRTUAL_CLOCK_FILE names.  Its time runs
 * as fast as the real one, and jumps forward whenever the driver says so:
 *
 *	now = virtual_ns + (monotonic - monotonic_ns)
 *
 * There is one writer, the driver.  `version` is odd while it writes; sleepers
 * wait on it with futex(2), so that each jump wakes them at once.
 */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#define VIRTUAL_CLOCK_FILE "REHEARSE_CLOCK" /* environment variable */
#define VIRTUAL_CLOCK_SIZE 4096

struct virtual_clock {
	_Atomic int64_t virtual_ns;
	_Atomic int64_t monotonic_ns;
	_Atomic uint32_t version;
	/* Condition waits whose time has come, and which still wait. */
	_Atomic int32_t overdue;
};
