/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cluster_list.h - the clusters that --clusters names */
#pragma once

#include "predictor/cli/cli.h"

#define CLUSTER_LIST_MAX 64

struct cluster_list {
	size_t count;
	char names[CLUSTER_LIST_MAX][RUN_NAME_SIZE];
};

/* Names with commas or newlines between.  Fails if there is none, if there are
 * too many, or on what is no name. */
int cluster_list_parse(const char *text, struct cluster_list *ret,
		       struct sp_error *err);

/* Read the clusters of cli->clusters; "all": those that slurmdbd knows. */
int cluster_list_read(const struct cli *cli, struct cluster_list *ret,
		      struct sp_error *err);
