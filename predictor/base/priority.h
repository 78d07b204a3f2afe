/* SPDX-License-Identifier: GPL-2.0-or-later */
/* priority.h - which threads go first
 *
 * On Linux each thread has its own nice value, from -20 (first) to 19, and
 * since 6.12 a time slice: who wakes up with a short one need not wait until
 * another thread has used up its own, up to 4 ms.
 */
#pragma once

#include <stdbool.h>

/* The nice value of the process, which is that of its first thread. */
int priority_of_process(void);

/* That of the calling thread. */
int priority_of_thread(void);

/* Return whether a thread with a higher value may go back to `nice`. */
bool priority_may_be(int nice);

/* Set that of the calling thread, and of threads that it starts from now on,
 * with the usual slice.  A lower value needs CAP_SYS_NICE or RLIMIT_NICE, else
 * nothing changes. */
void priority_set(int nice);

/* The same, with a short slice, for threads that others wait for. */
void priority_set_urgent(int nice);
