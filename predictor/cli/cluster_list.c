/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cluster_list.c - the clusters that --clusters names */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/cli/cluster_list.h"
#include "predictor/slurm/slurm_command.h"

static bool is_name(const char *text, size_t length)
{
	if (length == 0 || length >= RUN_NAME_SIZE)
		return false;
	for (size_t i = 0; i < length; i++)
		if (!isalnum((unsigned char)text[i]) && !strchr("_-.", text[i]))
			return false;
	return true;
}

int cluster_list_parse(const char *text, struct cluster_list *ret,
		       struct sp_error *err)
{
	ret->count = 0;
	while (*text) {
		size_t length = strcspn(text, ",\n");

		if (!is_name(text, length))
			return sp_error_set(err, "%.*s: no name of a cluster",
					    (int)length, text);
		if (ret->count == CLUSTER_LIST_MAX)
			return sp_error_set(err, "more than %d clusters",
					    CLUSTER_LIST_MAX);
		memcpy(ret->names[ret->count], text, length);
		ret->names[ret->count++][length] = '\0';
		text += length;
		text += *text != '\0';
	}
	return ret->count ? 0 : sp_error_set(err, "no cluster is known");
}

int cluster_list_read(const struct cli *cli, struct cluster_list *ret,
		      struct sp_error *err)
{
	static const char *const argv[] = { "sacctmgr",    "--noheader",
					    "--parsable2", "list",
					    "cluster",     "format=cluster",
					    NULL };

	if (strcmp(cli->clusters, "all") != 0)
		return cluster_list_parse(cli->clusters, ret, err);

	char *text = slurm_command_run(argv, SCONTROL_TIMEOUT_S,
				       SCONTROL_OUTPUT_MAX, err);
	int rc = text ? cluster_list_parse(text, ret, err) : -1;

	free(text);
	return rc;
}
