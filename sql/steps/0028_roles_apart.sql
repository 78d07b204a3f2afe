-- 0028_roles_apart.sql - rights are given by roles.sql, not by steps, from here on

DROP FUNCTION predict.grant_rights();
