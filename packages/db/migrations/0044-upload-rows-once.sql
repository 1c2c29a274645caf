-- Rows of an upload in the month's usage (upload_usage): those that stay counted, whatever becomes of it, and those that the
-- run in hand has reserved beyond them. A retry adds only what exceeds both.
ALTER TABLE data_upload
  ADD COLUMN rows_counted bigint NOT NULL DEFAULT 0 CHECK (rows_counted >= 0),
  ADD COLUMN rows_reserved bigint NOT NULL DEFAULT 0 CHECK (rows_reserved >= 0);

UPDATE data_upload SET rows_counted = rows_read WHERE NOT test;
