/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sweep.c - a farm of short tasks with little data: a parameter sweep
 *
 * usage: sweep [-n TASKS] [-w ROUNDS] [-d PERCENT] [-b BYTES] [-r SEED]
 *
 * By default tasks of about 2 ms, up to 80 % longer or shorter, and messages of
 * 88 bytes.
 */
#include "tests/workloads/farm_tasks.h"

int main(int argc, char **argv)
{
	return farm_main(argc, argv,
			 (struct farm_options){ .tasks = 4000,
						.work = 1000,
						.spread = 80,
						.bytes = 64,
						.seed = 1 });
}
