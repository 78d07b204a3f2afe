/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_describe.c - the members of the records that are sent and stored */
#include <string.h>

#include "predictor/features/describe.h"
#include "predictor/features/link.h"
#include "predictor/features/prediction.h"
#include "predictor/features/profile.h"
#include "tests/unit/suite.h"

static const struct record {
	const char *name;
	const struct field *fields;
	size_t size;
} records[] = {
	{ "run", run_fields, sizeof(struct run) },
	{ "run_share", run_share_fields, sizeof(struct run_share) },
	{ "conditions", conditions_fields, sizeof(struct conditions) },
	{ "measurement", measurement_fields, sizeof(struct measurement) },
	{ "link", link_measurement_fields, sizeof(struct link_measurement) },
	{ "prediction", prediction_fields, sizeof(struct prediction) },
	{ "profile_node", profile_node_fields, sizeof(struct profile_node) },
	{ "profile_peer", profile_peer_fields, sizeof(struct profile_peer) },
	{ "profile_share", profile_share_fields, sizeof(struct profile_share) },
	{ NULL, NULL, 0 },
};

static bool same_name(const char *a, const char *b)
{
	return a && b && *a && !strcmp(a, b);
}

/* A name is sent once and stored once; two rows of a name are of one member. */
START_TEST(test_names_are_unique)
{
	for (const struct record *r = records; r->name; r++)
		for (const struct field *a = r->fields; a->name; a++)
			for (const struct field *b = a + 1; b->name; b++) {
				if (same_name(a->name, b->name)) {
					ck_assert_msg(a->unsent != b->unsent,
						      "%s.%s is sent twice",
						      r->name, a->name);
					ck_assert_uint_eq(a->offset, b->offset);
				}
				ck_assert_msg(!same_name(a->column, b->column),
					      "%s.%s is stored twice", r->name,
					      a->column);
			}
}
END_TEST

/* Each row is of use, and lies in its struct. */
START_TEST(test_rows_fit)
{
	for (const struct record *r = records; r->name; r++)
		for (const struct field *f = r->fields; f->name; f++) {
			size_t last =
				f->most ? (size_t)f->most * f->stride : f->size;

			ck_assert_msg(!f->unsent || f->column,
				      "%s.%s is neither sent nor stored",
				      r->name, f->name);
			ck_assert_uint_le(f->offset + last, r->size);
			ck_assert_int_eq(f->kind == FIELD_ENUM,
					 f->words != NULL);
			if (f->kind == FIELD_RECORD || f->kind == FIELD_LIST)
				ck_assert_ptr_nonnull(f->nested);
			if (f->kind == FIELD_LIST)
				ck_assert_uint_gt(f->count_offset, 0);
		}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_names_are_unique, test_rows_fit,
				       NULL };

	return suite_run("describe", tests);
}
