-- SPDX-License-Identifier: GPL-2.0-or-later
-- kept_roles.sql - our roles, and why each must stay beside database $1
--
-- One query of `predictd --drop-database`: the role's name, quoted, and the
-- reason; an empty text: nothing but that database needs it.  The roles are
-- those of README and of roles.sql.

WITH ours AS (
	SELECT oid, rolname, rolsuper FROM pg_roles
	WHERE rolname IN ('predict_daemon', 'predict_owner', 'predict_reader',
		'slurm-predict')
)
SELECT quote_ident(o.rolname), CASE
	WHEN o.rolsuper THEN 'it is a superuser'
	WHEN o.rolname IN (session_user, current_user)
		THEN 'this session is its own'
	ELSE coalesce(
		(SELECT coalesce('database ' || quote_ident(coalesce(d.datname,
				x.datname)) || ' needs it',
			'it has rights on the whole server')
		FROM pg_shdepend s
		LEFT JOIN pg_database d ON d.oid = s.dbid
		LEFT JOIN pg_database x ON x.oid = s.objid
			AND s.classid = 'pg_database'::regclass
		WHERE s.refclassid = 'pg_authid'::regclass
			AND s.refobjid = o.oid
			AND coalesce(d.datname, x.datname, '') <> $1::text
			AND s.classid <> 'pg_auth_members'::regclass LIMIT 1),
		(SELECT format('role %I is a member of it', m.rolname)
		FROM pg_auth_members a JOIN pg_roles m ON m.oid = a.member
		WHERE a.roleid = o.oid AND NOT m.rolsuper
			AND m.oid NOT IN (SELECT oid FROM ours) LIMIT 1),
		(SELECT format('it is a member of role %I', m.rolname)
		FROM pg_auth_members a JOIN pg_roles m ON m.oid = a.roleid
		WHERE a.member = o.oid
			AND m.oid NOT IN (SELECT oid FROM ours) LIMIT 1),
		(SELECT format('it uses database %s', datname)
		FROM pg_stat_activity WHERE usesysid = o.oid LIMIT 1),
		'') END
FROM ours o ORDER BY o.rolname
