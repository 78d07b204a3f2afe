/* fresh.c - models of jobs that are too new for a snapshot */
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <string.h>

#include "plugin/select/fresh.h"
#include "predictor/base/clock.h"
#include "predictor/snapshot/snapshot.h"

/* Whether this library is the plugin: its path goes to `context`. */
static int note(struct dl_phdr_info *info, size_t size, void *context)
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

/* Of the plugin that Slurm has loaded, found in memory: nothing is read.  The
 * reference is kept: Slurm may be done with the plugin before us. */
static recent_models_fn *find(void)
{
	char path[PATH_MAX];
	void *plugin = dl_iterate_phdr(note, path)
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

	if (!fresh->told) {
		double now_s = clock_monotonic_s();

		if (now_s < fresh->next_look_s)
			return -1;
		fresh->next_look_s = now_s + FRESH_LOOK_S;
		fresh->told = find();
	}
	if (!fresh->told || fresh->told(id, text))
		return -1;
	return snapshot_model_parse(text, ret, &err);
}
