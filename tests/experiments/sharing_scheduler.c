/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sharing_scheduler.c - collectord's probe of the scheduler, on a node of
 * the experiment
 *
 * usage: sharing-scheduler ALONE
 *
 * ALONE: the share of a CPU that a process gets without competitors.  Prints
 * "turn_s SECONDS credit_s SECONDS".
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "collectors/sensors/scheduler_probe.h"

#define POLL_US 20000

int main(int argc, char **argv)
{
	double alone = argc == 2 ? strtod(argv[1], NULL) : 0;
	struct scheduler_probe *probe = scheduler_probe_create();
	struct scheduler_values values;
	struct sp_error err;
	int rc;

	if (!probe || !(alone > 0 && alone <= 1)) {
		fprintf(stderr, "usage: sharing-scheduler ALONE\n");
		scheduler_probe_destroy(probe);
		return 2;
	}
	rc = scheduler_probe_start(probe, alone, &err);
	while (rc == 0 &&
	       (rc = scheduler_probe_result(probe, &values, &err)) == 0)
		usleep(POLL_US);
	if (rc < 0)
		fprintf(stderr, "sharing-scheduler: %s\n", err.text);
	else
		printf("turn_s %.6f credit_s %.6f\n", values.turn_s,
		       values.credit_s);
	scheduler_probe_destroy(probe);
	return rc < 0;
}
