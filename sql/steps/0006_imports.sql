-- 0006_imports.sql - runs from job logs
--
-- An imported run has no number of change: nobody is told of it one by one.
-- When the last batch of an import is stored, that batch gets a number, and
-- every predictd that sees it reads the whole history anew.

CREATE TABLE predict.imports (
	import_id   integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	imported_at timestamptz NOT NULL DEFAULT now(),
	sent        integer NOT NULL CHECK (sent >= 0),
	change      bigint UNIQUE
);
COMMENT ON TABLE predict.imports IS
	'Batches of runs that were imported from job logs.';
COMMENT ON COLUMN predict.imports.import_id IS 'Number of the batch here.';
COMMENT ON COLUMN predict.imports.imported_at IS 'When it was stored.';
COMMENT ON COLUMN predict.imports.sent IS
	'Runs in it; those that were there already are counted, too.';
COMMENT ON COLUMN predict.imports.change IS
	'Of the last batch of an import: a number as in runs.change, from '
	'which on the history is another; else NULL.';

ALTER TABLE predict.runs
	ADD import_id integer REFERENCES predict.imports,
	ALTER change DROP NOT NULL,
	ADD CHECK (change IS NOT NULL OR import_id IS NOT NULL);
COMMENT ON COLUMN predict.runs.import_id IS
	'Batch with which it was imported; NULL: it was reported.';
COMMENT ON COLUMN predict.runs.change IS
	'Grows with each change of any run, in the order of commits; NULL: '
	'imported.';

-- Without entries for imported runs.
DROP INDEX predict.runs_change;
CREATE UNIQUE INDEX runs_change ON predict.runs (change)
	WHERE change IS NOT NULL;
CREATE INDEX runs_import ON predict.runs (import_id)
	WHERE import_id IS NOT NULL;
