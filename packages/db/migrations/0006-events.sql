-- The append-only event log, partitioned by month. With the ledger it is the truth: reports, activity,
-- alerts and billing are recounted from the two.

CREATE TYPE event_type AS ENUM (
  'delivered', 'deferred', 'bounce', 'open', 'click', 'view', 'unsubscribe', 'complaint', 'auto_reply', 'join', 'edit'
);
CREATE TYPE hit_verdict AS ENUM ('human', 'machine', 'apple_mpp', 'scanner', 'prefetch');

CREATE SEQUENCE event_id_seq CACHE 100;

CREATE TABLE event (
  client_id int NOT NULL,
  ts timestamptz NOT NULL DEFAULT now(),
  event_id bigint NOT NULL DEFAULT nextval('event_id_seq'),
  type event_type NOT NULL,
  campagne_id bigint,
  member_table_id bigint,
  member_id bigint,
  email text,
  link_index int,
  ip inet,
  user_agent text,
  device text,
  agent_client text,
  verdict hit_verdict,
  verdict_reason text,
  provider_id smallint,
  smtp_code smallint,
  enhanced text,
  reply text,
  class text,
  hard boolean,
  source text,
  details jsonb,
  -- Readers follow the log by transaction, not by event_id: ids become visible out of order. A reader takes
  -- rows with txid < pg_snapshot_xmin(pg_current_snapshot()), so none that commits late is passed over.
  txid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  PRIMARY KEY (client_id, ts, event_id)
) PARTITION BY RANGE (ts);
CREATE INDEX event_campaign ON event (campagne_id, type, member_id);
CREATE INDEX event_member ON event (client_id, member_id, ts DESC);
CREATE INDEX event_txid ON event (txid, event_id);

CREATE TABLE event_default PARTITION OF event DEFAULT;

-- Makes the monthly partitions from `first` for `months` months where they are missing.
CREATE FUNCTION ensure_event_partitions(first date, months int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  month date := date_trunc('month', first)::date;
BEGIN
  FOR i IN 1..months LOOP
    IF to_regclass('event_' || to_char(month, 'YYYYMM')) IS NULL THEN
      EXECUTE format('CREATE TABLE %I PARTITION OF event FOR VALUES FROM (%L) TO (%L)',
        'event_' || to_char(month, 'YYYYMM'), month, (month + interval '1 month')::date);
    END IF;
    month := (month + interval '1 month')::date;
  END LOOP;
END $$;
SELECT ensure_event_partitions((now() - interval '12 months')::date, 16);

-- How far each reaction (subscriber state, counters, webhooks …) has read the log.
CREATE TABLE event_cursor (
  name text PRIMARY KEY,
  txid xid8 NOT NULL DEFAULT '0',
  updated_at timestamptz NOT NULL DEFAULT now()
);
