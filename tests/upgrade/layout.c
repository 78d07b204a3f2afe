/* SPDX-License-Identifier: GPL-2.0-or-later */
/* layout.c - print where the fields of Slurm's structures are that plugins use
 *
 * Lines "public|inside STRUCTURE FIELD OFFSET", for tests/upgrade/layouts:
 * public ones are in slurm/slurm.h, the others inside slurmctld.
 */
#include "plugin/site/releases.h"

#include <stddef.h>
#include <stdio.h>

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 2, 0)
typedef struct job_details job_details_t;
#endif

#define DESCRIPTION(X)        \
	X(account)            \
	X(admin_comment)      \
	X(argc)               \
	X(argv)               \
	X(array_inx)          \
	X(begin_time)         \
	X(bitflags)           \
	X(cpus_per_task)      \
	X(deadline)           \
	X(dependency)         \
	X(env_size)           \
	X(environment)        \
	X(exc_nodes)          \
	X(features)           \
	X(max_nodes)          \
	X(min_cpus)           \
	X(min_nodes)          \
	X(name)               \
	X(ntasks_per_node)    \
	X(num_tasks)          \
	X(overcommit)         \
	X(partition)          \
	X(pn_min_cpus)        \
	X(pn_min_memory)      \
	X(priority)           \
	X(qos)                \
	X(req_nodes)          \
	X(script)             \
	X(shared)             \
	X(site_factor)        \
	X(spank_job_env)      \
	X(spank_job_env_size) \
	X(submit_line)        \
	X(time_limit)         \
	X(time_min)           \
	X(tres_per_job)       \
	X(tres_per_node)      \
	X(tres_per_socket)    \
	X(tres_per_task)      \
	X(user_id)

#define CONFIGURATION(X)     \
	X(authinfo)          \
	X(cluster_name)      \
	X(plugindir)         \
	X(priority_type)     \
	X(select_type_param) \
	X(slurmctld_params)

#define JOB(X)                \
	X(admin_comment)      \
	X(best_switch)        \
	X(bit_flags)          \
	X(burst_buffer)       \
	X(deadline)           \
	X(details)            \
	X(gres_list_alloc)    \
	X(gres_list_req)      \
	X(het_job_id)         \
	X(job_id)             \
	X(job_resrcs)         \
	X(job_state)          \
	X(part_ptr)           \
	X(req_switch)         \
	X(resv_name)          \
	X(resv_ptr)           \
	X(spank_job_env)      \
	X(spank_job_env_size) \
	X(start_time)         \
	X(time_limit)         \
	X(time_min)           \
	X(tres_per_job)       \
	X(tres_per_node)      \
	X(tres_per_socket)    \
	X(tres_per_task)      \
	X(wait4switch_start)

#define DETAILS(X)         \
	X(accrue_time)     \
	X(begin_time)      \
	X(contiguous)      \
	X(cpus_per_task)   \
	X(expanding_jobid) \
	X(min_cpus)        \
	X(ntasks_per_node) \
	X(num_tasks)       \
	X(overcommit)      \
	X(pn_min_cpus)     \
	X(pn_min_memory)   \
	X(req_node_bitmap) \
	X(whole_node)

#define NODE(X)           \
	X(config_ptr)     \
	X(cpus)           \
	X(cpus_efctv)     \
	X(mem_spec_limit) \
	X(name)           \
	X(real_memory)

#define NODE_CONFIG(X) \
	X(gres)        \
	X(weight)

#define PARTITION(X) \
	X(max_share) \
	X(name)

#define RESOURCES(X)        \
	X(cpus)             \
	X(memory_allocated) \
	X(nhosts)           \
	X(node_bitmap)

#define ROW(kind, type, field) \
	printf(kind " " #type " " #field " %zu\n", offsetof(type, field));
#define DESCRIPTION_ROW(field)   ROW("public", job_desc_msg_t, field)
#define CONFIGURATION_ROW(field) ROW("public", slurm_conf_t, field)
#define JOB_ROW(field)           ROW("inside", job_record_t, field)
#define DETAILS_ROW(field)       ROW("inside", job_details_t, field)
#define NODE_ROW(field)          ROW("inside", node_record_t, field)
#define NODE_CONFIG_ROW(field)   ROW("inside", config_record_t, field)
#define PARTITION_ROW(field)     ROW("inside", part_record_t, field)
#define RESOURCES_ROW(field)     ROW("inside", job_resources_t, field)

int main(void)
{
	printf("version %d.%02d.%d\n", SLURM_VERSION_NUMBER >> 16 & 0xff,
	       SLURM_VERSION_NUMBER >> 8 & 0xff, SLURM_VERSION_NUMBER & 0xff);
	DESCRIPTION(DESCRIPTION_ROW)
	CONFIGURATION(CONFIGURATION_ROW)
	JOB(JOB_ROW)
	DETAILS(DETAILS_ROW)
	NODE(NODE_ROW)
	NODE_CONFIG(NODE_CONFIG_ROW)
	PARTITION(PARTITION_ROW)
	RESOURCES(RESOURCES_ROW)
	return 0;
}
