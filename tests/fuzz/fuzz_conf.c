/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_conf.c - configuration files */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "predictor/base/conf.h"

struct settings {
	int port;
	double seconds;
	bool on;
	char path[32];
	int listens;
};

static int add_listen(void *into, const struct conf_key *key, const char *value,
		      struct sp_error *err)
{
	struct settings *s = into;

	(void)key;
	(void)err;
	s->listens += value[0] != '\0';
	return 0;
}

static const struct conf_key keys[] = {
	{ "Port", conf_set_int, CONF_MEMBER(struct settings, port), .min = 1,
	  .max = 65535 },
	{ "Seconds", conf_set_double, CONF_MEMBER(struct settings, seconds),
	  .min = 0.1, .max = 60 },
	{ "On", conf_set_bool, CONF_MEMBER(struct settings, on) },
	{ "Path", conf_set_text, CONF_MEMBER(struct settings, path) },
	{ "Listen", add_listen, .repeatable = true },
	{ .name = NULL },
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct settings s = { .port = 1, .seconds = 1 };
	struct sp_error err = { "" };

	if (conf_read_text("x", (const char *)data, size, keys, &s, &err) < 0) {
		assert(!strncmp(err.text, "x:", 2));
		return 0;
	}
	assert(s.port >= 1 && s.port <= 65535);
	assert(s.seconds >= 0.1 && s.seconds <= 60);
	assert(strlen(s.path) < sizeof(s.path));
	return 0;
}
