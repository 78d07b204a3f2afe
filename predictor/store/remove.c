/* SPDX-License-Identifier: GPL-2.0-or-later */
/* remove.c - drop our database and our roles, if its name is typed
 *
 * Steps: look at the database, print it, read its name, dump it, look again,
 * drop it, drop the roles.  All that can refuse comes before anything is
 * changed.  The database goes in one statement, as PostgreSQL allows it in no
 * transaction, then the roles in another one.  DROP DATABASE without FORCE
 * fails by itself if somebody connected in between.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "predictor/store/inventory.h"
#include "predictor/store/owner.h"
#include "predictor/store/postgres.h"

#define NAME_SIZE  64 /* of PostgreSQL's names, with the null */
#define ROLES_SIZE 512
#define PROGRAM    "predictd --drop-database"

/* Connect to another database of the server: nobody can drop the own one. */
static PGconn *connect_beside(const char *conninfo, struct sp_error *err)
{
	static const char *const others[] = { "postgres", "template1" };
	static const char *const keys[] = { "fallback_application_name",
					    "dbname", "dbname", NULL };
	PGconn *pg = NULL;

	for (int i = 0; i < 2; i++) {
		const char *const values[] = { PROGRAM, conninfo, others[i],
					       NULL };

		PQfinish(pg);
		pg = PQconnectdbParams(keys, values, 1);
		if (PQstatus(pg) == CONNECTION_OK)
			return pg;
	}
	sp_error_set(err, "no connection to database postgres: %.*s",
		     (int)strcspn(PQerrorMessage(pg), "\n"),
		     PQerrorMessage(pg));
	PQfinish(pg);
	return NULL;
}

/* Print the roles that stay, with the reason, and list the others in `ret`. */
static int list_roles(PGconn *pg, const char *sql_dir, const char *database,
		      bool print, char ret[ROLES_SIZE], struct sp_error *err)
{
	PGresult *roles = inventory_roles(pg, sql_dir, database, err);

	if (!roles)
		return -1;
	ret[0] = '\0';
	for (int i = 0; i < PQntuples(roles); i++) {
		const char *name = PQgetvalue(roles, i, 0);
		const char *reason = PQgetvalue(roles, i, 1);
		size_t used = strlen(ret);

		if (reason[0] && print)
			printf("Role %s stays: %s.\n", name, reason);
		else if (!reason[0])
			snprintf(ret + used, ROLES_SIZE - used, "%s%s",
				 used ? ", " : "", name);
	}
	PQclear(roles);
	return 0;
}

static int print_plan(PGconn *pg, PGconn *beside, const char *sql_dir,
		      const char *name, struct sp_error *err)
{
	char roles[ROLES_SIZE];

	printf("Database %s on %s, port %s, will be removed with\n", name,
	       PQhost(pg), PQport(pg));
	if (inventory_print(pg, stdout, err) < 0 ||
	    list_roles(beside, sql_dir, name, true, roles, err) < 0)
		return -1;
	if (roles[0])
		printf("Roles that go with it: %s.\n", roles);
	return 0;
}

static int confirm(const struct postgres_removal *removal, const char *name,
		   struct sp_error *err)
{
	char line[NAME_SIZE + 1] = "";
	const char *typed = removal->yes;

	if (!removal->dump)
		printf("To keep a copy: --dump=FILE, or pg_dump "
		       "--format=custom --file=FILE %s\n",
		       name);
	if (!typed) {
		printf("Type the name of the database to remove all that: ");
		fflush(stdout);
		if (!fgets(line, sizeof(line), stdin))
			line[0] = '\0';
		line[strcspn(line, "\n")] = '\0';
		typed = line;
	}
	fflush(stdout);
	if (strcmp(typed, name) == 0)
		return 0;
	return sp_error_set(err,
			    "'%s' is not the name of the database, %s: nothing "
			    "was removed",
			    typed, name);
}

/* Become pg_dump, connected as `pg` is.  Settings are given by the environment,
 * as others see arguments. */
static void run_pg_dump(PGconn *pg, const char *path)
{
	PQconninfoOption *options = PQconninfo(pg);

	for (PQconninfoOption *o = options; o && o->keyword; o++)
		if (o->envvar && o->val)
			setenv(o->envvar, o->val, 1);
	execlp("pg_dump", "pg_dump", "--format=custom", "--file", path, NULL);
	fprintf(stderr, "pg_dump: %s\n", strerror(errno));
	_exit(127);
}

static int dump(PGconn *pg, const char *path, struct sp_error *err)
{
	int status = 0,
	    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0)
		return sp_error_set(err, "%s: %s: nothing was removed", path,
				    strerror(errno));
	close(fd);
	pid_t pid = fork();

	if (pid == 0)
		run_pg_dump(pg, path);
	if (pid > 0 && waitpid(pid, &status, 0) == pid && status == 0) {
		printf("The copy is in %s: pg_restore reads it.\n", path);
		return 0;
	}
	unlink(path);
	return sp_error_set(err, "pg_dump failed: nothing was removed");
}

static int drop_roles(PGconn *beside, const char *sql_dir, const char *database,
		      struct sp_error *err)
{
	char roles[ROLES_SIZE], sql[ROLES_SIZE + 16];

	if (list_roles(beside, sql_dir, database, false, roles, err) < 0)
		return -1;
	if (!roles[0])
		return 0;
	snprintf(sql, sizeof(sql), "DROP ROLE %s", roles);
	if (owner_execute(beside, sql, sql, err) < 0)
		return -1;
	printf("Roles are removed: %s.\n", roles);
	return 0;
}

static int drop_all(PGconn *beside, const char *sql_dir, const char *name,
		    struct sp_error *err)
{
	char sql[2 * NAME_SIZE + 32];
	char *quoted = PQescapeIdentifier(beside, name, strlen(name));

	if (!quoted)
		return sp_error_set(err, "%s: %s", name,
				    PQerrorMessage(beside));
	snprintf(sql, sizeof(sql), "DROP DATABASE %s", quoted);
	PQfreemem(quoted);
	if (owner_execute(beside, sql, sql, err) < 0)
		return -1;
	printf("Database %s is removed.\n", name);
	return drop_roles(beside, sql_dir, name, err);
}

int postgres_remove(const char *conninfo, const char *sql_dir,
		    const struct postgres_removal *removal,
		    struct sp_error *err)
{
	char name[NAME_SIZE];
	int rc = -1;
	PGconn *beside = NULL, *pg = owner_connect(conninfo, PROGRAM, err);

	if (!pg)
		return -1;
	snprintf(name, sizeof(name), "%s", PQdb(pg));
	if (inventory_check(pg, sql_dir, err) < 0)
		goto out;
	beside = connect_beside(conninfo, err);
	if (!beside || print_plan(pg, beside, sql_dir, name, err) < 0 ||
	    confirm(removal, name, err) < 0 ||
	    (removal->dump && dump(pg, removal->dump, err) < 0) ||
	    inventory_check(pg, sql_dir, err) < 0)
		goto out;
	PQfinish(pg);
	pg = NULL;
	rc = drop_all(beside, sql_dir, name, err);
out:
	PQfinish(pg);
	PQfinish(beside);
	return rc;
}
