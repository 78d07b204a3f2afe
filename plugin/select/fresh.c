/* fresh.c - models of jobs that are too new for a snapshot */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "plugin/select/fresh.h"
#include "predictor/base/clock.h"
#include "predictor/placement/snapshot.h"

/* Of the plugin that Slurm has loaded; never loads one.  The reference is kept:
 * Slurm may be done with the plugin before us. */
static told_fn *find(const char *plugin_dirs)
{
	const char *at = plugin_dirs ? plugin_dirs : "";

	while (*at) {
		size_t length = strcspn(at, ":");
		char path[PATH_MAX];
		int size = snprintf(path, sizeof(path), "%.*s/%s", (int)length,
				    at, TOLD_PLUGIN);

		at += length + (at[length] == ':');
		if (size < 0 || (size_t)size >= sizeof(path))
			continue;

		void *plugin = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
		told_fn *told =
			plugin ? (told_fn *)dlsym(plugin, TOLD_FUNCTION) : NULL;

		if (told)
			return told;
		if (plugin)
			dlclose(plugin);
	}
	return NULL;
}

int fresh_model(struct fresh *fresh, const char *plugin_dirs, const char *id,
		struct placement_model *ret)
{
	char text[TOLD_SIZE];
	struct sp_error err;

	if (!fresh->told) {
		double now_s = clock_monotonic_s();

		if (now_s < fresh->next_look_s)
			return -1;
		fresh->next_look_s = now_s + FRESH_LOOK_S;
		fresh->told = find(plugin_dirs);
	}
	if (!fresh->told || fresh->told(id, text))
		return -1;
	return snapshot_model_parse(text, ret, &err);
}
