/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mixture_shipped.c - start.tables, as part of the program
 *
 * The assembler takes the file in, so that no file can be missing at run time.
 */

#include "predictor/models/mixture/mixture_start.h"

__asm__(".pushsection .rodata\n"
	"mixture_shipped_text:\n"
	".incbin \"predictor/models/mixture/start.tables\"\n"
	"mixture_shipped_end:\n"
	".balign 4\n"
	"mixture_shipped_size:\n"
	".long mixture_shipped_end - mixture_shipped_text\n"
	".popsection\n");

extern const char mixture_shipped_text[] __attribute__((visibility("hidden")));
extern const uint32_t mixture_shipped_size
	__attribute__((visibility("hidden")));

int mixture_start_shipped(struct mixture_start *ret, struct sp_error *err)
{
	return mixture_start_parse(mixture_shipped_text, mixture_shipped_size,
				   ret, err);
}
