/* SPDX-License-Identifier: GPL-2.0-or-later */
/* leftovers.c - files and folders of jobs whose end was missed */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/runs/leftovers.h"
#include "predictor/base/durable.h"
#include "predictor/base/remove_tree.h"

#define NAMES_MAX 100000

void leftovers_remove(const struct spool_folders *folders,
		      const struct jobs *jobs, struct user_folders *users,
		      double before_s)
{
	const int fds[] = { folders->steps, folders->shares, folders->hosts,
			    folders->mpi, folders->traces };
	struct tree_size size;
	char **names;
	size_t count;

	for (size_t f = 0; f < sizeof(fds) / sizeof(*fds); f++) {
		if (durable_names(fds[f], NAMES_MAX, &names, &count, NULL))
			continue;
		for (size_t i = 0; i < count; i++) {
			/* JOBID, and what may follow. */
			unsigned long id = strtoul(names[i], NULL, 10);

			tree_measure(fds[f], names[i], 0, &size);
			if (size.changed_s <= 0 || /* not known */
			    size.changed_s > before_s ||
			    jobs_has(jobs, (uint32_t)id) ||
			    (fds[f] == folders->traces &&
			     strchr(names[i], '-')))
				continue;
			if (unlinkat(fds[f], names[i], 0))
				user_folders_drop(users, fds[f], names[i]);
		}
		durable_names_free(names, count);
	}
}
