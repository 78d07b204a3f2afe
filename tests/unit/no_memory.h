/* SPDX-License-Identifier: GPL-2.0-or-later */
/* no_memory.h - one allocation of a test fails
 *
 *	for (int n = 1; failed; n++) {
 *		memory_fails_at(n);
 *		rc = spool_put(...);
 *		failed = memory_failed();
 *		... check that rc says so, and that nothing is half done
 *	}
 *
 * Included by a test program itself: its malloc(), calloc(), realloc() and
 * reallocarray() come before those of the sanitizer and of the C library, which
 * they call.
 */
#pragma once

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

static _Thread_local int memory_left; /* that one fails; 0: none */
static _Thread_local bool memory_lacked;

/* Let the n-th allocation from now on fail, in this thread. */
static inline void memory_fails_at(int n)
{
	memory_left = n;
	memory_lacked = false;
}

/* Return whether it did; from now on none does. */
static inline bool memory_failed(void)
{
	memory_left = 0;
	return memory_lacked;
}

static bool memory_lacks(void)
{
	if (!memory_left || --memory_left)
		return false;
	memory_lacked = true;
	errno = ENOMEM;
	return true;
}

/* ISO C has no cast from an object to a function. */
#define MEMORY_NEXT(function, name)                                     \
	do {                                                            \
		if (!(function))                                        \
			*(void **)&(function) = dlsym(RTLD_NEXT, name); \
	} while (0)

void *malloc(size_t size)
{
	static void *(*next)(size_t size);

	MEMORY_NEXT(next, "malloc");
	return memory_lacks() ? NULL : next(size);
}

void *calloc(size_t count, size_t size)
{
	static void *(*next)(size_t count, size_t size);

	MEMORY_NEXT(next, "calloc");
	return memory_lacks() ? NULL : next(count, size);
}

void *realloc(void *old, size_t size)
{
	static void *(*next)(void *old, size_t size);

	MEMORY_NEXT(next, "realloc");
	return memory_lacks() ? NULL : next(old, size);
}

void *reallocarray(void *old, size_t count, size_t size)
{
	static void *(*next)(void *old, size_t count, size_t size);

	MEMORY_NEXT(next, "reallocarray");
	return memory_lacks() ? NULL : next(old, count, size);
}
