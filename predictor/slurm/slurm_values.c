/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_values.c - single values as sacct and scontrol print them
 *
 * Each function reads one form of text, whole: what is left over makes it
 * fail.  Times without a zone are in the local one.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "predictor/base/duration.h"
#include "predictor/base/piece.h"
#include "predictor/features/prediction.h"
#include "predictor/slurm/slurm_values.h"

/* The year 9999: what comes later is a mistake. */
#define TIME_MAX_S 253402300799.0

#define MEMORY_MAX_MB 1e12

static bool is_one_of(const char *text, const char *const words[])
{
	for (; *words; words++)
		if (!strcasecmp(text, *words))
			return true;
	return false;
}

/* `count` digits; -1: there are fewer. */
static int digits(const char **text, int count, int *ret)
{
	*ret = 0;
	for (int i = 0; i < count; i++) {
		if (!isdigit((unsigned char)**text))
			return -1;
		*ret = *ret * 10 + (*(*text)++ - '0');
	}
	return 0;
}

/* --- Times ---------------------------------------------------------------- */

/* What stands behind the seconds: nothing, "Z", "+0100" or "+01:00".  1: a
 * zone, with its offset. */
static int read_zone(const char *text, int *ret_offset_s)
{
	int hours, minutes;

	*ret_offset_s = 0;
	if (!*text)
		return 0;
	if (!strcmp(text, "Z"))
		return 1;
	if (*text != '+' && *text != '-')
		return -1;

	int sign = *text++ == '-' ? -1 : 1;

	if (digits(&text, 2, &hours))
		return -1;
	text += *text == ':';
	if (digits(&text, 2, &minutes) || *text || hours > 24 || minutes > 59)
		return -1;
	*ret_offset_s = sign * (hours * 3600 + minutes * 60);
	return 1;
}

static int read_moment(const char *text, double *ret_s)
{
	struct tm tm = { .tm_isdst = -1 };
	int offset_s;

	/* YYYY-MM-DDTHH:MM:SS */
	if (digits(&text, 4, &tm.tm_year) || *text++ != '-' ||
	    digits(&text, 2, &tm.tm_mon) || *text++ != '-' ||
	    digits(&text, 2, &tm.tm_mday) || !strchr("T ", *text) || !*text++ ||
	    digits(&text, 2, &tm.tm_hour) || *text++ != ':' ||
	    digits(&text, 2, &tm.tm_min) || *text++ != ':' ||
	    digits(&text, 2, &tm.tm_sec))
		return -1;
	if (tm.tm_year < 1970 || tm.tm_mon < 1 || tm.tm_mon > 12 ||
	    tm.tm_mday < 1 || tm.tm_mday > 31 || tm.tm_hour > 23 ||
	    tm.tm_min > 59 || tm.tm_sec > 60)
		return -1;
	tm.tm_year -= 1900;
	tm.tm_mon -= 1;

	int zone = read_zone(text, &offset_s);

	if (zone < 0)
		return -1;

	time_t moment = zone ? timegm(&tm) - offset_s : mktime(&tm);

	if (moment < 0)
		return -1;
	*ret_s = (double)moment;
	return 0;
}

int slurm_time_parse(const char *text, double *ret_s)
{
	static const char *const none[] = { "", "Unknown", "None", NULL };

	if (is_one_of(text, none)) {
		*ret_s = NAN;
		return 0;
	}
	if (text[strspn(text, "0123456789")])
		return read_moment(text, ret_s);

	double seconds = strtod(text, NULL);

	if (seconds > TIME_MAX_S)
		return -1;
	*ret_s = seconds > 0 ? seconds : NAN; /* Slurm's 0 is "never" */
	return 0;
}

static const char *const no_limit[] = { "", "Partition_Limit", "None", NULL };

int slurm_limit_parse(const char *text, double *ret_s)
{
	if (is_one_of(text, no_limit)) {
		*ret_s = NAN;
		return 0;
	}
	return duration_parse(text, ret_s, NULL);
}

int slurm_limit_minutes_parse(const char *text, double *ret_s)
{
	uint32_t minutes;

	if (is_one_of(text, no_limit)) {
		*ret_s = NAN;
		return 0;
	}
	if (!strcasecmp(text, "UNLIMITED")) {
		*ret_s = HUGE_VAL;
		return 0;
	}
	if (slurm_count_parse(text, &minutes))
		return -1;
	*ret_s = minutes * 60.0;
	return 0;
}

/* --- Memory --------------------------------------------------------------- */

int slurm_memory_parse(const char *text, struct slurm_memory *ret)
{
	static const char units[] = "KMGTPE";
	struct slurm_memory memory = { 0 };
	char *end;

	if (!*text || !strcmp(text, "?")) {
		*ret = memory;
		return 0;
	}
	if (!isdigit((unsigned char)*text))
		return -1;
	memory.mb = strtod(text, &end);

	const char *unit =
		*end ? strchr(units, toupper((unsigned char)*end)) : NULL;

	if (unit) {
		for (const char *u = units; u < unit; u++)
			memory.mb *= 1024;
		memory.mb /= 1024;
		end++;
		end += *end == 'B' || *end == 'b';
	}
	if (*end == 'c' || *end == 'n')
		memory.per = *end++;
	if (*end)
		return -1;
	/* sacct prints 2^64 MB where nobody knows. */
	if (!(memory.mb <= MEMORY_MAX_MB))
		memory.mb = 0;
	*ret = memory;
	return 0;
}

/* --- Ids and counts ------------------------------------------------------- */

static int read_number(const char **text, uint32_t *ret)
{
	uint64_t number = 0;
	const char *begin = *text;

	while (isdigit((unsigned char)**text)) {
		number = number * 10 + (uint64_t)(*(*text)++ - '0');
		if (number >= UINT32_MAX)
			return -1;
	}
	*ret = (uint32_t)number;
	return *text == begin ? -1 : 0;
}

int slurm_count_parse(const char *text, uint32_t *ret)
{
	uint32_t count = 0;

	if (*text && read_number(&text, &count))
		return -1;
	/* As data frames write it: 16.0 */
	if (*text == '.' && text[1] == '0')
		text += 1 + strspn(text + 1, "0");
	if (*text)
		return -1;
	*ret = count;
	return 0;
}

int slurm_amount_parse(const char *text, uint32_t *ret)
{
	char *end;
	double amount = 0;

	if (slurm_count_parse(text, ret) == 0)
		return 0;
	if (!isdigit((unsigned char)*text))
		return -1;
	amount = strtod(text, &end);
	if (*end == 'K' || *end == 'k')
		amount *= 1024;
	else if (*end == 'M' || *end == 'm')
		amount *= 1024 * 1024;
	else
		return -1;
	if (end[1] || !(amount < UINT32_MAX))
		return -1;
	*ret = (uint32_t)(amount + 0.5);
	return 0;
}

int slurm_job_id_parse(const char *text, struct slurm_job_id *ret)
{
	struct slurm_job_id id = { 0 };

	if (read_number(&text, &id.job) || !id.job)
		return -1;
	if (*text == '_' && text[1] == '[') {
		id.waiting = true;
		*ret = id;
		return 0;
	}
	if (*text == '_') {
		text++;
		id.array = true;
		if (read_number(&text, &id.task))
			return -1;
	}
	if (*text == '[') {
		text++;
		id.array = true;
		if (read_number(&text, &id.task) || *text++ != ']')
			return -1;
	}
	if (*text == '+') {
		text++;
		id.heterogeneous = true;
		if (read_number(&text, &id.component))
			return -1;
	}
	if (*text == '.')
		id.step = true;
	else if (*text)
		return -1;
	*ret = id;
	return 0;
}

/* --- States --------------------------------------------------------------- */

int slurm_state_parse(const char *text, enum slurm_phase *ret_phase,
		      enum run_state *ret_state)
{
	static const struct {
		const char *word;
		enum slurm_phase phase;
	} not_ended[] = {
		{ "PENDING", SLURM_WAITING },
		{ "REQUEUED", SLURM_WAITING },
		{ "REQUEUE_FED", SLURM_WAITING },
		{ "REQUEUE_HOLD", SLURM_WAITING },
		{ "SPECIAL_EXIT", SLURM_WAITING },
		{ "RESV_DEL_HOLD", SLURM_WAITING },
		{ "REVOKED", SLURM_WAITING },
		{ "CONFIGURING", SLURM_RUNNING },
		{ "RUNNING", SLURM_RUNNING },
		{ "RESIZING", SLURM_RUNNING },
		{ "SIGNALING", SLURM_RUNNING },
		{ "STOPPED", SLURM_RUNNING },
		{ "SUSPENDED", SLURM_RUNNING },
		{ "COMPLETING", SLURM_ENDING },
		{ "STAGE_OUT", SLURM_ENDING },
	};
	char word[32];

	if (!piece_copy(word, sizeof(word), text, strcspn(text, " +")))
		return -1;
	for (size_t i = 0; i < sizeof(not_ended) / sizeof(*not_ended); i++)
		if (!strcasecmp(word, not_ended[i].word)) {
			*ret_phase = not_ended[i].phase;
			*ret_state = RUN_RUNNING;
			return 0;
		}
	if (enum_words_parse(&run_state_words, word, ret_state))
		return -1;
	*ret_phase = SLURM_ENDED;
	return 0;
}

int slurm_exit_parse(const char *text, int *ret_code, int *ret_signal)
{
	uint32_t code, signal;

	if (read_number(&text, &code) || *text++ != ':' ||
	    read_number(&text, &signal) || *text)
		return -1;
	*ret_code = code < 255 ? (int)code : 255;
	*ret_signal = signal < 255 ? (int)signal : 255;
	return 0;
}

/* --- Comments ------------------------------------------------------------- */

bool slurm_comment_missed(const char *comment)
{
	size_t length = strlen(PREDICTION_MISSED);
	const char *at = strstr(comment, PREDICTION_MISSED);

	return at && (at == comment || at[-1] == ',') &&
	       (!at[length] || at[length] == ',' || at[length] == ' ');
}

bool slurm_comment_prediction(const char *comment,
			      char ret_id[PREDICTION_ID_SIZE])
{
	static const char mark[] = "predict=";
	const size_t digits = PREDICTION_ID_SIZE - 1;
	bool found = false;

	while ((comment = strstr(comment, mark))) {
		comment += strlen(mark);
		if (strspn(comment, "0123456789abcdef") != digits)
			continue;
		memcpy(ret_id, comment, digits);
		ret_id[digits] = '\0';
		found = true;
	}
	return found;
}

int slurm_user_id_parse(const char *text, uint32_t *ret)
{
	char *end;
	long id = strtol(text, &end, 10);

	if (end == text || *end || id < INT32_MIN || id > UINT32_MAX)
		return -1;
	*ret = (uint32_t)id;
	return 0;
}

void slurm_text_copy(const char *value, char *ret, size_t size)
{
	if (strcmp(value, "(null)") == 0 || strcmp(value, "N/A") == 0)
		value = "";
	piece_copy(ret, size, value, strnlen(value, size - 1));
}

void slurm_tres_licenses(const char *tres, char *ret, size_t size)
{
	static const char prefix[] = "license/";
	size_t used = 0;

	for (; *tres; tres += strcspn(tres, ","), tres += *tres == ',') {
		const char *name = tres + strlen(prefix);

		if (strncmp(tres, prefix, strlen(prefix)) != 0)
			continue;

		size_t length = strcspn(name, "=,");
		size_t digits = name[length] == '=' ? strspn(name + length + 1,
							     "0123456789")
						    : 0;
		size_t left = size - used;

		if (!length || !digits ||
		    strcspn(name, ",") != length + 1 + digits)
			continue;
		if ((size_t)snprintf(ret + used, left, "%s%.*s:%.*s",
				     used ? "," : "", (int)length, name,
				     (int)digits, name + length + 1) >= left) {
			ret[used] = '\0';
			return;
		}
		used += strlen(ret + used);
	}
}
