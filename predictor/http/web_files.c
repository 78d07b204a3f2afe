/* SPDX-License-Identifier: GPL-2.0-or-later */
/* web_files.c - files that are part of the program */
#include <string.h>

#include "predictor/http/request.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/http/web_files.h"

#define WEB_FILE(symbol, file)                               \
	__asm__(".pushsection .rodata\n" #symbol "_text:\n"  \
		".incbin \"predictor/" file "\"\n" #symbol   \
		"_end:\n.balign 4\n" #symbol "_size:\n"      \
		".long " #symbol "_end - " #symbol "_text\n" \
		".popsection\n");                            \
	extern const char symbol##_text[]                    \
		__attribute__((visibility("hidden")));       \
	extern const uint32_t symbol##_size                  \
		__attribute__((visibility("hidden")))

WEB_FILE(web_index, "web/index.html");
WEB_FILE(web_style, "web/style.css");
WEB_FILE(web_script, "web/predict.js");
WEB_FILE(openapi, "http/routes/openapi.json");
WEB_FILE(web_icon, "web/icon.svg");

static const struct web_file files[] = {
	{ "/", "text/html; charset=utf-8", web_index_text, &web_index_size },
	{ "/style.css", "text/css; charset=utf-8", web_style_text,
	  &web_style_size },
	{ "/predict.js", "text/javascript; charset=utf-8", web_script_text,
	  &web_script_size },
	{ "/openapi.json", REQUEST_JSON_TYPE, openapi_text, &openapi_size },
	{ "/icon.svg", "image/svg+xml", web_icon_text, &web_icon_size },
};

int web_file_show(struct request *r)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (strcmp(files[i].path, r->route->pattern) == 0)
			r->file = &files[i];
	return r->file ? 200 : request_fail(r, 404, "no such path");
}
