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

#define BOTH(member, ...) AS(member, #member, __VA_ARGS__)
#define AS(member, its_column, kind, ...)                        \
	FIELD_ROW(store_accuracy, member, kind, .name = #member, \
		  .column = (its_column), __VA_ARGS__)

const struct field store_accuracy_fields[] = {
	AS(group, "name", TEXT),
	BOTH(stage, ENUM, .words = &prediction_stage_words),
	BOTH(runs, INT8),
	BOTH(predicted, INT8),
	BOTH(error, NUMBER),
	BOTH(median_error, NUMBER),
	BOTH(accuracy, NUMBER),
	BOTH(under, NUMBER),
	AS(coverage, "covered", NUMBER),
	BOTH(quantile, NUMBER),
	BOTH(limited, INT8),
	BOTH(limit_missed, NUMBER),
	BOTH(limit_error, NUMBER),
	BOTH(limit_factor, NUMBER),
	BOTH(mean_s, NUMBER),
	BOTH(predicted_mean_s, NUMBER),
	BOTH(advised, INT8),
	BOTH(time_covered, NUMBER),
	BOTH(time_factor, NUMBER),
	BOTH(memory_covered, NUMBER),
	BOTH(memory_factor, NUMBER),
	BOTH(cpus_covered, NUMBER),
	BOTH(cpus_factor, NUMBER),
	FIELD_STORED(store_accuracy, total, "total", INT8),
	FIELD_END,
};
