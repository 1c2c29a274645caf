-- Whether a row with an optional cell that does not fit is imported without this cell (dataupload.ts).
ALTER TABLE data_upload ADD COLUMN empty_bad_cells boolean NOT NULL DEFAULT false;
