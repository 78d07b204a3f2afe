/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mask_secrets.c - put marks for the secrets that a database holds
 *
 * What came in before the gate (features/secret.h), or before it knew a form,
 * passes it here.  Each table is read by its key, MASKED_ROWS at a time; the
 * rows that hold a secret are changed in the transaction that read and locked
 * them.  So it may be interrupted at any time, and run again: a mark is no
 * secret.  Rows stay, with all of their numbers; one that is a secret itself
 * becomes 0.  predictd masks what it loads in the same manner, so that its
 * predictions do not change.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/features/secret.h"
#include "predictor/features/traits.h"
#include "predictor/store/owner.h"
#include "predictor/store/postgres.h"
#include "predictor/store/statements.h"

#define TEXT_SIZE 2048    /* no text of a row is longer */
#define NO_RIGHT  "42501" /* a code of PostgreSQL */

/* What a query gives and an update takes: statements/owner.sql. */
static const struct masked_table {
	const char *name, *query, *update, *newest;
	const char *lock; /* before an update; NULL: none but the row's */
} tables[] = {
	{ "runs", query_unmasked_runs, query_mask_run, query_newest_runs,
	  NULL },
	{ "predictions", query_unmasked_predictions, query_mask_prediction,
	  query_newest_predictions, NULL },
	{ "predictions (outside)", query_unmasked_outside, query_mask_outside,
	  query_newest_outside, NULL },
	{ "applications", query_unmasked_applications, query_mask_application,
	  query_newest_applications, query_lock_predictions },
	{ NULL, NULL, NULL, NULL, NULL },
};

struct masking {
	PGconn *pg;
	bool change;
	bool first; /* it is enough to know of one in the newest rows */
	long counts[SECRET_FORMS];
};

/* Mask a text, and count its secrets by their forms. */
static bool mask_text(struct masking *m, char *text)
{
	bool found = secret_count(text, m->counts);

	secret_mask_text(text);
	return found;
}

/* List the names of parameters that are secrets. */
static bool find_numbers(struct masking *m, char *names, char *values,
			 char ret[TEXT_SIZE])
{
	char *name, *value, *rest_names = names, *rest_values = values;

	*ret = '\0';
	while ((name = strtok_r(rest_names, " ", &rest_names)) &&
	       (value = strtok_r(rest_values, " ", &rest_values))) {
		size_t used = strlen(ret);

		if (!secret_number(name, strtod(value, NULL)))
			continue;
		m->counts[SECRET_NAMED]++;
		snprintf(ret + used, TEXT_SIZE - used, "%s%s", used ? " " : "",
			 name);
	}
	return *ret;
}

/* 1: the row held a secret; -1: see err. */
static int mask_row(struct masking *m, const struct masked_table *table,
		    PGresult *rows, int row, struct sp_error *err)
{
	char text[TEXT_SIZE], traits[TEXT_SIZE], numbers[TEXT_SIZE];
	const char *const values[] = { PQgetvalue(rows, row, 0), text, traits,
				       numbers };
	bool found;

	snprintf(text, sizeof(text), "%s", PQgetvalue(rows, row, 1));
	found = mask_text(m, text);
	snprintf(traits, sizeof(traits), "%s", PQgetvalue(rows, row, 2));
	found |= traits_mask(traits, m->counts);
	found |= find_numbers(m, PQgetvalue(rows, row, 3),
			      PQgetvalue(rows, row, 4), numbers);
	if (!found || !m->change)
		return found;
	if (table->lock && owner_execute(m->pg, table->name, table->lock, err))
		return -1;

	PGresult *done = PQexecParams(m->pg, table->update, 4, NULL, values,
				      NULL, NULL, 0);
	const char *state = PQresultErrorField(done, PG_DIAG_SQLSTATE);

	/* The error of PostgreSQL may quote the row. */
	if (PQresultStatus(done) != PGRES_COMMAND_OK)
		sp_error_set(err, "table %s cannot be changed: %s%s",
			     table->name,
			     state && strcmp(state, NO_RIGHT) == 0
				     ? "connect as its owner; "
				     : "",
			     state ? state : PQerrorMessage(m->pg));
	else if (strcmp(PQcmdTuples(done), "0") == 0)
		sp_error_set(err, "table %s: a row was not found again",
			     table->name);
	else
		found = false;
	PQclear(done);
	return found ? -1 : 1;
}

/* Mask the rows behind `key`, which becomes the last one's; "": there are no
 * more. */
static int mask_rows(struct masking *m, const struct masked_table *table,
		     char key[96], struct sp_error *err)
{
	char query[1024];
	const char *values[] = { key };
	int rc = 0;

	snprintf(query, sizeof(query), "%s%s",
		 m->first ? table->newest : table->query,
		 m->change ? " FOR UPDATE" : "");
	if (owner_execute(m->pg, table->name, "BEGIN", err))
		return -1;

	PGresult *rows = owner_query(m->pg, query, !m->first, values, err);
	int count = rows ? PQntuples(rows) : 0;

	for (int i = 0; rows && i < count && rc >= 0 && !(rc && m->first); i++)
		rc = mask_row(m, table, rows, i, err);
	if (!rows || rc < 0)
		rc = -1;
	else if (count && !m->first)
		snprintf(key, 96, "%s", PQgetvalue(rows, count - 1, 0));
	else
		*key = '\0';
	PQclear(rows);
	return rc < 0 ? -1 : owner_execute(m->pg, table->name, "COMMIT", err);
}

static int mask_table(struct masking *m, const struct masked_table *table,
		      struct sp_error *err)
{
	char key[96] = "";

	memset(m->counts, 0, sizeof(m->counts));
	do {
		if (mask_rows(m, table, key, err))
			return -1;
	} while (*key);
	for (int form = 1; form < SECRET_FORMS && !m->first; form++)
		if (m->counts[form])
			printf("%-22s %-33s %ld\n", table->name,
			       secret_form_name(form), m->counts[form]);
	return 0;
}

int postgres_mask_secrets(const char *conninfo, const char *yes,
			  struct sp_error *err)
{
	struct masking m = { .change = yes };
	int rc = -1;

	m.pg = owner_connect(conninfo, "predictd --mask-secrets", err);
	if (!m.pg)
		return -1;
	if (yes && strcmp(yes, PQdb(m.pg)) != 0) {
		sp_error_set(err,
			     "'%s' is not the name of the database, %s: "
			     "nothing was masked",
			     yes, PQdb(m.pg));
		goto out;
	}
	puts(yes ? "Make a backup first; keys found here count as known: renew "
		   "them."
		 : "Nothing is changed; --yes=DATABASE masks what is found.");
	for (const struct masked_table *t = tables; t->name; t++)
		if (mask_table(&m, t, err))
			goto out;
	if (yes && owner_execute(m.pg, "PostgreSQL",
				 "VACUUM predict.runs, predict.predictions, "
				 "predict.applications",
				 err))
		goto out;
	if (yes)
		puts("Restart predictd.  Out of reach: backups, exports, "
		     "PostgreSQL's WAL, files until their\nspace is used again "
		     "(VACUUM FULL), and logs.  Spools of nodes pass the gate "
		     "when they arrive.");
	rc = 0;
out:
	PQfinish(m.pg);
	return rc;
}

int postgres_find_secret(const char *conninfo, const char **ret_form,
			 struct sp_error *err)
{
	struct masking m = { .first = true };
	int rc = 0;

	*ret_form = NULL;
	m.pg = owner_connect(conninfo, "predictd --check", err);
	for (const struct masked_table *t = tables;
	     m.pg && !rc && !*ret_form && t->name; t++) {
		rc = mask_table(&m, t, err);
		for (int form = 1; form < SECRET_FORMS; form++)
			if (m.counts[form])
				*ret_form = secret_form_name(form);
	}
	if (!m.pg)
		rc = -1;
	PQfinish(m.pg);
	return rc;
}
