/* SPDX-License-Identifier: GPL-2.0-or-later */
/* releases.h - what we use of slurmctld's inside, and how releases differ in it
 *
 * These headers are of Slurm's source, no package has them (slurm-headers).
 * All that depends on the release stands here; the rest of the plugin is the
 * same for all, from 22.05 on.
 *
 * Clients load the plugin too, and slurmctld's own data is not there then: it
 * is weak, and NULL.
 */
#pragma once

#include <src/common/slurm_xlator.h>

#include <slurm/slurm_errno.h>
#include <src/common/bitstring.h>
#include <src/common/job_resources.h>
#include <src/common/list.h>
#include <src/common/log.h>
#include <src/common/node_conf.h>
#include <src/common/read_config.h>
#include <src/common/run_in_daemon.h>
#include <src/slurmctld/slurmctld.h>
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
#include <src/interfaces/select.h>
#endif

extern slurm_conf_t slurm_conf __attribute__((weak));
extern node_record_t **node_record_table_ptr __attribute__((weak));
extern int node_record_count __attribute__((weak));
extern struct xlist *job_list __attribute__((weak));

/* The last arguments of select_p_job_test(): cores of reservations, and from
 * 24.11 on when it is to be tested for. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
#define RELEASE_TEST_MORE   resv_exc_t *excluded, will_run_data_t *will_run
#define RELEASE_TEST_PASSED excluded, will_run
#elif SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0)
#define RELEASE_TEST_MORE   resv_exc_t *excluded
#define RELEASE_TEST_PASSED excluded
#else
#define RELEASE_TEST_MORE   bitstr_t *excluded
#define RELEASE_TEST_PASSED excluded
#endif

/* Releases from this one on were not tried: they might call a function that our
 * plugin lacks, which would be fatal.  slurm-headers reads this, too, and says
 * in config.h that the build has compared the calls of just this release. */
#define RELEASE_UNTRIED SLURM_VERSION_NUM(26, 6, 0)
#ifndef RELEASE_CHECKED
#define RELEASE_CHECKED 0
#endif

/* The bit of slurm_conf.select_type_param that makes memory a resource. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 11, 0)
#define RELEASE_MEMORY SELECT_MEMORY
#else
#define RELEASE_MEMORY CR_MEMORY
#endif

/* Lists are an opaque struct since 23.02, a pointer to one before. */
typedef struct xlist release_list;

/* Leaf switches are slurmctld's own until 23.02, then of the topology plugin:
 * from there on only the snapshot has them. */
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 11, 0)
#define RELEASE_HAS_SWITCHES 1
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 2, 0)
#include <src/common/slurm_topology.h>
#else
#include <src/interfaces/topology.h>
#endif

extern switch_record_t *switch_record_table __attribute__((weak));
extern int switch_record_cnt __attribute__((weak));
#else
#define RELEASE_HAS_SWITCHES 0
#endif
