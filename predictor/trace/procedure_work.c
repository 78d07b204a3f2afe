/* SPDX-License-Identifier: GPL-2.0-or-later */
/* procedure_work.c - which procedures of a program do its work, by samples */
#include <stdlib.h>
#include <string.h>

#include "predictor/base/compare.h"
#include "predictor/trace/procedure_work.h"

COMPARE_BY_TEXT(by_name, struct procedure_work, name)

static int more_work(const void *a, const void *b)
{
	const struct procedure_work *x = a, *y = b;

	return COMPARE(y->work_s, x->work_s) ?: by_name(a, b);
}

int procedure_work_merge(struct procedure_work all[], int count)
{
	int kept = 0;

	qsort(all, (size_t)count, sizeof(*all), by_name);
	for (int i = 0; i < count; i++)
		if (kept && !strcmp(all[kept - 1].name, all[i].name))
			all[kept - 1].work_s += all[i].work_s;
		else
			all[kept++] = all[i];
	qsort(all, (size_t)kept, sizeof(*all), more_work);
	return kept;
}
