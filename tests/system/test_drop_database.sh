#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_drop_database.sh - all of ours goes from PostgreSQL, and nothing else
#
# A database as README has it, beside another one.  Each refusal leaves it as it
# was: without its name, while predictd is connected, with an object that is not
# ours.  Roles that something else needs stay.  At the end the server is as it
# was before.
#
# usage: test_drop_database.sh [BUILD]
# shellcheck disable=SC2317 # functions are called by trap and check
set -u -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(realpath -- "${1:-build}")
test=drop_database
# shellcheck source=predictd.bash
. "$here/predictd.bash"
begin
body=$dir/out
host=${conninfo%% *}
host=${host#host=}
at="host=$host user=postgres dbname=slurm_predict"

db() { psql -X -q -At -v ON_ERROR_STOP=1 -h "$host" -U postgres -d "$@"; }
not() { ! "$@"; }

# drop OPTION...: what it says in $body; the name is typed as the standard input
drop() {
	"$build/sbin/predictd" -f "$dir/drop.conf" --drop-database="$at" "$@" \
		>"$body" 2>&1
}
says() { grep -qF -- "$1" "$body"; }
# A refusal: exit status 1, the words, and the database with its row.
refused() {
	! drop "${@:2}" <<<slurm_predict && says "$1" && is_there
}
is_there() {
	[[ $(db slurm_predict -c 'SELECT name FROM predict.clusters') == c1 ]]
}
# with DO UNDO WORDS: refused between these statements
with() {
	db slurm_predict -c "$1" >/dev/null 2>&1 || return
	refused "$3"
	local rc=$?
	db slurm_predict -c "$2" >/dev/null 2>&1 || return
	return "$rc"
}

# Databases, roles, memberships and settings of the server.
server() {
	db postgres -c 'SELECT datname, datacl FROM pg_database ORDER BY 1' \
		-c 'SELECT * FROM pg_db_role_setting ORDER BY 1, 2'
	pg_dumpall -h "$host" -U postgres --roles-only |
		grep -v '^\\\(un\)\?restrict '
	pg_dump -h "$host" -U postgres other | grep -v '^\\\(un\)\?restrict '
}

# All rows of the database.
rows() {
	pg_dump -h "$host" -U postgres --data-only slurm_predict |
		grep -v '^\\\(un\)\?restrict '
}

# As in README.
create() {
	db postgres <<-'END'
		CREATE ROLE predict_owner CREATEROLE;
		CREATE ROLE "slurm-predict" LOGIN;
		CREATE DATABASE slurm_predict OWNER predict_owner ENCODING 'UTF8'
			TEMPLATE template0;
	END
	echo "SqlDir=${1-$top/sql}" >"$dir/migrate.conf"
	"$build/sbin/predictd" -f "$dir/migrate.conf" \
		--migrate="$at options='-c role=predict_owner'" 2>"$dir/migrate.log"
	db postgres -c 'GRANT predict_daemon TO "slurm-predict"' 2>/dev/null
	db slurm_predict -c "INSERT INTO predict.clusters (name) VALUES ('c1')" \
		-c 'SELECT count(predict.create_measurement_days(3))' >/dev/null
}

echo "SqlDir=$top/sql" >"$dir/drop.conf"
db postgres -c 'CREATE ROLE somebody' -c 'CREATE DATABASE other'
db other -c 'CREATE TABLE public.theirs AS SELECT 1 AS a' \
	-c 'GRANT SELECT ON public.theirs TO somebody'
server >"$dir/before"

check no_database "not refused" not drop
check no_database_said "no reason" says 'slurm_predict'
create

# --- Nothing without the name -------------------------------------------------

check nothing_typed "removed" not drop </dev/null
check nothing_typed_said "no reason" says 'nothing was removed'
check rows "no rows of tables" grep -qE '^ *clusters +1 rows$' "$body"
check roles "no roles" says \
	'Roles that go with it: predict_daemon, predict_owner, predict_reader, "slurm-predict".'
check offers "no copy is offered" says 'pg_dump --format=custom --file=FILE slurm_predict'
check other_typed "removed" not drop <<<other
check yes_typed "removed" not drop < <(yes)
check longer_typed "removed" not drop <<<slurm_predict2
check other_yes "removed" refused 'is not the name' --yes=other
check is_there "it is not" is_there

# --- Nothing that is in use, or not ours --------------------------------------

write_conf predictd
conf=$(sed 's/dbname=predict"/dbname=slurm_predict"/; s/user=postgres/user=slurm-predict/' "$dir/predictd.conf")
echo "$conf" >"$dir/predictd.conf"
start predictd
predictd=$started
check ready "not ready" until_true 20 is_ready
body=$dir/out
check in_use "removed beside predictd" refused 'stop predictd and all others: predictd'
check in_use_yes "removed beside predictd" refused 'is in use' --yes=slurm_predict
kill "$predictd"
wait "$predictd"
predictd=''
# A program's session ends some time after it.
sleeps() {
	[[ $(db slurm_predict -c "SELECT count(*) FROM pg_stat_activity
		WHERE query ~ '^SELECT pg_sleep'") == 1 ]]
}
db slurm_predict -c 'SELECT pg_sleep(1)' >/dev/null &
until_true 10 sleeps
check lingers "a session that ends is not waited for" \
	refused 'is not the name' --yes=other
wait "$!"

check table "removed" with 'CREATE TABLE public.mine ()' \
	'DROP TABLE public.mine' 'table public.mine'
check table_of_schema "removed" with 'CREATE TABLE predict.mine ()' \
	'DROP TABLE predict.mine' 'table predict.mine'
check view "removed" with 'CREATE VIEW predict.mine AS SELECT * FROM predict.runs' \
	'DROP VIEW predict.mine' 'view predict.mine'
check sequence "removed" with 'CREATE SEQUENCE public.mine' \
	'DROP SEQUENCE public.mine' 'sequence public.mine'
check partition "removed" with "CREATE TABLE predict.mine PARTITION OF
	predict.measurements FOR VALUES FROM ('2001-01-01') TO ('2001-01-02')" \
	'DROP TABLE predict.mine' 'table predict.mine'
check function "removed" with "CREATE FUNCTION public.runs() RETURNS integer
	LANGUAGE sql AS 'SELECT 1'" 'DROP FUNCTION public.runs' \
	'function public.runs()'
check type "removed" with "CREATE TYPE predict.mine AS ENUM ('a')" \
	'DROP TYPE predict.mine' 'type predict.mine'
check schema "removed" with 'CREATE SCHEMA mine' 'DROP SCHEMA mine' 'schema mine'
check trigger "removed" with "CREATE TRIGGER mine BEFORE UPDATE ON predict.nodes
	FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()" \
	'DROP TRIGGER mine ON predict.nodes' 'trigger mine'
check publication "removed" with 'CREATE PUBLICATION mine' \
	'DROP PUBLICATION mine' 'publication mine'
check large_object "removed" with 'SELECT lo_create(77777)' \
	'SELECT lo_unlink(77777)' 'large object 77777'
extension=$(db postgres -c "SELECT name FROM pg_available_extensions
	WHERE name IN ('hstore', 'pg_trgm', 'dblink') LIMIT 1")
if [[ $extension ]]; then
	check extension "removed" with "CREATE EXTENSION $extension" \
		"DROP EXTENSION $extension" 'did not make: '
else
	echo "ok ${test}_extension # skipped: this PostgreSQL has none"
fi
at="host=$host user=slurm-predict dbname=slurm_predict"
check not_owner "removed by predictd's role" refused 'belongs to role predict_owner'
at="host=$host user=postgres dbname=postgres"
check postgres "the server's own database" not drop <<<postgres
at="host=$host user=postgres dbname=other"
check other "another's database" not drop <<<other
check other_said "no reason" says 'lacks the schema of slurm-predict'
at="host=$host user=postgres dbname=slurm_predict"

# --- A copy -------------------------------------------------------------------

touch "$dir/there"
check file_is_there "a file is overwritten" refused 'File exists' --dump="$dir/there"
without_pg_dump() {
	! PATH=/nowhere drop --dump="$dir/copy" <<<slurm_predict && is_there &&
		[[ ! -e $dir/copy ]]
}
check no_pg_dump "removed without a copy" without_pg_dump

# --- Roles stay that something else needs -------------------------------------

db postgres -c 'GRANT predict_reader TO somebody'
db other -c 'CREATE TABLE public.kept ()' -c 'ALTER TABLE public.kept OWNER TO
	predict_owner'
whole=$(rows)
check copy "it stays" drop --dump="$dir/copy" --yes=slurm_predict
check reader_stays "no reason" says \
	'Role predict_reader stays: role somebody is a member of it.'
check owner_stays "no reason" says \
	'Role predict_owner stays: database other needs it.'
check roles_gone "wrong roles" test "$(db postgres -c "SELECT string_agg(rolname, ' '
	ORDER BY 1) FROM pg_roles WHERE rolname ~ 'predict'")" \
	= 'predict_owner predict_reader'
db postgres -c 'CREATE ROLE predict_daemon' -c 'CREATE DATABASE slurm_predict
	OWNER predict_owner TEMPLATE template0'
pg_restore -h "$host" -U postgres -d slurm_predict "$dir/copy"
check restored "other rows" test "$(rows)" = "$whole"
db postgres -c 'REVOKE predict_reader FROM somebody'
db other -c 'DROP TABLE public.kept'
check restored_goes "it stays" drop <<<slurm_predict

# --- Nothing is left ----------------------------------------------------------

as_before() { diff "$dir/before" <(server) >"$body"; }
check as_before "left behind" as_before

# What release 0.1.0 made, too.
mkdir -p "$dir/old/steps"
cp "$top"/sql/steps/000* "$top"/sql/steps/001[0-7]* "$dir/old/steps"
create "$dir/old"
check old_goes "it stays" drop --yes=slurm_predict
check old_as_before "left behind" as_before
exit "$failed"
