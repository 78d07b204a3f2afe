/* SPDX-License-Identifier: GPL-2.0-or-later */
/* driver_options.h - what rehearse wants of its driver */
#pragma once

#include "predictor/backtest/rehearse/log_options.h"

/* What counts as a job's length in the priorities that the driver gives. */
enum order {
	ORDER_SUBMIT,
	ORDER_LIMIT,
	ORDER_PREDICTED,
	ORDER_RUNTIME,
	ORDERS
};

struct driver_options {
	struct log_options log;
	const char *clock, *out;
	const char *starts;    /* NULL: expected starts are not written */
	const char *new_clock; /* to be made, and nothing else */
	bool machine;          /* to be printed, and nothing else */
	uint32_t pid;
	const char *orders[ORDERS]; /* K of the one that is wanted */
	enum order order;
	double K, cap_s;
	const char *partitions; /* NULL: one; slurm_requests.h */
	const char *reserve;
	double reserved_from_s, reserved_s; /* 0 s: no reservation */
	bool requeue;                       /* jobs may be preempted */
	const char *users; /* passwd(5) to add the log's users to, and nothing
			      else */
	bool accounts;     /* the log's accounts and QOS are known to Slurm */
	uint32_t het;      /* each such job is heterogeneous; 0: none */
};

/* Return false if there is no usage of it. */
bool driver_options_read(int argc, char **argv, struct driver_options *ret);
