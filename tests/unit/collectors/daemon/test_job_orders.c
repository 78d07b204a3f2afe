/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_job_orders.c - an order of ranks from a reply, and as a file */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collectors/daemon/job_answer.h"
#include "collectors/daemon/job_orders.h"
#include "predictor/wire/wire.h"
#include "tests/unit/suite.h"

static char text[JOB_ORDERS_TEXT_SIZE];

static size_t format(const char *reply)
{
	struct sp_error err;
	struct json_object *object = wire_parse(reply, strlen(reply), &err);

	ck_assert_msg(object != NULL, "%s", err.text);

	size_t size = job_order_text(object, text);

	json_object_put(object);
	return size;
}

START_TEST(test_text)
{
	size_t size = format("{\"state\":\"ready\",\"mode\":\"act\","
			     "\"gain\":1.2537,\"ranks\":[\"n3\",\"n-1.x\"]}");

	ck_assert_uint_eq(size, strlen(text));
	ck_assert_str_eq(text, "# slurm-predict mode=act gain=1.25\n"
			       "n3\nn-1.x\n");
	ck_assert_uint_gt(format("{\"mode\":\"advise\",\"gain\":7,"
				 "\"ranks\":[\"n3\",\"n1\"]}"),
			  0);
}
END_TEST

START_TEST(test_refused)
{
	static const char *const replies[] = {
		"{}",
		"{\"mode\":\"observe\",\"gain\":1.2,\"ranks\":[\"a\",\"b\"]}",
		"{\"mode\":\"off\",\"gain\":1.2,\"ranks\":[\"a\",\"b\"]}",
		"{\"mode\":5,\"gain\":1.2,\"ranks\":[\"a\",\"b\"]}",
		"{\"mode\":\"act\",\"gain\":0.9,\"ranks\":[\"a\",\"b\"]}",
		"{\"mode\":\"act\",\"gain\":\"x\",\"ranks\":[\"a\",\"b\"]}",
		"{\"mode\":\"act\",\"gain\":1e9,\"ranks\":[\"a\",\"b\"]}",
		"{\"mode\":\"act\",\"ranks\":[\"a\",\"b\"]}",
		"{\"mode\":\"act\",\"gain\":1.2,\"ranks\":[\"a\"]}",
		"{\"mode\":\"act\",\"gain\":1.2,\"ranks\":\"a,b\"}",
		"{\"mode\":\"act\",\"gain\":1.2,\"ranks\":[\"a\",5]}",
		"{\"mode\":\"act\",\"gain\":1.2,\"ranks\":[\"a\",null]}",
		"{\"mode\":\"act\",\"gain\":1.2,\"ranks\":[\"a\",\"\"]}",
		"{\"mode\":\"act\",\"gain\":1.2,\"ranks\":[\"a\",\"b\\nc\"]}",
		"{\"mode\":\"act\",\"gain\":1.2,\"ranks\":[\"a\",\"b*2\"]}",
	};

	for (size_t i = 0; i < sizeof(replies) / sizeof(*replies); i++)
		ck_assert_msg(format(replies[i]) == 0, "%s", replies[i]);
}
END_TEST

/* More than a file holds. */
START_TEST(test_too_many)
{
	static char reply[80 * 1200];
	size_t used = (size_t)sprintf(reply, "{\"mode\":\"act\",\"gain\":2,"
					     "\"ranks\":[\"n1\"");

	for (int r = 0; r < 1100; r++)
		used += (size_t)sprintf(reply + used, ",\"%063d\"", r);
	sprintf(reply + used, "]}");
	ck_assert_uint_eq(format(reply), 0);
}
END_TEST

START_TEST(test_path)
{
	char path[JOB_ANSWER_PATH_SIZE], nodes[JOB_ANSWER_PATH_SIZE];

	ck_assert_int_eq(
		job_answer_path("/v1/order?nodes=", "n[1-3],x_7", path), 0);
	ck_assert_str_eq(path, "/v1/order?nodes=n%5B1-3%5D,x_7");
	memset(nodes, 'n', sizeof(nodes));
	nodes[sizeof(nodes) - 1] = '\0';
	ck_assert_int_eq(job_answer_path("/", nodes, path), -1);
}
END_TEST

/* The plugin's file may go while predictd is asked: none must stay behind. */
START_TEST(test_replaces)
{
	char folder[] = "/tmp/test_job_orders.XXXXXX";
	struct sp_error err;
	struct stat about;

	ck_assert(mkdtemp(folder) != NULL);

	int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	ck_assert_int_ge(at, 0);
	ck_assert_int_eq(job_answer_write(at, "7", true, 0, "ab", 2, &err), -1);
	ck_assert_int_ne(faccessat(at, "7", F_OK, 0), 0);
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(job_answer_write(at, "7", i > 0, 0, "abc",
						  2 + (size_t)i, &err),
				 0);
		ck_assert_int_eq(fstatat(at, "7", &about, 0), 0);
		ck_assert_int_eq(about.st_size, 2 + i);
	}
	ck_assert_int_ne(faccessat(at, ".tmp-7", F_OK, 0), 0);
	unlinkat(at, "7", 0);
	close(at);
	ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_text, test_refused,  test_too_many,
				       test_path, test_replaces, NULL };

	return suite_run("job_orders", tests);
}
