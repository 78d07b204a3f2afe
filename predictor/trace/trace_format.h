/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_format.h - the trace of a rank as bytes (FORMAT.md) */
#pragma once

#include <stddef.h>

#include "predictor/trace/matched_trace.h"
#include "predictor/trace/procedure_measure.h"
#include "predictor/trace/procedure_work.h"

#define TRACE_EVENT_BYTES  64 /* an event has at most */
#define TRACE_HEADER_BYTES 28
#define TRACE_PROCEDURES_BYTES \
	(1 + PROCEDURE_WORK_COUNT * (9 + 1 + PROCEDURE_NAME_SIZE))
#define TRACE_MEASURE_BYTES \
	(3 * 10 + PROCEDURE_MEASURED_NAME_SIZE + PROCEDURE_WHY_SIZE)
#define TRACE_PROGRAM_SIZE  64 /* of its name; longer ones are cut */
#define TRACE_PROGRAM_BYTES (1 + 9 + 1 + TRACE_PROGRAM_SIZE)
/* Bytes of all ranks together; predictd sends no more
 * (STORE_TRACE_BYTES_MAX). */
#define TRACE_RUN_BYTES (8 << 20)

/* CALL_GAP: bytes are the number of the stretch that begins, peer is what the
 * rank has under way (trace_balance()); level TRACE_NO_LEVEL: the run ends in
 * this stretch, which was not recorded. */
#define TRACE_LEVELS   9 /* 0 to 8 */
#define TRACE_NO_LEVEL TRACE_LEVELS

/* What an event may leave out; zeroed at the start of a file. */
struct trace_address {
	int32_t tag, comm;
};

/* A decoded file. */
struct rank_trace {
	int rank, ranks;
	int count;  /* at least 1; the last is CALL_END */
	bool whole; /* else the rank died; CALL_END is ours */
	char program[TRACE_PROGRAM_SIZE]; /* empty: not known */
	double begun_at; /* end of MPI_Init, UNIX time; NAN: not known */
	double ran_s;    /* from there to MPI_Finalize; NAN: not known */
	/* Critical path at the end, and with the procedure moved, as the rank
	 * itself found (procedure_path.h); seconds of CPU time as measured;
	 * NAN: not. */
	double online_s[2];
	struct trace_event *events; /* free() them */
	int procedures_count;
	struct procedure_work procedures[PROCEDURE_WORK_COUNT];
	/* The measure of the procedure that was named; empty, if the rank
	 * died, but for why: its last event says that the procedure's work was
	 * not known. */
	struct procedure_measure measure;
};

/* All return the bytes written. */
size_t trace_encode_header(int rank, int ranks,
			   uint8_t out[TRACE_HEADER_BYTES]);
/* Right after the header; begun_at is UNIX time. */
size_t trace_encode_program(const char *name, double begun_at,
			    uint8_t out[TRACE_PROGRAM_BYTES]);
size_t trace_encode_event(struct trace_address *last,
			  const struct trace_event *event,
			  uint8_t out[TRACE_EVENT_BYTES]);
/* After CALL_END; at most PROCEDURE_WORK_COUNT.  What is no ASCII in a name
 * becomes a question mark. */
size_t trace_encode_procedures(const struct procedure_work of[], int count,
			       uint8_t out[TRACE_PROCEDURES_BYTES]);
/* After these; the name is not empty, and in both texts what is no printable
 * ASCII becomes a question mark. */
size_t trace_encode_measure(const struct procedure_measure *measure,
			    uint8_t out[TRACE_MEASURE_BYTES]);
/* CALL_END with the time that the program ran, and paths (see online_s)
 * or NULL. */
size_t trace_encode_end(const struct trace_event *event, double ran_s,
			const double online_s[2],
			uint8_t out[TRACE_EVENT_BYTES]);

/* Return the number of events, without decoding them; 0: this is no trace. */
int trace_count(const uint8_t *data, size_t size);

/* Fails for bytes that are no trace, and without memory. */
int trace_decode(const uint8_t *data, size_t size, struct rank_trace *ret,
		 struct sp_error *err);
