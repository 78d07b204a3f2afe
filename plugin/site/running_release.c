/* SPDX-License-Identifier: GPL-2.0-or-later */
/* running_release.c - the release of Slurm that loads a plugin of ours
 *
 * Slurm has no function that gives its micro release, but a plugin that it has
 * accepted has exactly its version.  SPANK plugins are left out, as Slurm does
 * not compare their micro release.
 *
 * What holds between micro releases was found by tests/upgrade/layouts, which
 * compares the offsets of all fields that we use, on the headers of the 71
 * micro releases from 22.05.0 to 26.05.3.  In job_desc_msg_t and slurm_conf_t
 * nothing moved within a release.  In slurmctld's own structures (job, node,
 * partition) something did three times, see `moved`.  A fourth is known from
 * Debian's binaries: job_record.details is at 0x108 in 26.05.5, and at 0x100 by
 * the headers of 26.05.4.
 */
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "plugin/site/running_release.h"

/* The first micro releases in which a field has moved. */
static const uint32_t moved[] = {
	SLURM_VERSION_NUM(23, 2, 3),
	SLURM_VERSION_NUM(24, 11, 1),
	SLURM_VERSION_NUM(24, 11, 4),
	SLURM_VERSION_NUM(26, 5, 5),
	0,
};

/* The newest micro release of each release that has been compared. */
static const uint32_t compared[] = {
	SLURM_VERSION_NUM(22, 5, 11),
	SLURM_VERSION_NUM(23, 2, 8),
	SLURM_VERSION_NUM(23, 11, 11),
	SLURM_VERSION_NUM(24, 5, 8),
	SLURM_VERSION_NUM(24, 11, 7),
	SLURM_VERSION_NUM(25, 5, 8),
	SLURM_VERSION_NUM(25, 11, 7),
	SLURM_VERSION_NUM(26, 5, 3),
	0,
};

/* Return the version of a loaded library if it is a plugin of Slurm;
 * else 0. */
static uint32_t plugin_release(const char *path)
{
	void *plugin = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
	uint32_t release = 0;

	if (!plugin)
		return 0;

	const char *type = dlsym(plugin, "plugin_type");
	const uint32_t *version = dlsym(plugin, "plugin_version");

	if (type && version && strcmp(type, "spank") != 0)
		release = *version;
	dlclose(plugin);
	return release;
}

uint32_t running_release(void)
{
	void *program = dlopen(NULL, RTLD_LAZY);
	struct link_map *map = NULL;
	uint32_t release = 0;
	Dl_info own;

	if (!program)
		return 0;
	if (!dladdr(&moved, &own) ||
	    dlinfo(program, RTLD_DI_LINKMAP, (void *)&map))
		map = NULL;
	for (; map && !release; map = map->l_next)
		if (map->l_name[0] && strcmp(map->l_name, own.dli_fname) != 0)
			release = plugin_release(map->l_name);
	dlclose(program);
	return release;
}

bool release_fits(uint32_t built_for, uint32_t running)
{
	return built_for >> 8 == running >> 8;
}

bool release_fits_inside(uint32_t built_for, uint32_t running)
{
	uint32_t older = built_for < running ? built_for : running;
	uint32_t newer = built_for < running ? running : built_for;

	if (older == newer)
		return true;
	for (size_t i = 0; moved[i]; i++)
		if (older < moved[i] && newer >= moved[i])
			return false;
	for (size_t i = 0; compared[i]; i++)
		if (compared[i] >> 8 == older >> 8 && newer <= compared[i])
			return true;
	return false;
}

void release_format(uint32_t release, char ret[RELEASE_TEXT_SIZE])
{
	snprintf(ret, RELEASE_TEXT_SIZE, "%u.%02u.%u", release >> 16 & 0xff,
		 release >> 8 & 0xff, release & 0xff);
}
