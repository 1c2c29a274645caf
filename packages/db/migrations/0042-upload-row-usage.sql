-- Rows a client has imported in a calendar month (UTC). Reserved while a file is read, as its bytes are, so that imports at the
-- same time share one limit.
ALTER TABLE upload_usage ADD COLUMN rows bigint NOT NULL DEFAULT 0 CHECK (rows >= 0);
ALTER TABLE upload_usage ALTER COLUMN bytes SET DEFAULT 0;

INSERT INTO upload_usage (client_id, month, rows)
SELECT client_id, date_trunc('month', now() AT TIME ZONE 'UTC')::date, sum(rows_read)
FROM data_upload
WHERE created_at >= date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
GROUP BY client_id
ON CONFLICT (client_id, month) DO UPDATE SET rows = excluded.rows;
