/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_environment.c - variables of a job's environment that matter to it
 *
 * This runs in slurmctld, which has no parser of scripts: names are what
 * follows a '$', wherever it is.  That is enough, since the reader of the
 * script takes the value only where the script does.
 */
#include <ctype.h>
#include <string.h>

#include "predictor/features/job_environment.h"
#include "predictor/features/secret.h"

/* Bound the time: expansions of a script and their names, variables. */
#define EXPANSIONS_MAX 1000
#define NAMES_MAX      64
#define NAME_MAX_BYTES 31
#define VARIABLES_MAX  4096
#define SCRIPT_MAX     65536

struct names {
	int count;
	struct {
		const char *text;
		size_t length;
	} of[NAMES_MAX];
	bool initial[256]; /* some name begins with it */
};

/* The prefixes are parted by blanks. */
static bool has_prefix(const char *name, const char *prefixes)
{
	for (const char *p = prefixes; *p; p += strspn(p, " ")) {
		size_t length = strcspn(p, " ");

		if (*name == *p && !strncmp(name, p, length))
			return true;
		p += length;
	}
	return false;
}

bool job_environment_infrastructure(const char *name)
{
	return has_prefix(
		name,
		"OMP_ GOMP_ KMP_ MKL_ OPENBLAS_ BLIS_ I_MPI_ OMPI_ PMI PSM"
		" UCX_ FI_ MV2_ MPI NCCL_ CUDA_ HIP_ ROCR_ TF_ XLA_ PYTHON"
		" WANDB_ HF_ TOKENIZERS_ MASTER_ WORLD_SIZE RANK LOCAL_RANK"
		" SLURM SBATCH_ SRUN_ PREDICT_ JULIA_ NUMEXPR_ NUMBA_ VECLIB_"
		" MALLOC_ LD_ HDF5_ ROMIO_ DAPL_ GASNET_ ACC_ NVCOMPILER_"
		" FORT_ GFORTRAN_ WRFIO_ HWLOC_ QT_ PROJ_ PRTE_ ");
}

/* What logins, module systems and environments of packages set. */
static bool is_of_login(const char *name)
{
	return has_prefix(
		name,
		"HOME= USER= LOGNAME= SHELL= PATH= MANPATH= INFOPATH= CPATH="
		" PWD= OLDPWD= HOSTNAME= HOST= TMP TEMP LANG LC_ TERM MAIL="
		" EDITOR= DISPLAY= SHLVL= SSH_ XDG_ DBUS_ KRB5 MODULE LMOD"
		" LOADEDMOD _LM BASH CONDA MAMBA VIRTUAL_ENV PS1= PROMPT"
		" SCRATCH WORK= EBROOT SPACK_ _= LIBRARY_PATH= PKG_CONFIG ");
}

bool job_environment_usable(const char *variable, size_t length)
{
	const char *equals = memchr(variable, '=', length);
	size_t name = equals ? (size_t)(equals - variable) : 0;

	if (!name || name > NAME_MAX_BYTES || name + 1 == length ||
	    length >= JOB_ENVIRONMENT_TEXT_SIZE ||
	    memchr(variable, '\n', length))
		return false;
	return !job_environment_infrastructure(variable) &&
	       !is_of_login(variable) &&
	       !secret_in(variable, name, equals + 1, length - name - 1);
}

/* --- What a script reads -------------------------------------------------- */

static size_t name_length(const char *at, const char *end)
{
	size_t length = 0;

	while (at + length < end &&
	       (at[length] == '_' || isalnum((unsigned char)at[length])))
		length++;
	return length && !isdigit((unsigned char)*at) ? length : 0;
}

static void names_add(struct names *names, const char *name, size_t length)
{
	if (!length || length > NAME_MAX_BYTES || names->count == NAMES_MAX)
		return;
	for (int i = 0; i < names->count; i++)
		if (names->of[i].length == length &&
		    !memcmp(names->of[i].text, name, length))
			return;
	names->of[names->count].text = name;
	names->of[names->count++].length = length;
	names->initial[(unsigned char)*name] = true;
}

/* $NAME and ${NAME. */
static void names_read(const char *script, struct names *ret)
{
	const char *end = script + strnlen(script, SCRIPT_MAX);
	const char *at = script;

	memset(ret, 0, sizeof(*ret));
	for (int i = 0; i < EXPANSIONS_MAX; i++) {
		at = memchr(at, '$', (size_t)(end - at));
		if (!at)
			return;
		at++;
		at += at < end && *at == '{';

		size_t length = name_length(at, end);

		names_add(ret, at, length);
		at += length;
	}
}

static bool names_have(const struct names *names, const char *variable)
{
	if (!names->initial[(unsigned char)*variable])
		return false;
	for (int i = 0; i < names->count; i++)
		if (!strncmp(variable, names->of[i].text,
			     names->of[i].length) &&
		    variable[names->of[i].length] == '=')
			return true;
	return false;
}

int job_environment_find(const char *script, char *const *variables,
			 uint32_t count, const char *ret[JOB_ENVIRONMENT_MAX])
{
	struct names names;
	int found = 0;

	if (!script || !variables)
		return 0;
	names_read(script, &names);
	if (count > VARIABLES_MAX)
		count = VARIABLES_MAX;
	for (uint32_t i = 0;
	     i < count && variables[i] && found < JOB_ENVIRONMENT_MAX; i++)
		if (names_have(&names, variables[i]) &&
		    job_environment_usable(
			    variables[i],
			    strnlen(variables[i], JOB_ENVIRONMENT_TEXT_SIZE)))
			ret[found++] = variables[i];
	return found;
}

/* --- What --export gives -------------------------------------------------- */

const char *job_environment_export_option(const char *line)
{
	static const char option[] = " --export";
	const char *at = line ? strstr(line, option) : NULL;

	if (!at)
		return "";
	at += strlen(option);
	return *at == '=' || *at == ' ' ? at + 1 : "";
}

const char *job_environment_exported(const char **at, size_t *ret_length)
{
	while (**at && **at != ' ') {
		const char *pair = *at;
		size_t length = strcspn(pair, ", ");

		*at += length + (pair[length] == ',');
		if (name_length(pair, pair + length) &&
		    job_environment_usable(pair, length)) {
			*ret_length = length;
			return pair;
		}
	}
	return NULL;
}
