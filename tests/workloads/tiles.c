/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tiles.c - a farm of long tasks with much data: tiles of an image
 *
 * usage: tiles [-n TASKS] [-w ROUNDS] [-d PERCENT] [-b BYTES] [-r SEED]
 *
 * By default tasks of about 100 ms, up to 40 % longer or shorter, and messages
 * of 256 KiB.
 */
#include "tests/workloads/farm_tasks.h"

int main(int argc, char **argv)
{
	return farm_main(argc, argv,
			 (struct farm_options){ .tasks = 200,
						.work = 50000,
						.spread = 40,
						.bytes = 256 << 10,
						.seed = 1 });
}
