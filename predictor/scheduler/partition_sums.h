/* SPDX-License-Identifier: GPL-2.0-or-later */
/* partition_sums.h - figures of a partition, for monitoring
 *
 * Anybody may see them: there is none of jobs of fewer than FEW_USERS users.
 * Plain data, without locks.
 */
#pragma once

#include "predictor/scheduler/queue_pools.h"

#define FEW_USERS      5
#define PARTITIONS_MAX QUEUE_POOLS_MAX

/* The first users that were added; zeroed: none. */
struct few_users {
	uint32_t count, of[FEW_USERS];
};

void few_users_add(struct few_users *users, uint32_t user_id);

enum partition_figure {
	PARTITION_WAITING, /* jobs */
	PARTITION_WAIT_MEDIAN,
	PARTITION_WAIT_P90,
	PARTITION_WORK, /* CPU seconds of these */
	PARTITION_NEW_MEDIAN,
	PARTITION_NEW_P90,
	PARTITION_LATE,
	PARTITION_JUDGED,
	PARTITION_WITHIN,
	PARTITION_ERROR,
	PARTITION_FIGURES
};

struct partition_row {
	char cluster[RUN_NAME_SIZE], partition[RUN_NAME_SIZE];
	struct few_users users;       /* of runs that were judged */
	double actual_s;              /* over these */
	double of[PARTITION_FIGURES]; /* NAN: not known, or not to be shown */
};

struct partition_list { /* zeroed: empty */
	double made_at_s;
	size_t count;
	struct partition_row rows[PARTITIONS_MAX];
};

/* Return the row, which is made if there is none; NULL: there are too many, or
 * a name has what a label must not have. */
struct partition_row *partition_list_get(struct partition_list *list,
					 const char *cluster,
					 const char *partition);
