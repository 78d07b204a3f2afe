/* fuzz_conf.c - configuration files */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "predictor/base/conf.h"

struct settings {
	long port;
	double seconds;
	bool on;
	char path[32];
	int listens;
};

static int set_port(void *into, const char *value, struct sp_error *err)
{
	struct settings *s = into;

	return conf_integer(value, 1, 65535, &s->port, err);
}

static int set_seconds(void *into, const char *value, struct sp_error *err)
{
	struct settings *s = into;

	return conf_number(value, 0.1, 60, &s->seconds, err);
}

static int set_on(void *into, const char *value, struct sp_error *err)
{
	struct settings *s = into;

	return conf_bool(value, &s->on, err);
}

static int set_path(void *into, const char *value, struct sp_error *err)
{
	struct settings *s = into;

	return conf_text(value, s->path, sizeof(s->path), err);
}

static int add_listen(void *into, const char *value, struct sp_error *err)
{
	struct settings *s = into;

	(void)err;
	s->listens += value[0] != '\0';
	return 0;
}

static const struct conf_key keys[] = {
	{ .name = "Port", .set = set_port },
	{ .name = "Seconds", .set = set_seconds },
	{ .name = "On", .set = set_on },
	{ .name = "Path", .set = set_path },
	{ .name = "Listen", .set = add_listen, .repeatable = true },
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
