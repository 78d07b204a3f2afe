/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_probe.c - two ends of a probe, with a real munged between them */
#include <fcntl.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collectors/probes/probe.h"
#include "predictor/base/clock.h"
#include "tests/unit/folder.h"
#include "tests/unit/collectors/probes/pair.h"
#include "tests/unit/suite.h"

#define PATIENCE_S 20
#define SLOT       4711

static char munge_socket[512];
static struct sp_error err;

/* --- munged --------------------------------------------------------------- */

static pid_t munged_start(void)
{
	static const char *const files[] = { "--pid-file", "--seed-file",
					     "--log-file", "--key-file" };
	char options[4][600], socket_option[600], key[1024];
	pid_t parent = getpid(), pid;

	ck_assert_int_eq(getrandom(key, sizeof(key), 0), sizeof(key));
	int fd = open(folder_path("key-file"), O_WRONLY | O_CREAT, 0600);

	ck_assert_int_eq(write(fd, key, sizeof(key)), sizeof(key));
	close(fd);
	for (int i = 0; i < 4; i++)
		snprintf(options[i], sizeof(options[i]), "%s=%s", files[i],
			 folder_path(files[i] + 2));
	snprintf(munge_socket, sizeof(munge_socket), "%s",
		 folder_path("socket"));
	snprintf(socket_option, sizeof(socket_option), "--socket=%s",
		 munge_socket);
	pid = fork();
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (!freopen(folder_path("said"), "w", stderr))
		_exit(127);
	/* Not in every user's path. */
	setenv("PATH", "/usr/sbin:/usr/bin", 1);
	if (getppid() == parent)
		execlp("munged", "munged", "--foreground", "--force",
		       "--num-threads=2", options[0], options[1], options[2],
		       options[3], socket_option, (char *)NULL);
	_exit(127);
}

static void munged_wait(void)
{
	const struct claim claim = { "call", "n1", "n2", SLOT, "0", "0" };
	double until_s = clock_monotonic_s() + PATIENCE_S;
	char *credential;

	while (!(credential = credential_make(munge_socket, &claim, &err))) {
		ck_assert_msg(clock_monotonic_s() < until_s, "%s", err.text);
		usleep(20000);
	}
	free(credential);
}

/* Each test is a process, with a munged of its own. */
static pid_t munged;

static void set_up(void)
{
	folder_make();
	munged = munged_start();
	munged_wait();
}

/* munged may miss a SIGTERM that comes between its look for one and accept(),
 * and then waits for ever. */
static void tear_down(void)
{
	kill(munged, SIGKILL);
	waitpid(munged, NULL, 0);
	folder_remove();
}

/* --- The side that is called ---------------------------------------------- */

struct callee {
	pthread_t thread;
	int fd;
	struct probe_end end;
	bool allows;
	int rc;
	struct sp_error why;
};

static bool allow(void *context, const struct claim *claim)
{
	const struct callee *callee = context;

	return callee->allows && claim->slot == SLOT;
}

static void *answer(void *context)
{
	struct callee *callee = context;
	char nonce[NONCE_SIZE], credential[LINE_SIZE];
	struct line_reader reader;
	const char *line;

	line_open(&reader, callee->fd, clock_monotonic_s() + PATIENCE_S);
	callee->rc = -1;
	if (!probe_greet(callee->fd, nonce, &callee->why) &&
	    (line = line_read(&reader, &callee->why))) {
		snprintf(credential, sizeof(credential), "%s", line);
		callee->rc =
			probe_answer(&reader, &callee->end, nonce, credential,
				     allow, callee, &callee->why);
	}
	shutdown(callee->fd, SHUT_RDWR);
	return NULL;
}

static struct probe_end end_of(const char *node)
{
	struct probe_end end = { .munge_socket = munge_socket, .node = node };

	ck_assert_int_eq(counters_read("", &end.before, &err), 0);
	end.now = end.before;
	return end;
}

/* Gives the caller's socket. */
static int callee_start(struct callee *callee, const char *node, bool allows)
{
	int ends[2];

	connect_pair(ends);
	for (int i = 0; i < 2; i++)
		fcntl(ends[i], F_SETFL, O_NONBLOCK);
	*callee = (struct callee){ .fd = ends[1],
				   .end = end_of(node),
				   .allows = allows };
	pthread_create(&callee->thread, NULL, answer, callee);
	return ends[0];
}

static void callee_end(struct callee *callee, int fd)
{
	close(fd);
	pthread_join(callee->thread, NULL);
	close(callee->fd);
}

/* --- Tests ---------------------------------------------------------------- */

START_TEST(test_credential)
{
	struct claim claim = {
		.role = "call", .from = "n1", .to = "n2", .slot = UINT64_MAX
	};
	struct claim read = { .slot = 0 };

	ck_assert_int_eq(nonce_make(claim.challenge, &err), 0);
	ck_assert_int_eq(nonce_make(claim.own, &err), 0);
	ck_assert_str_ne(claim.challenge, claim.own);
	char *text = credential_make(munge_socket, &claim, &err);

	ck_assert_ptr_nonnull(text);
	ck_assert_int_eq(
		credential_read(munge_socket, text, geteuid(), &read, &err), 0);
	ck_assert_str_eq(read.role, "call");
	ck_assert_str_eq(read.from, "n1");
	ck_assert_str_eq(read.to, "n2");
	ck_assert_uint_eq(read.slot, UINT64_MAX);
	ck_assert_str_eq(read.challenge, claim.challenge);
	ck_assert_str_eq(read.own, claim.own);
	/* Once only. */
	ck_assert_int_eq(
		credential_read(munge_socket, text, geteuid(), &read, &err),
		-1);
	ck_assert_ptr_nonnull(strstr(err.text, "eplayed"));
	free(text);

	text = credential_make(munge_socket, &claim, &err);
	ck_assert_int_eq(
		credential_read(munge_socket, text, geteuid() + 1, &read, &err),
		-1);
	ck_assert_ptr_nonnull(strstr(err.text, "of user"));
	free(text);

	text = credential_make(munge_socket, &claim, &err);
	text[strlen(text) / 2] ^= 1;
	ck_assert_int_eq(
		credential_read(munge_socket, text, geteuid(), &read, &err),
		-1);
	free(text);
}
END_TEST

START_TEST(test_conversation)
{
	const struct transfer_limits limits[2] = { { 1 << 20, 1 },
						   { 2 << 20, 1 } };
	const struct probe_end end = end_of("n1");
	char congestion[PROBE_CONGESTION_SIZE] = "";
	socklen_t size = sizeof(congestion) - 1;
	struct probe_result r;
	struct callee callee;
	int fd = callee_start(&callee, "n2", true);

	getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, congestion, &size);
	ck_assert_msg(!probe_call(fd, &end, "n2", SLOT, limits,
				  clock_monotonic_s() + PATIENCE_S, &r, &err),
		      "%s", err.text);
	callee_end(&callee, fd);
	ck_assert_msg(!callee.rc, "%s", callee.why.text);
	ck_assert(r.has_transfers);
	ck_assert_double_gt(r.latency_s, 0);
	ck_assert_double_lt(r.latency_s, 1);
	ck_assert_str_eq(r.congestion, congestion);
	ck_assert_uint_ge(r.out.bytes, TRANSFER_BYTES_MIN - 16384);
	ck_assert_uint_le(r.out.bytes, limits[0].bytes);
	ck_assert_uint_ge(r.back.bytes, TRANSFER_BYTES_MIN - 16384);
	ck_assert_uint_le(r.back.bytes, limits[1].bytes);
	ck_assert_double_gt(r.back.time_s, 0);
}
END_TEST

START_TEST(test_latency_only)
{
	const struct probe_end end = end_of("n1");
	struct probe_result r;
	struct callee callee;
	int fd = callee_start(&callee, "n2", true);

	ck_assert_msg(!probe_call(fd, &end, "n2", SLOT, NULL,
				  clock_monotonic_s() + PATIENCE_S, &r, &err),
		      "%s", err.text);
	callee_end(&callee, fd);
	ck_assert_int_eq(callee.rc, 0);
	ck_assert(!r.has_transfers);
	ck_assert_double_gt(r.latency_s, 0);
}
END_TEST

/* Refused: a caller out of turn, at the wrong node, or for another slot. */
START_TEST(test_refused)
{
	static const struct {
		const char *callee;
		bool allows;
		uint64_t slot;
		const char *why;
	} cases[] = {
		{ "n2", false, SLOT, "refused: n1 has no turn" },
		{ "n2", true, SLOT + 1, "refused: n1 has no turn" },
		{ "n3", true, SLOT, "is for another probe" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct probe_end end = end_of("n1");
		struct probe_result r = { .latency_s = 77 };
		struct callee callee;
		int fd =
			callee_start(&callee, cases[i].callee, cases[i].allows);

		ck_assert_int_eq(probe_call(fd, &end, "n2", cases[i].slot, NULL,
					    clock_monotonic_s() + PATIENCE_S,
					    &r, &err),
				 -1);
		callee_end(&callee, fd);
		ck_assert_int_eq(callee.rc, -1);
		ck_assert_msg(strstr(err.text, cases[i].why), "%s", err.text);
		ck_assert_double_eq(r.latency_s, 77);
	}
}
END_TEST

/* A credential made for another conversation is good for none, nor is anything
 * that is none; and nothing is answered but that. */
START_TEST(test_strangers)
{
	struct claim old = { "call", "n1", "n2", SLOT, "", "" };

	ck_assert_int_eq(nonce_make(old.challenge, &err), 0);
	ck_assert_int_eq(nonce_make(old.own, &err), 0);
	char *overheard = credential_make(munge_socket, &old, &err);
	const char *const said[] = { overheard, "MUNGE:AwQFAAC:", "ping", "" };

	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++) {
		struct line_reader reader;
		struct callee callee;
		int fd = callee_start(&callee, "n2", true);

		line_open(&reader, fd, clock_monotonic_s() + PATIENCE_S);
		ck_assert_ptr_nonnull(line_read(&reader, &err));
		line_print(fd, clock_monotonic_s() + PATIENCE_S, &err, "%s\n",
			   said[i]);
		const char *reply = line_read(&reader, &err);

		ck_assert_msg(reply && !strncmp(reply, "no ", 3), "%s",
			      reply ? reply : "nothing");
		ck_assert_ptr_null(line_read(&reader, &err));
		callee_end(&callee, fd);
		ck_assert_int_eq(callee.rc, -1);
	}
	free(overheard);
}
END_TEST

/* Another service listens there. */
START_TEST(test_not_a_collectord)
{
	static const char *const greetings[] = { "HTTP/1.1 400 Bad Request\r\n",
						 "slurm-predict-probe 1 \n",
						 "slurm-predict-probe 1 00ff\n",
						 "\n" };
	const struct probe_end end = end_of("n1");

	for (size_t i = 0; i < sizeof(greetings) / sizeof(greetings[0]); i++) {
		struct probe_result r;
		int ends[2];

		connect_pair(ends);
		ck_assert_int_gt(
			send(ends[1], greetings[i], strlen(greetings[i]), 0),
			0);
		ck_assert_int_eq(probe_call(ends[0], &end, "n2", SLOT, NULL,
					    clock_monotonic_s() + PATIENCE_S,
					    &r, &err),
				 -1);
		ck_assert_ptr_nonnull(strstr(err.text, "unknown greeting"));
		close(ends[0]);
		close(ends[1]);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_credential,
		test_conversation,
		test_latency_only,
		test_refused,
		test_strangers,
		test_not_a_collectord,
		NULL,
	};

	return suite_run_each("probe", tests, set_up, tear_down);
}
