/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_tail.c - what a trace has behind its events: which procedures do
 * the work */
#include "collectors/profilers/mpi/trace/procedure.h"
#include "collectors/profilers/mpi/trace/samples.h"
#include "collectors/profilers/mpi/trace/trace_tail.h"

size_t trace_tail_make(uint8_t out[TRACE_TAIL_BYTES])
{
	struct procedure_work of[PROCEDURE_WORK_COUNT];
	struct procedure_measure measure;
	int count = samples_end(of, PROCEDURE_WORK_COUNT);
	size_t size = trace_encode_procedures(of, count, out);

	procedure_end(&measure);
	if (*measure.name)
		size += trace_encode_measure(&measure, out + size);
	return size;
}
