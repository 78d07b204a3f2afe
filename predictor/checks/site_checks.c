/* SPDX-License-Identifier: GPL-2.0-or-later */
/* site_checks.c - Slurm's configuration, our plugins, MUNGE and the clock
 *
 * Rows about plugins follow slurm.conf: what it does not load is unused.  A
 * plugin is loaded in a child as slurmctld would (plugin_trial.h).
 */
#include <glob.h>
#include <libgen.h>
#include <limits.h>
#include <math.h>
#include <munge.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/timex.h>
#include <unistd.h>

#include "predictor/base/duration.h"
#include "predictor/checks/checks.h"
#include "predictor/slurm/plugin_trial.h"
#include "predictor/slurm/slurm_command.h"
#include "predictor/slurm/slurm_config.h"

#define JOB_SUBMIT_FILE "job_submit_predict.so"
#define SELECT_DIR      SP_LIBDIR "/select"
#define SELECT_FILE     "select_cons_tres.so"
#define SPANK_FILE      "spank_predict.so"
#define LINE_SIZE       4096
#define SOCKET_DEFAULT  "/run/slurm-predict/predictd.sock"
#define COMMAND_S       10.0
#define INCLUDES_MAX    8 /* one within another */

static const char *conf_value(const struct check_site *site, const char *key)
{
	const char *value =
		site->slurm_conf ? slurm_conf_file_value(site->slurm_conf, key)
				 : NULL;

	return value ? value : "";
}

/* --- slurm.conf ----------------------------------------------------------- */

static void check_slurm_conf(const struct check_site *site,
			     struct check_finding *ret)
{
	if (!site->slurm_conf)
		check_set(ret, CHECK_ERROR,
			  "set SlurmConf in predict.conf, or SLURM_CONF, to "
			  "Slurm's slurm.conf",
			  "%s", site->slurm_conf_error.text);
	else
		check_set(ret, CHECK_OK, NULL, "%s: cluster %s",
			  site->slurm_conf_path,
			  conf_value(site, "ClusterName"));
}

static void check_slurm_user(const struct check_site *site,
			     struct check_finding *ret)
{
	const char *user = conf_value(site, "SlurmUser");

	if (!site->slurm_conf)
		check_set(ret, CHECK_UNUSED, NULL, "not known");
	else if (!check_user_exists(*user ? user : "root"))
		check_set(ret, CHECK_ERROR,
			  "create it with the same uid on all hosts",
			  "user %s does not exist here", user);
	else
		check_set(ret, CHECK_OK, NULL, "%s", *user ? user : "root");
}

/* Slurm refuses to start where one of them is missing. */
static void check_plugin_dir(const struct check_site *site,
			     struct check_finding *ret)
{
	const char *dirs = conf_value(site, "PluginDir");
	struct stat status;

	if (!*dirs) {
		check_set(ret, CHECK_UNUSED, NULL,
			  "PluginDir is not set: no plugin of ours is loaded");
		return;
	}
	for (const char *at = dirs; *at;) {
		char path[PATH_MAX];
		size_t length = strcspn(at, ":");

		snprintf(path, sizeof(path), "%.*s", (int)length, at);
		at += length + (at[length] == ':');
		if (!stat(path, &status) && S_ISDIR(status.st_mode))
			continue;
		check_set(ret, CHECK_ERROR,
			  "no command of Slurm works without it: make the "
			  "directory, or take it out of PluginDir",
			  "%s is missing", path);
		return;
	}
	check_set(ret, CHECK_OK, NULL, "%s", dirs);
}

/* --- Plugins -------------------------------------------------------------- */

static void plugin_check(const struct check_site *site, const char *path,
			 const char *const functions[],
			 struct check_finding *ret)
{
	struct sp_error why;

	switch (plugin_try(path, conf_value(site, "PluginDir"), functions,
			   &why)) {
	case PLUGIN_WORKS:
		check_set(ret, CHECK_OK, NULL, "%s can be loaded", path);
		break;
	case PLUGIN_NOT_TRIED:
		check_set(ret, CHECK_OK, NULL,
			  "%s is there; Slurm's own plugins are not, so it was "
			  "not loaded",
			  path);
		break;
	case PLUGIN_IDLE:
		check_set(ret, CHECK_ERROR,
			  "it does nothing here: build and install "
			  "slurm-predict for this release",
			  "%s", why.text);
		break;
	case PLUGIN_FAILS:
		check_set(ret, CHECK_ERROR,
			  "build and install slurm-predict for this release of "
			  "Slurm, on a host like this one",
			  "%s", why.text);
	}
}

static void check_job_submit(const struct check_site *site,
			     struct check_finding *ret)
{
	static const char *const functions[] = { "job_submit", "job_modify",
						 NULL };
	char path[PATH_MAX];

	if (!slurm_config_lists(conf_value(site, "JobSubmitPlugins"), ',',
				"predict"))
		check_set(ret, CHECK_UNUSED,
			  "add predict to JobSubmitPlugins when you want "
			  "predictions at submission",
			  "JobSubmitPlugins has no predict");
	else if (plugin_find(conf_value(site, "PluginDir"), JOB_SUBMIT_FILE,
			     path, sizeof(path)))
		check_set(ret, CHECK_ERROR,
			  "slurmctld does not start: add " SP_LIBDIR
			  " to PluginDir, or take predict out of "
			  "JobSubmitPlugins",
			  "no directory of PluginDir has " JOB_SUBMIT_FILE);
	else
		plugin_check(site, path, functions, ret);
}

static void check_tokens(const struct check_site *site,
			 struct check_finding *ret)
{
	const char *text = conf_value(site, "SlurmctldParameters");
	char found[200] = "";
	size_t used = 0;

	while (*text) {
		size_t length = strcspn(text, ",");

		if (!strncmp(text, "predict_", 8) &&
		    used + length + 2 < sizeof(found))
			used += (size_t)snprintf(
				found + used, sizeof(found) - used, "%s%.*s",
				used ? "," : "", (int)length, text);
		text += length + (text[length] == ',');
	}
	check_set(ret, used ? CHECK_OK : CHECK_UNUSED, NULL, "%s",
		  used ? found : "no token predict_...: defaults");
}

/* Find a weight that says something else than it seems to, beside a site factor
 * that counts seconds of waiting; range_s is what the length of a job is worth
 * at most, NAN: not known. */
static void weights_check(const struct check_site *site, double range_s,
			  struct check_finding *ret)
{
	static const char *const keys[] = {
		"PriorityWeightAge",       "PriorityWeightAssoc",
		"PriorityWeightFairshare", "PriorityWeightJobSize",
		"PriorityWeightPartition", "PriorityWeightQOS",
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		double weight = strtod(conf_value(site, keys[i]), NULL);

		if (weight <= 0 ||
		    (i && !(weight < range_s / 10) && !(weight > 10 * range_s)))
			continue;
		check_set(ret, CHECK_WARNING,
			  i ? "choose weights in seconds of waiting, as "
			      "job_submit_predict(8) says"
			    : "set it to 0: the order ages by itself",
			  "predict_plan: %s=%.0f is at most %s of waiting, a "
			  "job's length %s",
			  keys[i], weight, DURATION_BRIEF(weight),
			  isnan(range_s) ? "not known"
					 : DURATION_BRIEF(range_s));
		return;
	}
}

/* Return our tokens, and what they say. */
static const char *tokens_read(const struct check_site *site,
			       struct slurm_config *ret)
{
	const char *tokens = conf_value(site, "SlurmctldParameters");
	char line[LINE_SIZE];

	snprintf(line, sizeof(line), "SlurmctldParameters = %s\n", tokens);
	slurm_config_parse(line, ret);
	return tokens;
}

static void check_plan(const struct check_site *site, struct check_finding *ret)
{
	const char *type = conf_value(site, "PriorityType");
	const char *scheduler = conf_value(site, "SchedulerParameters");
	struct slurm_config config;
	const char *tokens = tokens_read(site, &config);
	bool reserves = config.plan_reserve > 0;

	if (isnan(config.overtaken_s) && !strstr(tokens, "predict_plan.")) {
		check_set(ret, CHECK_UNUSED, NULL, "predict_plan is not on");
	} else if (strcmp(type, "priority/multifactor") != 0) {
		check_set(ret, CHECK_ERROR,
			  "set PriorityType=priority/multifactor, or no job is "
			  "ordered",
			  "predict_plan: PriorityType is %s",
			  *type ? type : "not set");
	} else if (slurm_config_lists(scheduler, ',', "enable_user_top")) {
		check_set(ret, CHECK_WARNING,
			  "take enable_user_top out of SchedulerParameters",
			  "predict_plan: for a minute, `scontrol top` trades "
			  "the places of a user's jobs");
	} else if (strstr(conf_value(site, "PriorityFlags"), "INCR_ONLY")) {
		check_set(ret, CHECK_WARNING,
			  "take INCR_ONLY out of PriorityFlags",
			  "predict_plan: no job that is changed goes back");
	} else if (reserves &&
		   !slurm_config_lists(conf_value(site, "PluginDir"), ':',
				       SELECT_DIR)) {
		check_set(ret, CHECK_WARNING,
			  "put " SELECT_DIR " first in PluginDir",
			  "predict_plan_reserve: the select plugin, which does "
			  "it, is not loaded");
	} else if (reserves && strstr(scheduler, "bf_min_age_reserve=")) {
		check_set(ret, CHECK_WARNING,
			  "take bf_min_age_reserve out of SchedulerParameters",
			  "predict_plan_reserve: backfill keeps no nodes free "
			  "for younger jobs, whatever their slowdown");
	} else {
		check_set(ret, CHECK_OK, NULL, "on%s",
			  reserves ? ", with predict_plan_reserve" : "");
		weights_check(site, config.overtaken_s, ret);
	}
}

/* Return whether Slurm lets the owner of predictd's socket change the jobs of
 * others; true if there is no socket here. */
static bool may_change(const struct check_site *site, const char *url)
{
	const char *slurm = conf_value(site, "SlurmUser");
	struct stat status = { .st_uid = 0 };
	struct passwd entry, *user = NULL;
	char *level, buffer[LINE_SIZE];
	bool may;

	if (stat(*url ? url + strcspn(url, "/") : SOCKET_DEFAULT, &status) ||
	    status.st_uid == 0)
		return true;
	if (getpwuid_r(status.st_uid, &entry, buffer, sizeof(buffer), &user) ||
	    !user)
		return false;
	if (strcmp(user->pw_name, slurm) == 0)
		return true;

	const char *const argv[] = { "sacctmgr",    "-nP",
				     "show",        "user",
				     user->pw_name, "format=AdminLevel",
				     NULL };

	level = slurm_command_run(argv, COMMAND_S, LINE_SIZE, NULL);
	may = level && (strncmp(level, "Oper", 4) == 0 ||
			strncmp(level, "Admin", 5) == 0);
	free(level);
	return may;
}

static void check_changes(const struct check_site *site,
			  struct check_finding *ret)
{
	struct slurm_config config;
	const char *tokens = tokens_read(site, &config);
	bool changes = strstr(tokens, "predict_plan") ||
		       strstr(tokens, "predict_mode");

	if (changes && !may_change(site, config.url))
		check_set(ret, CHECK_WARNING,
			  "make it an Operator in slurmdbd, or let predictd "
			  "run as the SlurmUser: predictd(8)",
			  "predictd's user may not change waiting jobs: they "
			  "keep their places and limits");
	else
		check_set(ret, changes ? CHECK_OK : CHECK_UNUSED, NULL,
			  changes ? "allowed" : "no jobs are changed");
}

static void check_select(const struct check_site *site,
			 struct check_finding *ret)
{
	static const char *const functions[] = { "select_p_job_test", NULL };
	const char *dirs = conf_value(site, "PluginDir");
	const char *type = conf_value(site, "SelectType");

	if (!slurm_config_lists(dirs, ':', SELECT_DIR))
		check_set(ret, CHECK_UNUSED, NULL,
			  "PluginDir has no " SELECT_DIR);
	else if (*type && strcmp(type, "select/cons_tres") != 0)
		check_set(ret, CHECK_WARNING,
			  "only select/cons_tres can place jobs",
			  "SelectType is %s", type);
	else
		plugin_check(site, SELECT_DIR "/" SELECT_FILE, functions, ret);
}

static bool plugstack_find(const char *path, int depth, char ret_word[16],
			   char ret_file[PATH_MAX]);

/* In the files of an `include PATTERN`. */
static bool included_find(const char *pattern, int depth, char ret_word[16],
			  char ret_file[PATH_MAX])
{
	glob_t files;
	bool found = false;

	if (depth == INCLUDES_MAX || glob(pattern, 0, NULL, &files))
		return false;
	for (size_t i = 0; !found && i < files.gl_pathc; i++)
		found = plugstack_find(files.gl_pathv[i], depth + 1, ret_word,
				       ret_file);
	globfree(&files);
	return found;
}

/* Find the line of plugstack.conf that loads ours: its first two words. */
static bool plugstack_find(const char *path, int depth, char ret_word[16],
			   char ret_file[PATH_MAX])
{
	FILE *file = fopen(path, "re");
	char line[LINE_SIZE];
	bool found = false;

	while (file && !found && fgets(line, sizeof(line), file)) {
		if (sscanf(line, " %15s %4095s", ret_word, ret_file) != 2)
			continue;
		if (strcmp(ret_word, "include") == 0) {
			char pattern[PATH_MAX];

			memcpy(pattern, ret_file, sizeof(pattern));
			found = included_find(pattern, depth, ret_word,
					      ret_file);
		} else {
			found = ret_word[0] != '#' &&
				strstr(ret_file, SPANK_FILE);
		}
	}
	if (file)
		fclose(file);
	return found;
}

static void check_spank(const struct check_site *site,
			struct check_finding *ret)
{
	static const char *const none[] = { NULL };
	const char *plugstack = conf_value(site, "PlugStackConfig");
	char folder[PATH_MAX], path[2 * PATH_MAX], word[16], file[PATH_MAX];

	if (!*plugstack && site->slurm_conf_path) {
		snprintf(folder, sizeof(folder), "%s", site->slurm_conf_path);
		snprintf(path, sizeof(path), "%s/plugstack.conf",
			 dirname(folder));
		plugstack = path;
	}
	if (!plugstack_find(plugstack, 0, word, file)) {
		check_set(ret, CHECK_UNUSED,
			  "without it users have no --predict, and this node "
			  "records no job",
			  "%s does not load " SPANK_FILE,
			  *plugstack ? plugstack : "plugstack.conf");
		return;
	}
	if (file[0] != '/' && plugin_find(conf_value(site, "PluginDir"),
					  SPANK_FILE, path, sizeof(path)) == 0)
		snprintf(file, sizeof(file), "%.*s", PATH_MAX - 1, path);
	/* Slurm passes over an optional one that is missing, without a word. */
	if (access(file, R_OK)) {
		check_set(
			ret, CHECK_ERROR,
			"the installation of this command has it in " SP_LIBDIR,
			"%s of plugstack.conf is not there: this node "
			"records no job",
			file);
		return;
	}
	plugin_check(site, file, none, ret);
	if (ret->verdict == CHECK_OK && !strcmp(word, "required"))
		check_set(ret, CHECK_WARNING,
			  "write optional: with required, jobs fail where the "
			  "file is missing",
			  "%s is required", file);
}

/* --- The host ------------------------------------------------------------- */

static munge_err_t munge_try(munge_ctx_t context, uid_t *ret_uid)
{
	char *credential = NULL;
	void *payload = NULL;
	gid_t gid;
	int size;
	munge_err_t rc = munge_encode(&credential, context, "check", 5);

	if (rc == EMUNGE_SUCCESS)
		rc = munge_decode(credential, context, &payload, &size, ret_uid,
				  &gid);
	free(payload);
	free(credential);
	return rc;
}

static void check_munge(const struct check_site *site,
			struct check_finding *ret)
{
	munge_ctx_t context = munge_ctx_create();
	munge_err_t rc = EMUNGE_NO_MEMORY;
	uid_t uid = (uid_t)-1;

	if (context && site->munge_socket && *site->munge_socket)
		munge_ctx_set(context, MUNGE_OPT_SOCKET, site->munge_socket);
	if (context)
		rc = munge_try(context, &uid);
	if (rc != EMUNGE_SUCCESS)
		check_set(ret, CHECK_ERROR,
			  "start munged, or set MungeSocket to its socket",
			  "%s", munge_strerror(rc));
	else if (uid != geteuid())
		check_set(ret, CHECK_ERROR, "restart munged",
			  "munged takes uid %u for uid %u", (unsigned)geteuid(),
			  (unsigned)uid);
	else
		check_set(ret, CHECK_OK, NULL, "a credential of ours is valid");
	munge_ctx_destroy(context);
}

static void check_clock(const struct check_site *site,
			struct check_finding *ret)
{
	struct timex state = { .modes = 0 };

	(void)site;
	if (adjtimex(&state) == TIME_ERROR || state.status & STA_UNSYNC)
		check_set(ret, CHECK_WARNING,
			  "run chrony or another NTP client: MUNGE refuses "
			  "credentials if clocks differ by five minutes",
			  "the kernel's clock is not synchronized");
	else
		check_set(ret, CHECK_OK, NULL, "synchronized");
}

const struct check site_checks[] = {
	{ "slurm.conf", check_slurm_conf },
	{ "SlurmUser", check_slurm_user },
	{ "PluginDir", check_plugin_dir },
	{ "job_submit plugin", check_job_submit },
	{ "SlurmctldParameters", check_tokens },
	{ "predict_plan", check_plan },
	{ "changes of jobs", check_changes },
	{ "select plugin", check_select },
	{ "SPANK plugin", check_spank },
	{ "MUNGE", check_munge },
	{ "clock", check_clock },
	{ NULL, NULL },
};
