/* SPDX-License-Identifier: GPL-2.0-or-later */
/* partition_sums.c - figures of a partition, for monitoring */
#include <string.h>

#include "predictor/scheduler/partition_sums.h"

void few_users_add(struct few_users *users, uint32_t user_id)
{
	for (uint32_t i = 0; i < users->count; i++)
		if (users->of[i] == user_id)
			return;
	if (users->count < FEW_USERS)
		users->of[users->count++] = user_id;
}

struct partition_row *partition_list_get(struct partition_list *list,
					 const char *cluster,
					 const char *partition)
{
	struct partition_row *row = list->rows;

	for (size_t i = 0; i < list->count; i++, row++)
		if (strcmp(row->partition, partition) == 0 &&
		    strcmp(row->cluster, cluster) == 0)
			return row;
	if (list->count == PARTITIONS_MAX || strpbrk(partition, "\"\\\n") ||
	    strpbrk(cluster, "\"\\\n"))
		return NULL;
	list->count++;
	memccpy(row->cluster, cluster, '\0', RUN_NAME_SIZE - 1);
	memccpy(row->partition, partition, '\0', RUN_NAME_SIZE - 1);
	return row;
}
