/* SPDX-License-Identifier: GPL-2.0-or-later */
/* store.c - names of stages and groups of a store's queries */
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

const struct enum_words store_accuracy_by_words = { ACCURACY_BY_COUNT, "?",
						    by_names, NULL };

int store_accuracy_by_parse(const char *text, enum store_accuracy_by *ret)
{
	int by;

	if (enum_words_parse(&store_accuracy_by_words, text, &by))
		return -1;
	*ret = (enum store_accuracy_by)by;
	return 0;
}

static const char *const use_names[USE_BY_COUNT] = {
	[USE_BY_APPLICATION] = "application",
	[USE_BY_DAY] = "day",
	[USE_BY_USER] = "user",
	[USE_BY_ACCOUNT] = "account",
};

const struct enum_words store_use_by_words = { USE_BY_COUNT, "?", use_names,
					       NULL };
