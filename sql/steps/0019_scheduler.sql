-- SPDX-License-Identifier: GPL-2.0-or-later
-- 0019_scheduler.sql - what a node's kernel does with processes that wake up
--
-- Measured when collectord starts, and after a new kernel; sent with one
-- measurement in five minutes, so NULL in most rows.

ALTER TABLE predict.measurements
	ADD cpu_turn_s   double precision,
	ADD cpu_credit_s double precision;
COMMENT ON COLUMN predict.measurements.cpu_turn_s IS
	'Seconds that a process that wakes up waits for its CPU, for each '
	'competitor on it; NULL: not sent with this measurement.';
COMMENT ON COLUMN predict.measurements.cpu_credit_s IS
	'CPU seconds that the scheduler gives back for a sleep, at most; NULL: '
	'not sent with this measurement.';
