/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_traced_run.c - traces of a file, and nodes that join the run's */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "predictor/cli/traced_run.h"
#include "predictor/client/client.h"
#include "tests/unit/predictor/client/canned.h"
#include "tests/unit/suite.h"

#define TOL 1e-12

/* Rank 0 of 1 works 1 s and ends. */
#define TRACE(job)                                                             \
	"{\"job_id\":" job ",\"runtime_s\":1.5,\"nodes\":[{\"name\":\"n1\","   \
	"\"cores\":2,\"cpu_available\":0.5}],"                                 \
	"\"links\":[{\"from\":\"n1\",\"to\":\"n1\",\"latency_s\":0.25,"        \
	"\"bandwidth_bps\":8}],"                                               \
	"\"ranks\":[{\"node\":\"n1\",\"events\":\"U1BUUkFDRTEAAQWAlOvcAw==\"}" \
	"]}"

static char path[] = "/tmp/test_traced_run.XXXXXX";
static const struct traced_source in_file = { .trace = path };

static void write_text(const char *text)
{
	FILE *file = fopen(path, "w");

	fputs(text, file);
	fclose(file);
}

static int count_run(const struct run_trace *run, void *argument,
		     struct sp_error *err)
{
	int *sum = argument;

	(void)err;
	*sum = 100 * *sum + (int)run->job_id;
	return 0;
}

START_TEST(test_file)
{
	struct run_trace run;
	int sum = 0;

	write_text("{\"traces\":[" TRACE("17") "," TRACE("23") "]}");
	ck_assert_int_eq(traced_run_read(NULL, &in_file, &run, NULL), 0);
	ck_assert_uint_eq(run.job_id, 17);
	ck_assert_double_eq_tol(run.trace->events[0].work_s, 1, TOL);
	run_trace_clear(&run);
	ck_assert_int_eq(
		traced_runs_each(NULL, &in_file, count_run, &sum, NULL), 0);
	ck_assert_int_eq(sum, 1723);

	write_text(TRACE("5"));
	ck_assert_int_eq(traced_run_read(NULL, &in_file, &run, NULL), 0);
	ck_assert_uint_eq(run.job_id, 5);
	run_trace_clear(&run);
}
END_TEST

START_TEST(test_refused)
{
	static const char *const texts[] = {
		"", "{", "[]", "{\"traces\":[]}", "{\"traces\":[7]}", "null",
	};
	const struct traced_source nowhere = { .trace = "/nonexistent/x" };
	struct sp_error err;
	struct run_trace run;
	int sum = 0;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		write_text(texts[i]);
		err.text[0] = '\0';
		ck_assert_msg(traced_run_read(NULL, &in_file, &run, &err) == -1,
			      "%s", texts[i]);
		ck_assert_str_ne(err.text, "");
		ck_assert_int_eq(
			traced_runs_each(NULL, &in_file, count_run, &sum, NULL),
			-1);
	}
	ck_assert_int_eq(traced_run_read(NULL, &nowhere, &run, &err), -1);
	ck_assert_int_eq(sum, 0);
}
END_TEST

START_TEST(test_place)
{
	static const char names[][HOSTLIST_NAME_SIZE] = { "n2", "n1", "n2" };
	struct run_trace run;
	struct traced_place place;

	write_text(TRACE("17"));
	ck_assert_int_eq(traced_run_read(NULL, &in_file, &run, NULL), 0);
	ck_assert_int_eq(traced_place_create(&run, names, 3, 3, &place, NULL),
			 0);
	ck_assert_int_eq(place.count, 2);
	ck_assert_int_eq(traced_place_find(&place, "n2"), 1);
	ck_assert_double_eq_tol(place.replay[0].speed, .5, TOL);
	ck_assert_double_eq_tol(place.replay[1].cores, 3, TOL);
	ck_assert_double_eq_tol(place.links[0].latency_s, .25, TOL);
	ck_assert_double_eq_tol(place.links[0].bandwidth_bps, 1, TOL);
	ck_assert_double_eq_tol(place.links[1].latency_s,
				RUN_TRACE_FAR.latency_s, TOL);
	ck_assert_double_eq_tol(place.links[3].latency_s,
				RUN_TRACE_NEAR.latency_s, TOL);
	traced_place_clear(&place);
	run_trace_clear(&run);
}
END_TEST

/* A reply that is one to both requests. */
#define NOW                                                               \
	"{\"total\":2,\"nodes\":[{\"node\":\"n2\",\"cpu_available\":0.3," \
	"\"cpu_speed\":1.5,\"cpu_turn_s\":0.004},{\"node\":\"n1\","       \
	"\"cpu_available\":null,\"cpu_speed\":0.8}],"                     \
	"\"links\":[{\"from\":\"n2\",\"to\":\"n1\",\"latency_s\":0.002,"  \
	"\"bandwidth_bps\":8e6},{\"from\":\"n1\",\"to\":\"n7\"}]}"

START_TEST(test_now)
{
	static const char names[][HOSTLIST_NAME_SIZE] = { "n2", "n3" };
	static struct canned server;
	char reply[1024];
	struct cli cli = { .cluster = "c" };
	struct run_trace run;
	struct traced_place place;
	struct sp_error err;

	snprintf(reply, sizeof(reply), OK_HEAD "Content-Length: %zu\r\n\r\n%s",
		 strlen(NOW), NOW);
	server.reply = reply;
	canned_start(&server);
	cli.url = server.url;
	write_text(TRACE("17"));
	ck_assert_int_eq(traced_run_read(NULL, &in_file, &run, NULL), 0);
	ck_assert_int_eq(traced_place_create(&run, names, 1, 3, &place, NULL),
			 0);
	ck_assert_msg(!traced_place_now(&cli, "c", &place, &err), "%s",
		      err.text);
	/* What was not measured stays as it was recorded. */
	ck_assert_double_eq_tol(place.replay[0].speed, .5 * .8, TOL);
	ck_assert_double_eq_tol(place.replay[1].speed, .3 * 1.5, TOL);
	ck_assert_double_eq_tol(place.replay[1].turn_s, .004, TOL);
	ck_assert_double_eq_tol(place.links[2].latency_s, .001, TOL);
	ck_assert_double_eq_tol(place.links[2].bandwidth_bps, 1e6, 1e-3);
	ck_assert_double_eq_tol(place.links[1].latency_s,
				RUN_TRACE_FAR.latency_s, TOL);
	traced_place_clear(&place);

	ck_assert_int_eq(traced_place_create(&run, names, 2, 3, &place, NULL),
			 0);
	ck_assert_int_eq(traced_place_now(&cli, "c", &place, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "n3 was not measured"));
	traced_place_clear(&place);
	run_trace_clear(&run);
	canned_stop(&server);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_file, test_refused, test_place,
				       test_now, NULL };
	int fd = mkstemp(path);
	int rc;

	if (fd < 0)
		return 1;
	close(fd);
	rc = suite_run("traced_run", tests);
	unlink(path);
	return rc;
}
