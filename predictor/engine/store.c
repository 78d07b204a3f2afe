/* SPDX-License-Identifier: GPL-2.0-or-later */
/* store.c - names of stages and groups of a store's queries */
#include <string.h>

#include "predictor/engine/store.h"

static const char *const by_names[ACCURACY_BY_COUNT] = {
	[ACCURACY_BY_ALL] = "all",
	[ACCURACY_BY_CLUSTER] = "cluster",
	[ACCURACY_BY_PARTITION] = "partition",
	[ACCURACY_BY_USER] = "user",
	[ACCURACY_BY_APPLICATION] = "application",
	[ACCURACY_BY_MODEL] = "model",
	[ACCURACY_BY_MONTH] = "month",
};

const char *store_accuracy_by_name(enum store_accuracy_by by)
{
	return by_names[by];
}

int store_accuracy_by_parse(const char *text, enum store_accuracy_by *ret)
{
	for (int i = 0; i < ACCURACY_BY_COUNT; i++) {
		if (strcmp(by_names[i], text) == 0) {
			*ret = (enum store_accuracy_by)i;
			return 0;
		}
	}
	return -1;
}
