-- The engines at work, by the identity under which they claim rows. A row goes when its engine ends in order, or when
-- another has found it dead and settled what it left.
CREATE TABLE engine (
  lease uuid PRIMARY KEY,
  started_at timestamptz NOT NULL DEFAULT now()
);

-- What an engine has begun with claimed rows, written before the first byte of a mail leaves, and the outcomes the ledger
-- does not have yet: JSON, read only to recover from a crash. Nobody can write under a lease that is gone.
CREATE TABLE engine_journal (
  lease uuid NOT NULL REFERENCES engine ON DELETE CASCADE,
  entry bigint NOT NULL,
  begun text NOT NULL,
  settled text NOT NULL,
  PRIMARY KEY (lease, entry)
) WITH (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
-- Compressing costs more than writing, for what lives a quarter of a second.
ALTER TABLE engine_journal
  ALTER COLUMN begun SET STORAGE EXTERNAL,
  ALTER COLUMN settled SET STORAGE EXTERNAL;

-- Before there was a journal nobody could say which of the claimed rows had left.
UPDATE delivery SET state = 'unknown', recorded_at = now() WHERE state = 'claimed';

-- One row of one member's history is found without reading all of it.
DROP INDEX delivery_member;
CREATE INDEX delivery_member ON delivery (client_id, member_id, campagne_id);
