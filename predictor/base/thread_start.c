/* SPDX-License-Identifier: GPL-2.0-or-later */
/* thread_start.c - threads without signals, which are for the main thread */
#include <signal.h>
#include <string.h>

#include "predictor/base/thread_start.h"

int thread_start(pthread_t *ret, size_t stack_bytes, void *(*run)(void *),
		 void *context, struct sp_error *err)
{
	pthread_attr_t attributes;
	sigset_t all, before;

	pthread_attr_init(&attributes);
	if (stack_bytes)
		pthread_attr_setstacksize(&attributes, stack_bytes);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);

	int rc = pthread_create(ret, &attributes, run, context);

	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return rc ? sp_error_set(err, "no thread: %s", strerror(rc)) : 0;
}
