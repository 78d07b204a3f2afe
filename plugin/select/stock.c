/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stock.c - Slurm's own plugin behind ours */
#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "plugin/select/stock.h"

/* Return whether it is Slurm's own; *err says why not. */
static bool is_stock(void *plugin, const char *path, const char *type,
		     uint32_t version, struct sp_error *err)
{
	const char *its_type = dlsym(plugin, "plugin_type");
	const uint32_t *its_version = dlsym(plugin, "plugin_version");

	if (dlsym(plugin, STOCK_SHADOW_MARK))
		sp_error_set(err, "%s is not Slurm's own", path);
	else if (!its_type || strcmp(its_type, type) != 0)
		sp_error_set(err, "%s is not a plugin %s", path, type);
	else if (!its_version || *its_version != version)
		sp_error_set(err, "%s is of another release of Slurm than ours",
			     path);
	else
		return true;
	return false;
}

int stock_load(const char *plugin_dirs, const char *file_name, const char *type,
	       uint32_t version, void **ret, struct sp_error *err)
{
	const char *at = plugin_dirs ? plugin_dirs : "";

	sp_error_set(err, "PluginDir has no other %s", file_name);
	while (*at) {
		size_t length = strcspn(at, ":");
		char path[PATH_MAX];
		int size = snprintf(path, sizeof(path), "%.*s/%s", (int)length,
				    at, file_name);

		at += length + (at[length] == ':');
		if (size < 0 || (size_t)size >= sizeof(path) ||
		    access(path, R_OK) != 0)
			continue;

		/* As Slurm loads them: much in a plugin is there only in some
		 * of Slurm's programs. */
		void *plugin = dlopen(path, RTLD_LAZY | RTLD_LOCAL);

		if (!plugin) {
			const char *why = dlerror();

			sp_error_set(err, "%s", why ? why : path);
			continue;
		}
		if (is_stock(plugin, path, type, version, err)) {
			*ret = plugin;
			return 0;
		}
		dlclose(plugin);
	}
	return -1;
}
