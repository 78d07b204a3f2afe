/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plugin_trial.c - whether slurmctld could load a plugin, without slurmctld
 *
 * The child writes its sentence into a pipe and exits; if it crashes or hangs
 * instead, that is the result.  Slurm's symbols come from libslurmfull.so,
 * which stands beside Slurm's own plugins; where there is none (Slurm can be
 * built without), nothing is tried.
 */
#include <dlfcn.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "predictor/slurm/plugin_trial.h"

#define TRIAL_TIMEOUT_MS 10000
#define SLURM_LIBRARY    "libslurmfull.so"

/* Plugins that every Slurm has, in whose directory the library is. */
static const char *const stock_plugins[] = { "select_cons_tres.so",
					     "job_submit_all_partitions.so",
					     "auth_munge.so", NULL };

int plugin_find(const char *plugin_dirs, const char *file_name, char *ret,
		size_t size)
{
	while (*plugin_dirs) {
		size_t length = strcspn(plugin_dirs, ":");
		int written = snprintf(ret, size, "%.*s/%s", (int)length,
				       plugin_dirs, file_name);

		if (written > 0 && (size_t)written < size && !access(ret, F_OK))
			return 0;
		plugin_dirs += length + (plugin_dirs[length] == ':');
	}
	return -1;
}

/* Return the version of a plugin of Slurm's, which stays loaded; 0:
 * not known. */
static uint32_t stock_release(const char *library)
{
	char path[PATH_MAX];
	int folder = (int)(strrchr(library, '/') - library);

	for (size_t i = 0; stock_plugins[i]; i++) {
		snprintf(path, sizeof(path), "%.*s/%s", folder, library,
			 stock_plugins[i]);

		void *plugin = dlopen(path, RTLD_LAZY);
		const uint32_t *version =
			plugin ? dlsym(plugin, "plugin_version") : NULL;

		if (version)
			return *version;
	}
	return 0;
}

static void release_text(uint32_t release, char ret[16])
{
	snprintf(ret, 16, "%u.%02u.%u", release >> 16 & 0xff,
		 release >> 8 & 0xff, release & 0xff);
}

static enum plugin_trial plugin_load(const char *path, uint32_t release,
				     const char *const functions[],
				     struct sp_error *err)
{
	void *plugin = dlopen(path, RTLD_LAZY);
	const uint32_t *version, *built_for;
	const char *type;
	uint32_t mask = 0xffffff;
	char its[16], slurms[16];

	if (!plugin) {
		sp_error_set(err, "%s", dlerror());
		return PLUGIN_FAILS;
	}
	version = dlsym(plugin, "plugin_version");
	type = dlsym(plugin, "plugin_type");
	if (!version || !type || !dlsym(plugin, "plugin_name")) {
		sp_error_set(err, "%s: not a plugin of Slurm", path);
		/* cppcheck-suppress resourceLeak ; the child ends */
		return PLUGIN_FAILS;
	}
	for (size_t i = 0; functions[i]; i++)
		if (!dlsym(plugin, functions[i])) {
			sp_error_set(err, "%s: %s() is missing", path,
				     functions[i]);
			/* cppcheck-suppress resourceLeak ; the child ends */
			return PLUGIN_FAILS;
		}
	if (!strcmp(type, "spank"))
		mask = 0xffff00; /* any micro release */
	built_for = dlsym(plugin, PLUGIN_BUILT_FOR);
	if (!built_for)
		built_for = version;
	release_text(*built_for, its);
	release_text(release, slurms);
	sp_error_set(err, "%s: built for Slurm %s, this is %s", path, its,
		     slurms);
	if ((*version & mask) != (release & mask))
		/* cppcheck-suppress resourceLeak ; the child ends */
		return PLUGIN_FAILS;
	/* cppcheck-suppress resourceLeak ; the child ends */
	return *built_for >> 8 == release >> 8 ? PLUGIN_WORKS : PLUGIN_IDLE;
}

/* In the child. */
static enum plugin_trial trial_run(const char *path, const char *library,
				   const char *const functions[],
				   struct sp_error *err)
{
	uint32_t release;

	/* cppcheck-suppress leakReturnValNotUsed ; the child ends */
	if (!dlopen(library, RTLD_LAZY | RTLD_GLOBAL))
		return PLUGIN_NOT_TRIED;
	release = stock_release(library);
	if (!release)
		return PLUGIN_NOT_TRIED;
	return plugin_load(path, release, functions, err);
}

static void trial_child(int fd, const char *path, const char *library,
			const char *const functions[])
	__attribute__((noreturn));

static void trial_child(int fd, const char *path, const char *library,
			const char *const functions[])
{
	struct sp_error why = { "" };
	enum plugin_trial result = trial_run(path, library, functions, &why);

	if ((result == PLUGIN_FAILS || result == PLUGIN_IDLE) &&
	    write(fd, why.text, strlen(why.text)) < 0)
		_exit(127);
	_exit((int)result);
}

/* Wait until the child has ended or closed its pipe; kill it if it hangs. */
static int trial_wait(pid_t child, int fd, struct sp_error *err)
{
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	ssize_t size = 0;
	int status;

	if (poll(&ready, 1, TRIAL_TIMEOUT_MS) == 1)
		size = read(fd, err->text, sizeof(err->text) - 1);
	else
		kill(child, SIGKILL);
	err->text[size > 0 ? size : 0] = '\0';
	return waitpid(child, &status, 0) == child ? status : -1;
}

enum plugin_trial plugin_try(const char *path, const char *plugin_dirs,
			     const char *const functions[],
			     struct sp_error *err)
{
	char library[PATH_MAX];
	int fds[2], status;
	struct sp_error why;
	pid_t child;

	if (access(path, R_OK)) {
		sp_error_set(err, "%s: missing, or not readable", path);
		return PLUGIN_FAILS;
	}
	if (plugin_find(plugin_dirs, SLURM_LIBRARY, library, sizeof(library)) ||
	    pipe(fds))
		return PLUGIN_NOT_TRIED;
	child = fork();
	if (child == 0)
		trial_child(fds[1], path, library, functions);
	close(fds[1]);
	status = child > 0 ? trial_wait(child, fds[0], &why) : -1;
	close(fds[0]);
	if (status < 0)
		return PLUGIN_NOT_TRIED;
	if (!WIFEXITED(status)) {
		sp_error_set(err, "%s: crashes or hangs when it is loaded",
			     path);
		return PLUGIN_FAILS;
	}
	sp_error_set(err, "%s", why.text);
	return (enum plugin_trial)WEXITSTATUS(status);
}
