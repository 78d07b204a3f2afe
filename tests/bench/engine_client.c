/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine_client.c - a client that requests predictions at a rate
 *
 * One thread and poll().  A request is late from the time it was due, also when
 * it had to wait for a connection.  The first ten seconds do not count; then
 * each second has a p99, and the median of these is the figure.
 */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "predictor/base/clock.h"
#include "predictor/wire/wire.h"
#include "tests/bench/engine_client.h"
#include "tests/bench/engine_workload.h"

static void die(const char *what, const char *why)
{
	fprintf(stderr, "bench-engine: %s: %s\n", what, why);
	exit(1);
}

#define CONNECTIONS 8
#define REQUESTS    512
#define REPLY_MAX   65536

struct connection {
	int fd;
	bool busy;
	double due_s;
	size_t size;
	char reply[REPLY_MAX];
};

static struct connection connections[CONNECTIONS];
static struct {
	size_t size;
	char bytes[4096];
} requests[REQUESTS];

static void connection_open(struct connection *c, const char *path)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX };

	if (strlen(path) >= sizeof(name.sun_path))
		die(path, "too long");
	strcpy(name.sun_path, path);
	c->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (c->fd < 0 || connect(c->fd, (struct sockaddr *)&name, sizeof(name)))
		die(path, strerror(errno));
}

static void requests_make(void)
{
	struct random r = { 9 };

	for (int i = 0; i < REQUESTS; i++) {
		static struct job job;
		struct wire_request request = { .mode = MODE_ADVISE,
						.quantile = 0.9 };

		job_make(&r, &job);
		request.job = job.submission;
		request.job.user_id = geteuid();

		struct json_object *message = wire_request_encode(&request);
		const char *body = json_object_to_json_string(message);

		requests[i].size = (size_t)snprintf(
			requests[i].bytes, sizeof(requests[i].bytes),
			"POST /v1/predictions HTTP/1.1\r\nHost: localhost\r\n"
			"Content-Type: application/json\r\n"
			"Content-Length: %zu\r\n\r\n%s",
			strlen(body), body);
		json_object_put(message);
		if (requests[i].size >= sizeof(requests[i].bytes))
			die("request", "too long");
	}
}

/* Read what is there; true when the reply is whole. */
static bool take(struct connection *c)
{
	ssize_t got =
		recv(c->fd, c->reply + c->size, REPLY_MAX - 1 - c->size, 0);

	if (got <= 0)
		die("reply", got ? strerror(errno) : "connection closed");
	c->size += (size_t)got;
	c->reply[c->size] = '\0';

	const char *body = strstr(c->reply, "\r\n\r\n");
	const char *length = strstr(c->reply, "Content-Length: ");

	if (!body || !length)
		return false;
	if (strncmp(c->reply, "HTTP/1.1 200", 12))
		die("refused", body);
	return c->size >=
	       (size_t)(body + 4 - c->reply) + strtoul(length + 16, NULL, 10);
}

static struct connection *idle(void)
{
	for (int i = 0; i < CONNECTIONS; i++)
		if (!connections[i].busy)
			return &connections[i];
	return NULL;
}

#define SECONDS_MAX 60

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Send what is due, as far as a connection is free; what waits for one is late
 * all the same. */
static size_t send_due(size_t sent, size_t total, double began_s, double gap_s)
{
	struct connection *c;

	while (sent < total &&
	       began_s + gap_s * (double)sent <= clock_monotonic_s() &&
	       (c = idle())) {
		const size_t size = requests[sent % REQUESTS].size;

		c->busy = true;
		c->size = 0;
		c->due_s = began_s + gap_s * (double)sent;
		if (send(c->fd, requests[sent % REQUESTS].bytes, size,
			 MSG_NOSIGNAL) != (ssize_t)size)
			die("send", strerror(errno));
		sent++;
	}
	return sent;
}

static size_t take_replies(struct pollfd polled[CONNECTIONS],
			   double *latencies_s, size_t done)
{
	for (int i = 0; i < CONNECTIONS; i++) {
		struct connection *c = &connections[i];

		if (!polled[i].revents || !c->busy || !take(c))
			continue;
		c->busy = false;
		latencies_s[done++] = clock_monotonic_s() - c->due_s;
	}
	return done;
}

/* Until a reply comes or the next question is due: whoever measures must not
 * take the processor that is needed to answer. */
static bool wait_for(struct pollfd polled[CONNECTIONS], double until_s)
{
	double wait_s = fmax(0, until_s - clock_monotonic_s());
	struct timespec timeout = { .tv_sec = (time_t)wait_s };

	timeout.tv_nsec = (long)(1e9 * (wait_s - (double)timeout.tv_sec));
	return ppoll(polled, CONNECTIONS, &timeout, NULL) > 0;
}

static double quantile(double *values, size_t count, double probability)
{
	qsort(values, count, sizeof(*values), ascending);
	return values[(size_t)((double)count * probability)];
}

/* Print the latencies of each second by itself, and the median of these: a
 * machine that others have a share of stands still now and then, which a second
 * or two show. */
static void tell(const char *name, double *latencies_s, size_t count,
		 double rate)
{
	double p99_s[SECONDS_MAX];
	size_t each = (size_t)rate, seconds = 0;

	for (size_t i = 0; i + each <= count && seconds < SECONDS_MAX;
	     i += each)
		p99_s[seconds++] = quantile(latencies_s + i, each, 0.99);
	printf("%s_p50_us_at_%.0f %.0f\n", name, rate,
	       1e6 * quantile(latencies_s, count, 0.5));
	printf("%s_p99_us_at_%.0f, of all at once: %.0f; of each second:", name,
	       rate, 1e6 * quantile(latencies_s, count, 0.99));
	for (size_t i = 0; i < seconds; i++)
		printf(" %.0f", 1e6 * p99_s[i]);
	printf("\nbar %s_p99_us_at_%.0f %.0f\n", name, rate,
	       1e6 * quantile(p99_s, seconds, 0.5));
}

/* Not counted: PostgreSQL plans its statements, and looks after tables that
 * have just been filled. */
#define WARM_S 10.0

int engine_ask(const char *path, double rate, double seconds, const char *name)
{
	if (rate < 1 || seconds < 1 || seconds > SECONDS_MAX)
		die("ask", "bad RATE or SECONDS");

	size_t first = (size_t)(rate * WARM_S);
	size_t total = first + (size_t)(rate * seconds);
	double *latencies_s = calloc(total + CONNECTIONS, sizeof(double));
	struct pollfd polled[CONNECTIONS];
	size_t sent = 0, done = 0;

	prctl(PR_SET_TIMERSLACK, 1);
	requests_make();
	for (int i = 0; i < CONNECTIONS; i++) {
		connection_open(&connections[i], path);
		polled[i] = (struct pollfd){ connections[i].fd, POLLIN, 0 };
	}
	if (!latencies_s)
		die("memory", "none");

	double began_s = clock_monotonic_s();

	while (done < total) {
		sent = send_due(sent, total, began_s, 1 / rate);

		double next_s = began_s + 10 * (WARM_S + seconds);

		/* Without a free connection only a reply can help. */
		if (sent < total && idle())
			next_s = began_s + (double)sent / rate;
		if (wait_for(polled, next_s))
			done = take_replies(polled, latencies_s, done);
		if (clock_monotonic_s() - began_s > 10 * (WARM_S + seconds))
			die(path, "does not keep up");
	}
	tell(name, latencies_s + first, total - first, rate);
	free(latencies_s);
	return 0;
}

/* Each question is there as a whole, or nearly always: then it is answered in
 * one piece.  Ends when it is killed. */
int engine_answer_nothing(const char *path)
{
	static const char reply[] =
		"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	struct pollfd polled[1 + CONNECTIONS];
	nfds_t count = 1;
	char request[65536];

	if (strlen(path) >= sizeof(name.sun_path))
		die(path, "too long");
	strcpy(name.sun_path, path);
	polled[0] =
		(struct pollfd){ socket(AF_UNIX, SOCK_STREAM, 0), POLLIN, 0 };
	if (polled[0].fd < 0 ||
	    bind(polled[0].fd, (struct sockaddr *)&name, sizeof(name)) ||
	    listen(polled[0].fd, CONNECTIONS))
		die(path, strerror(errno));
	while (poll(polled, count, -1) > 0) {
		for (nfds_t i = 1; i < count; i++) {
			if (!polled[i].revents)
				continue;
			if (recv(polled[i].fd, request, sizeof(request), 0) > 0)
				send(polled[i].fd, reply, sizeof(reply) - 1,
				     MSG_NOSIGNAL);
			else
				polled[i].fd = -1;
		}
		if (polled[0].revents && count <= CONNECTIONS)
			polled[count++] = (struct pollfd){
				accept(polled[0].fd, NULL, NULL), POLLIN, 0
			};
	}
	return 1;
}
