/* SPDX-License-Identifier: GPL-2.0-or-later */
/* transfer.c - the rate of a TCP stream, from a short transfer
 *
 * Chunks are sent until the rate of the tail is steady or a limit is reached.
 * TCP_INFO gives what was delivered, sampled while sending and until the queue
 * has drained; TCP_NOTSENT_LOWAT keeps little in the kernel, so that the
 * transfer can end.  The receiver reads up to the last chunk.
 */
#include <errno.h>
#include <linux/tcp.h> /* glibc's has no tcpi_delivered */
#include <math.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "collectors/probes/transfer.h"
#include "predictor/base/clock.h"

#define CHUNK       16384
#define CHUNK_MORE  'm' /* the first byte of a chunk */
#define CHUNK_LAST  'l'
#define UNSENT_MIN  (2 * CHUNK) /* in the kernel: it can't be taken back */
#define UNSENT_MAX  (1 << 20)
#define UNSENT_S    0.005 /* of sending: enough to bridge a wait for a CPU */
#define SAMPLE_S    0.0002
#define SAMPLE_WAIT 0.004  /* s between samples of a busy link */
#define TAIL        0.5    /* of the time counts */
#define HEAD_BYTES  49152  /* the first ones are never in the tail */
#define TAIL_MIN    24576  /* bytes, at least */
#define STEADY      0.03   /* halves of the tail differ by less */
#define STEADY_S    0.03   /* and it is this long */
#define BURST_S     0.0004 /* no tail is shorter */
#define DRAINED     3      /* segments: their acknowledgement may be late */

/* --- Samples -------------------------------------------------------------- */

void samples_add(struct samples *s, double time_s, double bytes)
{
	if (s->count == SAMPLES_MAX) {
		for (size_t i = 0; 2 * i < s->count; i++)
			s->of[i] = s->of[2 * i];
		s->count /= 2;
	}
	s->of[s->count++] = (struct sample){ time_s, bytes };
}

/* Return the first sample at `time_s` or later. */
static size_t sample_at(const struct samples *s, double time_s)
{
	size_t i = 0;

	while (i + 1 < s->count && s->of[i].time_s < time_s)
		i++;
	return i;
}

static double slope_bps(const struct sample *a, const struct sample *b)
{
	return 8 * (b->bytes - a->bytes) / (b->time_s - a->time_s);
}

double samples_rate(const struct samples *s, bool *ret_steady)
{
	const struct sample *first = s->of;
	const struct sample *last = s->of + (s->count ? s->count - 1 : 0);
	size_t from, middle;

	*ret_steady = false;
	if (s->count < 4)
		return NAN;
	from = sample_at(s,
			 first->time_s + TAIL * (last->time_s - first->time_s));
	while (from + 1 < s->count &&
	       s->of[from].bytes - first->bytes < HEAD_BYTES)
		from++;

	const struct sample *tail = s->of + from;

	if (last->bytes - tail->bytes < TAIL_MIN ||
	    last->time_s - tail->time_s < BURST_S)
		return NAN;
	middle = sample_at(s, (tail->time_s + last->time_s) / 2);
	if (middle > from && middle + 1 < s->count) {
		double a = slope_bps(tail, s->of + middle);
		double b = slope_bps(s->of + middle, last);

		*ret_steady = fabs(a - b) < STEADY * (a + b) / 2 &&
			      last->time_s - tail->time_s >= STEADY_S;
	}
	return slope_bps(tail, last);
}

/* --- Sending -------------------------------------------------------------- */

struct sending {
	int fd;
	double began_s;
	uint64_t written;
	struct samples samples;
	double sampled_s;
	double delivered; /* bytes, of the newest sample */
	uint32_t in_flight;
	uint32_t delivered_before; /* segments, by whatever was sent before */
	int unsent;                /* bytes, that the kernel may hold */
	bool enough;
};

static int info_read(struct sending *s, struct tcp_info *ret,
		     struct sp_error *err)
{
	socklen_t size = sizeof(*ret);

	memset(ret, 0, sizeof(*ret));
	if (getsockopt(s->fd, IPPROTO_TCP, TCP_INFO, ret, &size))
		return sp_error_set(err, "TCP_INFO: %s", strerror(errno));
	return 0;
}

static int set_unsent(struct sending *s, double bytes, struct sp_error *err)
{
	int unsent = (int)fmin(fmax(bytes, UNSENT_MIN), UNSENT_MAX);

	if (unsent < 2 * s->unsent)
		return 0;
	s->unsent = unsent;
	if (setsockopt(s->fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent,
		       sizeof(unsent)))
		return sp_error_set(err, "TCP_NOTSENT_LOWAT: %s",
				    strerror(errno));
	return 0;
}

/* Only changes are kept: a rate is from one arrival to another. */
static int add_sample(struct sending *s, double now_s, double bytes,
		      struct sp_error *err)
{
	bool steady;

	if (bytes <= s->delivered && s->samples.count)
		return 0;
	s->delivered = bytes;
	samples_add(&s->samples, now_s, bytes);

	double rate_bps = samples_rate(&s->samples, &steady);

	if (!isfinite(rate_bps))
		return 0;
	s->enough = steady;
	return set_unsent(s, UNSENT_S * rate_bps / 8, err);
}

static int sample_take(struct sending *s, struct sp_error *err)
{
	double now_s = clock_monotonic_s();
	struct tcp_info info;

	if (now_s - s->sampled_s < SAMPLE_S)
		return 0;
	if (info_read(s, &info, err))
		return -1;
	s->sampled_s = now_s;
	s->in_flight = info.tcpi_unacked;
	return add_sample(s, now_s,
			  (double)(info.tcpi_delivered - s->delivered_before) *
				  info.tcpi_snd_mss,
			  err);
}

/* Until there is room, or a sample is due. */
static int wait_for_room(struct sending *s, double deadline_s,
			 struct sp_error *err)
{
	double now_s = clock_monotonic_s();
	struct timespec timeout = { .tv_nsec = (long)(SAMPLE_WAIT * 1e9) };
	struct pollfd p = { .fd = s->fd, .events = POLLOUT };

	if (now_s >= deadline_s)
		return sp_error_set(err, "timed out");
	if (ppoll(&p, 1, &timeout, NULL) < 0 && errno != EINTR)
		return sp_error_set(err, "poll: %s", strerror(errno));
	return sample_take(s, err);
}

static bool is_enough(const struct sending *s,
		      const struct transfer_limits *limits)
{
	return s->written + CHUNK >= TRANSFER_BYTES_MIN &&
	       (s->enough || s->written + CHUNK >= limits->bytes ||
		clock_monotonic_s() - s->began_s >= limits->time_s);
}

static int send_chunk(struct sending *s, char *chunk, double deadline_s,
		      struct sp_error *err)
{
	size_t at = 0;

	while (at < CHUNK) {
		ssize_t sent = send(s->fd, chunk + at, CHUNK - at,
				    MSG_NOSIGNAL | MSG_DONTWAIT);

		if (sent > 0)
			at += (size_t)sent;
		else if (errno != EAGAIN && errno != EINTR)
			return sp_error_set(err, "%s", strerror(errno));
		else if (wait_for_room(s, deadline_s, err))
			return -1;
	}
	s->written += CHUNK;
	return 0;
}

static int send_all(struct sending *s, const struct transfer_limits *limits,
		    double deadline_s, struct sp_error *err)
{
	static char chunk[CHUNK] = { CHUNK_MORE };
	static char last[CHUNK] = { CHUNK_LAST };

	while (!is_enough(s, limits)) {
		if (send_chunk(s, chunk, deadline_s, err) ||
		    sample_take(s, err))
			return -1;
	}
	if (send_chunk(s, last, deadline_s, err))
		return -1;
	/* What is under way keeps the link as busy as before. */
	do {
		struct timespec pause = { .tv_nsec = (long)(SAMPLE_S * 1e9) };

		ppoll(NULL, 0, &pause, NULL);
		if (clock_monotonic_s() > deadline_s)
			return sp_error_set(err, "timed out");
		if (sample_take(s, err))
			return -1;
	} while (s->in_flight > DRAINED);
	return 0;
}

int transfer_send(int fd, const struct transfer_limits *limits,
		  double deadline_s, struct transfer *ret, struct sp_error *err)
{
	struct sending s = { .fd = fd, .began_s = clock_monotonic_s() };
	struct tcp_info info;
	bool steady;

	if (set_unsent(&s, 0, err) || info_read(&s, &info, err))
		return -1;
	s.delivered_before = info.tcpi_delivered;
	if (send_all(&s, limits, deadline_s, err))
		return -1;
	*ret = (struct transfer){
		.bytes = s.written,
		.time_s = clock_monotonic_s() - s.began_s,
		.rate_bps = samples_rate(&s.samples, &steady),
	};
	return 0;
}

int transfer_receive(struct line_reader *reader, uint64_t *ret_bytes,
		     struct sp_error *err)
{
	uint64_t total = 0;
	char chunk[CHUNK];
	bool last = false;

	while (!last) {
		size_t at = 0;

		while (at < CHUNK) {
			ssize_t got =
				line_take(reader, chunk + at, CHUNK - at, err);

			if (got < 0)
				return -1;
			at += (size_t)got;
		}
		total += CHUNK;
		last = chunk[0] == CHUNK_LAST;
		if (total > TRANSFER_BYTES_MAX)
			return sp_error_set(err, "too many bytes");
	}
	*ret_bytes = total;
	return 0;
}
