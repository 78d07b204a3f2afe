/* SPDX-License-Identifier: GPL-2.0-or-later */
/* breaker.c - circuit breaker: pause requests after repeated failures */
#include "plugin/job_submit/breaker.h"

static bool is_open(const struct breaker *breaker)
{
	return breaker->failures >= BREAKER_FAILURES;
}

bool breaker_allows(const struct breaker *breaker, double now_s)
{
	return !is_open(breaker) || now_s >= breaker->paused_until_s;
}

bool breaker_failed(struct breaker *breaker, double now_s)
{
	bool was_open = is_open(breaker);

	if (!was_open)
		breaker->failures++;
	if (is_open(breaker))
		breaker->paused_until_s = now_s + BREAKER_PAUSE_S;
	return is_open(breaker) && !was_open;
}

bool breaker_succeeded(struct breaker *breaker)
{
	bool was_open = is_open(breaker);

	breaker->failures = 0;
	return was_open;
}
