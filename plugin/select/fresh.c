/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fresh.c - models of jobs that are too new for a snapshot */
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <string.h>

#include "plugin/select/fresh.h"
#include "predictor/base/clock.h"
#include "predictor/snapshot/snapshot.h"

/* If this library is the plugin, copy its path to `context` and stop. */
static int plugin_path_copy(struct dl_phdr_info *info, size_t size,
			    void *context)
{
	const char *name = strrchr(info->dlpi_name, '/');
	char *path = context;

	(void)size;
	if (!name || strcmp(name + 1, RECENT_MODELS_PLUGIN) != 0 ||
	    strlen(info->dlpi_name) >= PATH_MAX)
		return 0;
	strcpy(path, info->dlpi_name);
	return 1;
}

/* Return the function of the plugin that Slurm has loaded; no file is read.
 * The reference to the plugin is kept: Slurm may unload it before us. */
static recent_models_fn *lookup_find(void)
{
	char path[PATH_MAX];
	void *plugin = dl_iterate_phdr(plugin_path_copy, path)
			       ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD)
			       : NULL;

	return plugin ? (recent_models_fn *)dlsym(plugin,
						  RECENT_MODELS_FUNCTION)
		      : NULL;
}

int fresh_model(struct fresh *fresh, const char *id,
		struct placement_model *ret)
{
	char text[RECENT_MODEL_SIZE];
	struct sp_error err;

	if (!fresh->lookup) {
		double now_s = clock_monotonic_s();

		if (now_s < fresh->next_search_s)
			return -1;
		fresh->next_search_s = now_s + FRESH_SEARCH_S;
		fresh->lookup = lookup_find();
	}
	if (!fresh->lookup || fresh->lookup(id, text))
		return -1;
	return snapshot_model_parse(text, ret, &err);
}
