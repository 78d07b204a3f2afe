/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stretches.c - which parts of a long run are in its trace */
#include "collectors/profilers/mpi/trace/stretches.h"
#include "predictor/trace/trace_format.h"
#include "predictor/trace/trace_stretches.h"

static int find_level(const struct trace_file *file)
{
	size_t room = file->max - file->written;
	int level = 0;

	while (level < TRACE_LEVELS - 1 && room <= file->max >> (level + 1))
		level++;
	return level;
}

void stretches_count(struct stretches *s, const struct trace_event *event)
{
	s->balance += trace_balance(event);
	if (!s->skipped)
		return;
	s->work_s += event->work_s;
	s->procedure_s += event->procedure_s;
}

static struct trace_event take_gap(struct stretches *s)
{
	struct trace_event gap = {
		.call = CALL_GAP,
		.work_s = s->work_s,
		.procedure_s = s->procedure_s,
		.bytes = s->number,
		.peer = (int32_t)s->balance,
		.level = (uint8_t)s->level,
	};

	s->work_s = s->procedure_s = 0;
	return gap;
}

bool stretches_next(struct stretches *s, const struct trace_file *file,
		    struct trace_event *ret_gap)
{
	int level = find_level(file);
	bool marked = s->skipped || level != s->level;

	s->number++;
	s->level = level;
	s->skipped = !trace_stretch_is_recorded(s->number, level);
	if (s->skipped || !marked)
		return false;
	*ret_gap = take_gap(s);
	return true;
}

bool stretches_end(struct stretches *s, struct trace_event *ret_gap)
{
	if (!s->skipped)
		return false;
	s->level = TRACE_NO_LEVEL;
	*ret_gap = take_gap(s);
	return true;
}
