/* SPDX-License-Identifier: GPL-2.0-or-later */
/* store.c - names of stages and groups of a store's queries */
#include "predictor/engine/store.h"

const struct enum_words store_accuracy_by_words = {
	.count = ACCURACY_BY_COUNT,
	.unknown = "?",
	.word = { [ACCURACY_BY_ALL] = "all",
		  [ACCURACY_BY_CLUSTER] = "cluster",
		  [ACCURACY_BY_PARTITION] = "partition",
		  [ACCURACY_BY_USER] = "user",
		  [ACCURACY_BY_APPLICATION] = "application",
		  [ACCURACY_BY_MODEL] = "model",
		  [ACCURACY_BY_MONTH] = "month" },
};

const struct enum_words store_use_by_words = {
	.count = USE_BY_COUNT,
	.unknown = "?",
	.word = { [USE_BY_APPLICATION] = "application",
		  [USE_BY_DAY] = "day",
		  [USE_BY_USER] = "user",
		  [USE_BY_ACCOUNT] = "account" },
};
