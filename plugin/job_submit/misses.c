/* SPDX-License-Identifier: GPL-2.0-or-later */
/* misses.c - jobs submitted without a prediction, counted for the log */
#include "plugin/job_submit/misses.h"

uint64_t misses_note(struct misses *m, double now_s)
{
	int_fast64_t log_at_s = atomic_load(&m->log_at_s);

	atomic_fetch_add(&m->count, 1);
	/* If several threads come here, one logs. */
	if (now_s < (double)log_at_s ||
	    !atomic_compare_exchange_strong(
		    &m->log_at_s, &log_at_s,
		    (int_fast64_t)(now_s + MISSES_LOG_S)))
		return 0;
	return atomic_exchange(&m->count, 0);
}
