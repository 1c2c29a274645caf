-- How the dates and numbers of each column of the file are written (dataupload.ts: formats).
ALTER TABLE data_upload ADD COLUMN formats jsonb NOT NULL DEFAULT '[]';
