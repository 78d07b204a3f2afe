/* SPDX-License-Identifier: GPL-2.0-or-later */
/* daemon_config.c - configuration keys that all daemons have */
#include <assert.h>
#include <strings.h>

#include "predictor/base/daemon_config.h"

void daemon_config_init(struct daemon_config *config)
{
	config->level = LOG_LEVEL_INFO;
}

int daemon_set_level(void *into, const struct conf_key *key, const char *value,
		     struct sp_error *err)
{
	static const struct {
		const char *name;
		enum log_level level;
	} levels[] = {
		{ "error", LOG_LEVEL_ERROR },  { "info", LOG_LEVEL_INFO },
		{ "verbose", LOG_LEVEL_INFO }, { "debug", LOG_LEVEL_DEBUG },
		{ NULL, LOG_LEVEL_INFO },
	};
	enum log_level *level = (void *)((char *)into + key->offset);

	assert(key->size == sizeof(*level));
	for (int i = 0; levels[i].name; i++)
		if (!strcasecmp(levels[i].name, value)) {
			*level = levels[i].level;
			return 0;
		}
	return sp_error_set(err, "%.32s: not error, info, verbose or debug",
			    value);
}
