/* SPDX-License-Identifier: GPL-2.0-or-later */
/* thread_start.h - threads without signals, which are for the main thread */
#pragma once

#include <pthread.h>
#include <stddef.h>

#include "predictor/base/error.h"

/* Start one with a stack of `stack_bytes`; 0: the usual one. */
int thread_start(pthread_t *ret, size_t stack_bytes, void *(*run)(void *),
		 void *context, struct sp_error *err);
