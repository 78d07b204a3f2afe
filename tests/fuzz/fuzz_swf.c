/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_swf.c - any bytes as a log in the Standard Workload Format */
#include "tests/fuzz/joblog.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	joblog_fuzz(&joblog_swf, data, size);
	return 0;
}
