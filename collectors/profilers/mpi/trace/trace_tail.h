/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_tail.h - what a trace has behind its events: which procedures do
 * the work */
#pragma once

#include "predictor/trace/trace_format.h"

#define TRACE_TAIL_BYTES (TRACE_PROCEDURES_BYTES + TRACE_MEASURE_BYTES)

/* Samples and the measure of a procedure end.  Returns the bytes written. */
size_t trace_tail_make(uint8_t out[TRACE_TAIL_BYTES]);
