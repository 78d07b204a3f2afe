/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_openapi.c - the description of this API, as part of the program
 *
 * The assembler puts the file into predictd, so that no installed file has to
 * be found, and what is served is always of the same version.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/http/request.h"
#include "predictor/http/routes/handlers.h"

__asm__(".pushsection .rodata\n"
	"openapi_text:\n"
	".incbin \"predictor/http/routes/openapi.json\"\n"
	"openapi_end:\n"
	".balign 4\n"
	"openapi_size:\n"
	".long openapi_end - openapi_text\n"
	".popsection\n");

extern const char openapi_text[] __attribute__((visibility("hidden")));
extern const uint32_t openapi_size __attribute__((visibility("hidden")));

int openapi_show(struct request *r)
{
	r->text_size = openapi_size;
	r->text = malloc(r->text_size);
	if (!r->text)
		return request_out_of_memory(r);
	memcpy(r->text, openapi_text, r->text_size);
	r->text_type = REQUEST_JSON_TYPE;
	return 200;
}
