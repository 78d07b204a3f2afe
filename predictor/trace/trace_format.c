/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_format.c - the trace of a rank as bytes
 *
 * Format: FORMAT.md.  Decoding goes twice over the bytes: to check and count
 * the events, then to keep them, so that memory follows what is really there.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/trace/trace_format.h"

#define MAGIC_BYTES   8
#define HAS_PROCEDURE 8
#define HAS_ADDRESS   16
#define HAS_WILDCARD  32
#define HAS_TO_EACH   32 /* of CALL_ALL and CALL_IALL */
#define HAS_ONLINE    32 /* of CALL_END */
#define HAS_ASKED     64
#define HAS_TIME      64  /* of CALL_END */
#define ENDS_STRETCH  64  /* of CALL_ALL */
#define IS_WAIT       64  /* of CALL_IALL: it is CALL_WAIT */
#define IS_COMBINED   128 /* of CALL_ALL and CALL_IALL */
#define IS_PROGRAM    64  /* of no call */
#define TAG_OFFSET    INT64_C(0x80000000)
#define PEER_OFFSET   INT64_C(0x80000000) /* of CALL_GAP */
#define WORK_NS_MAX   (UINT64_C(1) << 53)
#define STRETCHES_MAX (UINT64_C(1) << 53)

static const uint8_t magic[MAGIC_BYTES] = { 'S', 'P', 'T', 'R',
					    'A', 'C', 'E', '1' };

static bool has_peer(enum trace_call call)
{
	return call <= CALL_RECEIVE || call == CALL_IALL || call == CALL_WAIT;
}

static bool has_bytes(enum trace_call call)
{
	return call != CALL_END && call != CALL_WAIT;
}

static bool has_address(enum trace_call call)
{
	return call <= CALL_ALL || call == CALL_IALL;
}

/* --- Encoding ------------------------------------------------------------- */

static uint8_t *put_number(uint8_t *out, uint64_t number)
{
	for (; number >= 128; number >>= 7)
		*out++ = (uint8_t)(number | 128);
	*out++ = (uint8_t)number;
	return out;
}

size_t trace_encode_header(int rank, int ranks, uint8_t out[TRACE_HEADER_BYTES])
{
	memcpy(out, magic, MAGIC_BYTES);
	return put_number(put_number(out + MAGIC_BYTES, rank), ranks) - out;
}

size_t trace_encode_event(struct trace_address *last,
			  const struct trace_event *e,
			  uint8_t out[TRACE_EVENT_BYTES])
{
	uint64_t work_ns = llround(e->work_s * 1e9);
	uint64_t procedure_ns =
		e->unmeasured ? 0 : llround(e->procedure_s * 1e9);
	bool wait = e->call == CALL_WAIT;
	bool address = has_address(e->call) &&
		       (e->tag != last->tag || e->comm != last->comm);
	uint8_t *to = out;

	*to++ = (uint8_t)((wait ? CALL_IALL : e->call) + 1) |
		(procedure_ns || e->unmeasured ? HAS_PROCEDURE : 0) |
		(address ? HAS_ADDRESS : 0) | (e->wildcard ? HAS_WILDCARD : 0) |
		(e->asked ? HAS_ASKED : 0) | (e->to_each ? HAS_TO_EACH : 0) |
		(e->ends_stretch ? ENDS_STRETCH : 0) | (wait ? IS_WAIT : 0) |
		(e->combined ? IS_COMBINED : 0);
	to = put_number(to, work_ns);
	if (procedure_ns || e->unmeasured)
		to = put_number(to, procedure_ns);
	if (has_peer(e->call))
		to = put_number(to, e->peer);
	if (has_bytes(e->call))
		to = put_number(to, e->bytes);
	if (e->call == CALL_GAP) {
		to = put_number(to, e->level);
		to = put_number(to, e->peer + PEER_OFFSET);
	}
	if (address) {
		to = put_number(to, e->tag + TAG_OFFSET);
		to = put_number(to, (uint32_t)e->comm);
		*last = (struct trace_address){ e->tag, e->comm };
	}
	return to - out;
}

static bool is_plain(char c)
{
	return c > ' ' && c < 127;
}

static uint8_t *put_text(uint8_t *out, const char *text, size_t most,
			 bool spaces)
{
	size_t length = strnlen(text, most);

	out = put_number(out, length);
	for (size_t c = 0; c < length; c++)
		*out++ = is_plain(text[c]) || (spaces && text[c] == ' ')
				 ? (uint8_t)text[c]
				 : '?';
	return out;
}

static uint8_t *put_name(uint8_t *out, const char *name, size_t most)
{
	return put_text(out, name, most, false);
}

size_t trace_encode_program(const char *name, double begun_at,
			    uint8_t out[TRACE_PROGRAM_BYTES])
{
	uint8_t *to = out;

	*to++ = IS_PROGRAM;
	to = put_number(to, llround(begun_at * 1e6));
	return put_name(to, name, TRACE_PROGRAM_SIZE - 1) - out;
}

size_t trace_encode_procedures(const struct procedure_work of[], int count,
			       uint8_t out[TRACE_PROCEDURES_BYTES])
{
	uint8_t *to = put_number(out, (uint64_t)count);

	for (int i = 0; i < count; i++) {
		to = put_number(to, llround(of[i].work_s * 1e9));
		to = put_name(to, of[i].name, PROCEDURE_NAME_SIZE - 1);
	}
	return to - out;
}

size_t trace_encode_measure(const struct procedure_measure *measure,
			    uint8_t out[TRACE_MEASURE_BYTES])
{
	uint8_t *to = put_number(out, measure->by);

	to = put_number(to, measure->calls);
	to = put_text(to, measure->why, PROCEDURE_WHY_SIZE - 1, true);
	/* Last, since it is not empty: zeros at the end of a file get lost. */
	return put_name(to, measure->name, PROCEDURE_MEASURED_NAME_SIZE - 1) -
	       out;
}

size_t trace_encode_end(const struct trace_event *e, double ran_s,
			const double online_s[2],
			uint8_t out[TRACE_EVENT_BYTES])
{
	struct trace_address last = { 0 };
	uint8_t *to = out + trace_encode_event(&last, e, out);

	out[0] |= HAS_TIME | (online_s ? HAS_ONLINE : 0);
	for (int i = 0; online_s && i < 2; i++)
		to = put_number(to, llround(online_s[i] * 1e9));
	return put_number(to, llround(ran_s * 1e9)) - out;
}

/* --- Decoding ------------------------------------------------------------- */

struct reader {
	const uint8_t *at, *end;
	bool cut;   /* the bytes ended */
	bool wrong; /* a number out of range */
};

static uint64_t get_number(struct reader *r, uint64_t max)
{
	uint64_t number = 0;

	for (int shift = 0; shift < 70; shift += 7) {
		if (r->at == r->end) {
			r->cut = true;
			return 0;
		}

		uint8_t byte = *r->at++;

		if (shift == 63 && byte > 1)
			break;
		number |= (uint64_t)(byte & 127) << shift;
		if (byte < 128) {
			r->wrong |= number > max;
			return r->wrong ? 0 : number;
		}
	}
	r->wrong = true;
	return 0;
}

/* What the first byte of an event may have beside its call. */
static uint8_t flags_of(enum trace_call call)
{
	switch (call) {
	case CALL_SEND:
	case CALL_ISEND:
		return HAS_PROCEDURE | HAS_ADDRESS;
	case CALL_RECEIVE:
		return HAS_PROCEDURE | HAS_ADDRESS | HAS_WILDCARD | HAS_ASKED;
	case CALL_ALL:
		return HAS_PROCEDURE | HAS_ADDRESS | HAS_TO_EACH | IS_COMBINED |
		       ENDS_STRETCH;
	case CALL_END:
		return HAS_PROCEDURE | HAS_ONLINE | HAS_TIME;
	case CALL_GAP:
		return HAS_PROCEDURE;
	case CALL_IALL:
		return HAS_PROCEDURE | HAS_ADDRESS | HAS_TO_EACH | IS_COMBINED;
	case CALL_WAIT:
		return HAS_PROCEDURE | IS_WAIT;
	}
	return 0;
}

/* What follows the work of an event. */
static void get_numbers(struct reader *r, uint8_t head, struct trace_event *e,
			struct rank_trace *trace)
{
	if (has_peer(e->call))
		e->peer = (int32_t)get_number(
			r, e->call <= CALL_RECEIVE ? trace->ranks - 1
						   : TRACE_REQUESTS_MAX - 1);
	if (has_bytes(e->call))
		e->bytes = get_number(r, e->call == CALL_GAP ? STRETCHES_MAX
							     : UINT64_MAX);
	if (e->call == CALL_GAP) {
		e->level = (uint8_t)get_number(r, TRACE_NO_LEVEL);
		e->peer = (int32_t)((int64_t)get_number(r, UINT32_MAX) -
				    PEER_OFFSET);
	}
	if (e->call == CALL_END && head & HAS_ONLINE)
		for (int i = 0; i < 2; i++)
			trace->online_s[i] =
				(double)get_number(r, WORK_NS_MAX) * 1e-9;
	if (e->call == CALL_END && head & HAS_TIME)
		trace->ran_s = (double)get_number(r, WORK_NS_MAX) * 1e-9;
}

/* False: no more events, cut or wrong.  An end says something of the trace. */
static bool get_event(struct reader *r, struct trace_address *last,
		      struct trace_event *ret, struct rank_trace *trace)
{
	if (r->at == r->end || !*r->at)
		return false;

	uint8_t head = *r->at++;
	int call = (head & 7) - 1;

	if (call == CALL_IALL && head & IS_WAIT)
		call = CALL_WAIT;
	if (call < 0 || head & ~(7 | flags_of(call))) {
		r->wrong = true;
		return false;
	}

	uint64_t work_ns = get_number(r, WORK_NS_MAX);

	*ret = (struct trace_event){ .call = call };
	if (call == CALL_ALL || call == CALL_IALL) {
		ret->to_each = head & HAS_TO_EACH;
		ret->combined = head & IS_COMBINED;
		ret->ends_stretch = head & ENDS_STRETCH;
	} else if (call == CALL_RECEIVE) {
		ret->wildcard = head & HAS_WILDCARD;
		ret->asked = head & HAS_ASKED;
	}
	ret->work_s = (double)work_ns * 1e-9;
	if (head & HAS_PROCEDURE) {
		uint64_t procedure_ns = get_number(r, work_ns);

		ret->procedure_s = (double)procedure_ns * 1e-9;
		ret->unmeasured = !procedure_ns;
	}
	get_numbers(r, head, ret, trace);
	if (head & HAS_ADDRESS) {
		last->tag = (int32_t)((int64_t)get_number(r, UINT32_MAX) -
				      TAG_OFFSET);
		last->comm = (int32_t)get_number(r, INT32_MAX);
	}
	ret->tag = last->tag;
	ret->comm = last->comm;
	return !r->cut && !r->wrong;
}

/* Into text[size]; where it is cut nothing is set. */
static void get_text(struct reader *r, char *text, size_t size, bool spaces)
{
	size_t length = get_number(r, size - 1);

	r->cut |= (size_t)(r->end - r->at) < length;
	if (r->cut || r->wrong)
		return;
	memcpy(text, r->at, length);
	text[length] = '\0';
	r->at += length;
	for (size_t c = 0; c < length; c++)
		r->wrong |= !is_plain(text[c]) && !(spaces && text[c] == ' ');
}

static void get_name(struct reader *r, char *name, size_t size)
{
	get_text(r, name, size, false);
	r->wrong |= !r->cut && !*name;
}

/* If it is there. */
static void get_program(struct reader *r, struct rank_trace *ret)
{
	if (r->at == r->end || *r->at != IS_PROGRAM)
		return;
	r->at++;

	double begun_at = (double)get_number(r, WORK_NS_MAX) * 1e-6;

	get_name(r, ret->program, sizeof(ret->program));
	if (!r->cut)
		ret->begun_at = begun_at;
}

/* What is cut is not there. */
static void get_procedures(struct reader *r, struct rank_trace *ret)
{
	int count = (int)get_number(r, PROCEDURE_WORK_COUNT);

	for (int i = 0; i < count; i++) {
		struct procedure_work *p = &ret->procedures[i];
		double work_s = (double)get_number(r, WORK_NS_MAX) * 1e-9;

		get_name(r, p->name, sizeof(p->name));
		if (r->cut || r->wrong)
			return;
		p->work_s = work_s;
		ret->procedures_count = i + 1;
	}
}

/* There is none where no procedure was named; zeros mean the same. */
static void get_measure(struct reader *r, struct rank_trace *ret)
{
	struct procedure_measure m = { .name = "" };

	if (r->cut || r->wrong || r->at == r->end)
		return;
	m.by = (enum procedure_measured_by)get_number(r, MEASURED_ABSENT);
	m.calls = get_number(r, UINT64_MAX);
	get_text(r, m.why, sizeof(m.why), true);
	get_text(r, m.name, sizeof(m.name), false);
	if (!r->cut && !r->wrong)
		ret->measure = m;
}

/* To `keep`, or NULL: only count.  -1: too many, or wrong. */
static int read_events(struct reader *r, struct trace_event *keep,
		       struct rank_trace *ret)
{
	struct trace_address last = { 0 };
	struct trace_event e;
	int count = 0;

	ret->whole = false;
	while (!ret->whole && get_event(r, &last, &e, ret)) {
		if (count == TRACE_EVENTS_MAX)
			return -1;
		if (keep)
			keep[count] = e;
		count++;
		ret->whole = e.call == CALL_END;
	}
	return r->wrong ? -1 : count;
}

/* Read up to the first event. */
static int read_head(const uint8_t *data, size_t size, struct reader *r,
		     struct rank_trace *ret, struct sp_error *err)
{
	if (size < MAGIC_BYTES || memcmp(data, magic, MAGIC_BYTES))
		return sp_error_set(err, "this is no trace of a rank");
	*r = (struct reader){ .at = data + MAGIC_BYTES, .end = data + size };
	*ret = (struct rank_trace){
		.rank = (int)get_number(r, TRACE_RANKS_MAX - 1),
		.online_s = { NAN, NAN },
		.begun_at = NAN,
		.ran_s = NAN,
	};
	ret->ranks = (int)get_number(r, TRACE_RANKS_MAX);
	if (r->cut || r->wrong || ret->rank >= ret->ranks)
		return sp_error_set(err, "trace: bad rank or ranks");
	get_program(r, ret);
	return 0;
}

int trace_count(const uint8_t *data, size_t size)
{
	struct rank_trace trace;
	struct reader r;

	if (read_head(data, size, &r, &trace, NULL) || r.cut)
		return 0;

	int count = read_events(&r, NULL, &trace);

	return count < 0 ? 0 : count;
}

int trace_decode(const uint8_t *data, size_t size, struct rank_trace *ret,
		 struct sp_error *err)
{
	struct rank_trace trace;
	struct reader r;

	if (read_head(data, size, &r, &trace, err))
		return -1;

	struct reader again = r;
	int count = r.cut ? 0 : read_events(&r, NULL, &trace);

	if (count >= 0 && trace.whole && !r.cut) {
		get_procedures(&r, &trace);
		get_measure(&r, &trace);
	}
	if (count < 0 || r.wrong)
		return sp_error_set(err,
				    "trace of rank %d: a bad event, or "
				    "too many",
				    trace.rank);

	struct trace_event *events = calloc(count + 1, sizeof(*events));

	if (!events)
		return sp_error_set(err, "out of memory for %d events", count);
	if (count)
		read_events(&again, events, &trace);
	if (count && events[count - 1].unmeasured && !*trace.measure.why)
		snprintf(trace.measure.why, sizeof(trace.measure.why),
			 "the rank ended before it said why");
	if (!trace.whole) {
		events[count++].call = CALL_END;
		trace.online_s[0] = trace.online_s[1] = trace.ran_s = NAN;
	}
	trace.count = count;
	trace.events = events;
	*ret = trace;
	return 0;
}
