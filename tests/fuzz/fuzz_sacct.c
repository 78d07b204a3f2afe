/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_sacct.c - any bytes as what sacct prints */
#include "tests/fuzz/joblog.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	joblog_fuzz(&joblog_sacct, data, size);
	return 0;
}
