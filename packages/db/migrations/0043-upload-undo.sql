-- Which members an import added: those of the ids whose created_at is the import's finished_at (its transaction's time).
-- undo: how far the undo of the import is, and what it did (dataupload.ts).
ALTER TABLE data_upload
  ADD COLUMN first_member_id bigint,
  ADD COLUMN last_member_id bigint,
  ADD COLUMN undo jsonb;

-- Members that an import changed: their values before it, and their revision after it. Kept for 30 days. Without a
-- foreign key: checking it for each row would slow down the import.
CREATE TABLE upload_change (
  client_id int NOT NULL,
  upload_id bigint NOT NULL,
  member_id bigint NOT NULL,
  revision int NOT NULL,
  before jsonb NOT NULL,
  PRIMARY KEY (client_id, upload_id, member_id)
);
