/* SPDX-License-Identifier: GPL-2.0-or-later */
/* forward.c - what Slurm calls in a select plugin, passed on to Slurm's own
 *
 * The arguments differ between Slurm's releases, but are always few, and
 * pointers or whole numbers.  Six words are what every ABI that Slurm runs on
 * passes in registers; so each function takes six and passes six on, and the
 * one behind it reads those it has.  No return value is wider than a word,
 * and what is above a narrower one stays as it was.
 *
 * The list is of all releases from 22.05 on.  What a release does not know, it
 * neither has nor calls.
 */
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#include "plugin/select/forward.h"
#include "plugin/site/export.h"

#define PASSED_ON(X)                        \
	X(select_p_state_save)              \
	X(select_p_state_restore)           \
	X(select_p_job_ready)               \
	X(select_p_job_signal)              \
	X(select_p_step_pick_nodes)         \
	X(select_p_step_start)              \
	X(select_p_step_finish)             \
	X(select_p_select_nodeinfo_pack)    \
	X(select_p_select_nodeinfo_unpack)  \
	X(select_p_select_nodeinfo_alloc)   \
	X(select_p_select_nodeinfo_free)    \
	X(select_p_select_nodeinfo_set_all) \
	X(select_p_select_nodeinfo_set)     \
	X(select_p_select_nodeinfo_get)     \
	X(select_p_select_jobinfo_alloc)    \
	X(select_p_select_jobinfo_free)     \
	X(select_p_select_jobinfo_set)      \
	X(select_p_select_jobinfo_get)      \
	X(select_p_select_jobinfo_copy)     \
	X(select_p_select_jobinfo_pack)     \
	X(select_p_select_jobinfo_unpack)   \
	X(select_p_select_jobinfo_sprint)   \
	X(select_p_select_jobinfo_xstrdup)  \
	X(select_p_get_info_from_plugin)    \
	X(select_p_update_node_config)      \
	X(select_p_resv_test)

#define CHANGES_JOBS(X)            \
	X(select_p_job_init)       \
	X(select_p_node_init)      \
	X(select_p_job_begin)      \
	X(select_p_job_expand)     \
	X(select_p_job_resized)    \
	X(select_p_job_mem_reduce) \
	X(select_p_job_fini)       \
	X(select_p_job_suspend)    \
	X(select_p_job_resume)     \
	X(select_p_reconfigure)

typedef uintptr_t word;
typedef word forwarded(word, word, word, word, word, word);

#define SLOT(name) static forwarded *to_##name;
PASSED_ON(SLOT)
CHANGES_JOBS(SLOT)

#define ARGUMENTS word a, word b, word c, word d, word e, word f

#define PASS_ON(name)                               \
	EXPORT forwarded name;                      \
	word name(ARGUMENTS)                        \
	{                                           \
		return to_##name(a, b, c, d, e, f); \
	}
PASSED_ON(PASS_ON)

#define PASS_ON_AND_NOTE(name)                             \
	EXPORT forwarded name;                             \
	word name(ARGUMENTS)                               \
	{                                                  \
		word result = to_##name(a, b, c, d, e, f); \
                                                           \
		forward_jobs_changed();                    \
		return result;                             \
	}
CHANGES_JOBS(PASS_ON_AND_NOTE)

#define ROW(name) { #name, &to_##name },
static const struct {
	const char *name;
	forwarded **to;
} rows[] = { PASSED_ON(ROW) CHANGES_JOBS(ROW){ NULL, NULL } };

void forward_to(void *plugin)
{
	for (size_t i = 0; rows[i].name; i++)
		*rows[i].to = (forwarded *)dlsym(plugin, rows[i].name);
}
