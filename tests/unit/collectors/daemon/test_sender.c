/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_sender.c - records reach a server once it takes them, and none is lost
 *
 * The server is libmicrohttpd with a few lines behind it: it sends the reply
 * that the test sets, and refuses records of job 666.
 */
#include <math.h>
#include <microhttpd.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "collectors/daemon/send_batch.h"
#include "collectors/daemon/sender.h"
#include "collectors/runs/spool.h"
#include "predictor/base/log.h"
#include "predictor/wire/wire.h"
#include "tests/unit/folder.h"
#include "tests/unit/suite.h"

#define BAD_JOB 666

static struct {
	pthread_mutex_t lock;
	int status;       /* the status to reply with */
	int requests;     /* all */
	int runs, shares; /* stored */
	int measurements;
	double newest_s;
} server = { .lock = PTHREAD_MUTEX_INITIALIZER, .status = 200 };

static int store(const char *url, const char *body, size_t size)
{
	struct sp_error err;
	struct wire_report report;
	struct json_object *message = wire_parse(body, size, &err);
	int status = server.status;

	server.requests++;
	ck_assert_msg(message != NULL, "%s", err.text);
	ck_assert_msg(!wire_report_decode(message, &report, &err), "%s",
		      err.text);
	json_object_put(message);
	for (size_t i = 0; i < report.runs_count; i++)
		if (report.runs[i].job_id == BAD_JOB)
			status = 400;
	if (status == 200) {
		server.runs += (int)report.runs_count;
		server.shares += (int)report.shares_count;
		server.measurements += (int)report.measurements_count;
	}
	if (report.measurements_count) {
		ck_assert_str_eq(url, "/v1/measurements");
		ck_assert_str_eq(report.cluster, "big");
		server.newest_s =
			report.measurements[report.measurements_count - 1]
				.time_s;
	}
	wire_report_clear(&report);
	return status;
}

struct body {
	char *text;
	size_t size;
};

static enum MHD_Result answer(void *context, struct MHD_Connection *connection,
			      const char *url, const char *method,
			      const char *version, const char *data,
			      size_t *size, void **state)
{
	struct body *body = *state;
	struct MHD_Response *response;
	enum MHD_Result rc;
	int status;

	(void)context;
	(void)method;
	(void)version;
	if (!body) {
		*state = calloc(1, sizeof(*body));
		return MHD_YES;
	}
	if (*size) {
		body->text = realloc(body->text, body->size + *size);
		memcpy(body->text + body->size, data, *size);
		body->size += *size;
		*size = 0;
		return MHD_YES;
	}
	pthread_mutex_lock(&server.lock);
	status = store(url, body->text, body->size);
	pthread_mutex_unlock(&server.lock);
	free(body->text);
	free(body);
	*state = NULL;
	response = MHD_create_response_from_buffer(2, (void *)"{}",
						   MHD_RESPMEM_PERSISTENT);
	rc = MHD_queue_response(connection, (unsigned)status, response);
	MHD_destroy_response(response);
	return rc;
}

/* On a Unix socket: over TCP MUNGE would have to be running. */
static struct MHD_Daemon *start_server(char *ret_url)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	struct MHD_Daemon *daemon;

	ck_assert_uint_lt(strlen(folder_path("socket")),
			  sizeof(address.sun_path));
	strcpy(address.sun_path, folder_path("socket"));
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&address, sizeof(address)),
			 0);
	ck_assert_int_eq(listen(fd, 16), 0);
	daemon = MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL,
				  NULL, answer, NULL, MHD_OPTION_LISTEN_SOCKET,
				  fd, MHD_OPTION_END);
	ck_assert_ptr_nonnull(daemon);
	sprintf(ret_url, "unix:%s", address.sun_path);
	return daemon;
}

static struct spool *spool;
static struct sender *sender;
static struct MHD_Daemon *daemon_;

static void begin(void)
{
	struct collectord_config config = { .urls_count = 2,
					    .report_interval_s = 0.1 };
	struct sp_error err;

	folder_make();
	log_open("/dev/null", LOG_LEVEL_ERROR, NULL);
	daemon_ = start_server(config.urls[1]);
	strcpy(config.urls[0], "unix:/nowhere/predictd.sock");
	spool = spool_open(folder, 1 << 20, &err);
	ck_assert_msg(spool != NULL, "%s", err.text);
	sender = sender_create(spool, &config, &err);
	ck_assert_msg(sender != NULL, "%s", err.text);
}

static void end(void)
{
	MHD_stop_daemon(daemon_);
	sender_destroy(sender);
	spool_close(spool);
	folder_remove();
}

static void put_run(uint32_t job_id)
{
	struct run run = { .job_id = job_id,
			   .cluster = "big",
			   .nodes = 1,
			   .limit_s = NAN,
			   .submitted_at_s = 5,
			   .started_at_s = 6,
			   .ended_at_s = 7,
			   .state = RUN_COMPLETED };
	struct json_object *object;
	const char *text;
	struct sp_error err;

	conditions_init(&run.before);
	object = wire_run_encode(&run);
	text = json_object_to_json_string(object);
	ck_assert_msg(!spool_put(spool, RECORD_RUN, text, strlen(text), &err),
		      "%s", err.text);
	json_object_put(object);
}

static void put_share(uint32_t job_id)
{
	struct run_share share = { .job_id = job_id,
				   .cluster = "big",
				   .node = "n1",
				   .started_at_s = 6,
				   .ended_at_s = 7,
				   .cpu_s = NAN,
				   .peak_memory_mb = NAN };
	struct json_object *object = wire_share_encode(&share);
	const char *text = json_object_to_json_string(object);
	struct sp_error err;

	ck_assert_msg(!spool_put(spool, RECORD_SHARE, text, strlen(text), &err),
		      "%s", err.text);
	json_object_put(object);
}

/* Let it work for some seconds of a simulated clock, or until nothing is left
 * to send. */
static void work(double seconds)
{
	static double now_s = 1000;
	double until_s = now_s + seconds;

	while (now_s < until_s) {
		double at_s = sender_at_s(sender);

		if (at_s == HUGE_VAL)
			return;
		now_s = fmin(fmax(now_s, at_s), until_s);
		sender_run(sender, now_s);
	}
}

START_TEST(test_sends_in_batches)
{
	begin();
	for (uint32_t i = 1; i <= 600; i++)
		i % 2 ? put_run(i) : put_share(i);
	work(20);
	ck_assert_uint_eq(spool_count(spool), 0);
	ck_assert_int_eq(server.runs, 300);
	ck_assert_int_eq(server.shares, 300);
	ck_assert_int_eq(server.requests, 3);
	end();
}
END_TEST

START_TEST(test_keeps_until_stored)
{
	begin();
	server.status = 503;
	put_run(1);
	work(1.2);
	ck_assert_uint_eq(spool_count(spool), 1);
	ck_assert_int_ge(server.requests, 1);
	ck_assert_int_le(server.requests, 5); /* it pauses */
	server.status = 401;
	work(1.2);
	ck_assert_uint_eq(spool_count(spool), 1);
	server.status = 200;
	work(30);
	ck_assert_uint_eq(spool_count(spool), 0);
	ck_assert_int_eq(server.runs, 1);
	end();
}
END_TEST

START_TEST(test_one_bad_record)
{
	begin();
	for (uint32_t i = 660; i < 670; i++)
		put_run(i);
	work(20);
	ck_assert_uint_eq(spool_count(spool), 0);
	ck_assert_int_eq(server.runs, 9);
	ck_assert_int_eq(access(folder_path("refused/"
					    "00000000000000000007.run"),
				F_OK),
			 0);
	end();
}
END_TEST

START_TEST(test_torn_records)
{
	struct sp_error err;

	begin();
	spool_put(spool, RECORD_RUN, "{\"cluster\":\"bi", 14, &err);
	put_run(1);
	spool_put(spool, RECORD_SHARE, "", 0, &err);
	spool_put(spool, RECORD_SHARE, "[1],[2]", 7, &err);
	put_run(2);
	work(20);
	ck_assert_uint_eq(spool_count(spool), 0);
	ck_assert_int_eq(server.runs, 2);
	ck_assert_int_eq(server.requests, 1);
	end();
}
END_TEST

START_TEST(test_measurements)
{
	struct measurement m = { .node = "n1",
				 .cpu_load = 0.5,
				 .cpu_available = 0.25,
				 .cpu_speed = 1,
				 .memory_available_mb = 100 };

	begin();
	sender_measured(sender, &m);
	ck_assert_double_eq(sender_at_s(sender), HUGE_VAL); /* no name yet */
	sender_set_cluster(sender, "big");
	server.status = 503;
	work(0.3);
	for (int i = 1; i <= 1000; i++) {
		m.time_s = i;
		sender_measured(sender, &m);
	}
	server.status = 200;
	work(20);
	ck_assert_int_eq(server.measurements, 256); /* the newest win */
	ck_assert_double_eq(server.newest_s, 1000);
	end();
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_sends_in_batches, test_keeps_until_stored,
		test_one_bad_record,   test_torn_records,
		test_measurements,     NULL
	};

	return suite_run("sender", tests);
}
