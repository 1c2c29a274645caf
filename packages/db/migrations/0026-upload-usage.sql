-- Bytes a client has uploaded in a calendar month (UTC). Reserved while a file streams in, so that uploads at the same time
-- share one limit; failed and deleted uploads stay counted.
CREATE TABLE upload_usage (
  client_id int NOT NULL REFERENCES client ON DELETE CASCADE,
  month date NOT NULL,
  bytes bigint NOT NULL CHECK (bytes >= 0),
  PRIMARY KEY (client_id, month)
);

INSERT INTO upload_usage (client_id, month, bytes)
SELECT client_id, date_trunc('month', now() AT TIME ZONE 'UTC')::date, sum(size)
FROM data_upload
WHERE created_at >= date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
GROUP BY client_id;
