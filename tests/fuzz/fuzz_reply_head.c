/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_reply_head.c - what stands in for predictd's HTTP server replies
 *
 * Nothing behind the text is read, and the text stays what it was.
 */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/client/reply_head.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct reply_head head = { .size = 0 };
	char *text = malloc(size + 1); /* so that each byte beyond is seen */

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	if (reply_head_read(text, &head) > 0) {
		assert(head.size > 0 && head.size <= size);
		assert(head.status >= 100 && head.status <= 999);
	}
	assert(!memcmp(text, data, size));
	free(text);
	return 0;
}
