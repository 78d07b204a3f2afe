/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_farm_message.c - chunks and results as bytes */
#include <stdlib.h>
#include <string.h>

#include "contrib/farm/farm_message.h"
#include "tests/unit/suite.h"

START_TEST(test_records_come_back)
{
	static const char *const texts[] = { "first", "", "third, longer" };
	struct message m = { 0 };
	struct message_record record;
	const unsigned char *bytes;
	size_t at = 0;

	message_begin(&m, 77);
	for (unsigned i = 0; i < 3; i++) {
		ck_assert_int_eq(message_record_begin(&m, 11 * i), 0);
		ck_assert_int_eq(message_append(&m, texts[i], strlen(texts[i])),
				 0);
		ck_assert_int_eq(message_record_end(&m), 0);
	}
	ck_assert_uint_eq(message_head_of(&m)->iteration, 77);
	ck_assert_uint_eq(message_head_of(&m)->tasks, 3);
	for (unsigned i = 0; i < 3; i++) {
		ck_assert(message_next(&m, &at, &record, &bytes));
		ck_assert_uint_eq(record.task, 11 * i);
		ck_assert_uint_eq(record.bytes, strlen(texts[i]));
		ck_assert_mem_eq(bytes, texts[i], record.bytes);
	}
	ck_assert(!message_next(&m, &at, &record, &bytes));
	message_clear(&m);
}
END_TEST

/* What does not fit is as if it had never begun; what was there stays. */
START_TEST(test_what_does_not_fit_leaves_no_trace)
{
	struct message m = { 0 };
	struct message_record record;
	const unsigned char *bytes;
	size_t at = 0;

	message_begin(&m, 1);
	message_record_begin(&m, 5);
	message_append(&m, "abc", 3);
	message_record_end(&m);

	size_t size = m.size;

	message_record_begin(&m, 6);
	ck_assert_ptr_null(message_reserve(&m, (size_t)1 << 31));
	ck_assert_int_eq(message_append(&m, "d", 1), -1);
	ck_assert_int_eq(message_record_end(&m), -1);
	ck_assert_uint_eq(m.size, size);
	ck_assert_uint_eq(message_head_of(&m)->tasks, 1);
	message_record_begin(&m, 7);
	ck_assert_int_eq(message_record_end(&m), 0);
	ck_assert(message_next(&m, &at, &record, &bytes));
	ck_assert(message_next(&m, &at, &record, &bytes));
	ck_assert_uint_eq(record.task, 7);
	message_clear(&m);
}
END_TEST

/* Cut anywhere, it is never read beyond its end. */
START_TEST(test_cut_messages_end)
{
	struct message m = { 0 };

	message_begin(&m, 1);
	for (unsigned i = 0; i < 4; i++) {
		message_record_begin(&m, i);
		message_append(&m, "0123456789", 3 * i);
		message_record_end(&m);
	}
	for (size_t size = 0; size <= m.size; size++) {
		/* Exactly this size, so that the sanitizer sees more. */
		struct message cut = { .of = malloc(size ? size : 1),
				       .size = size };
		struct message_record record;
		const unsigned char *bytes;
		size_t at = 0, records = 0;

		memcpy(cut.of, m.of, size);
		while (message_next(&cut, &at, &record, &bytes)) {
			ck_assert(bytes + record.bytes <= cut.of + size);
			records++;
		}
		ck_assert_uint_le(records, 4);
		free(cut.of);
	}
	message_clear(&m);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_records_come_back,
				       test_what_does_not_fit_leaves_no_trace,
				       test_cut_messages_end, NULL };

	return suite_run("farm_message", tests);
}
