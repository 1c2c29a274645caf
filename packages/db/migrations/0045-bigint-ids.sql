-- Every id is a bigint: identity columns and the columns and arrays that refer to them. Citus shards no table with another
-- identity, and no id runs out.
--
-- Rewritten with their indexes, each locked until the end: all tables with client_id, so the ledger (delivery), the event log
-- (event) and the members of every datasource as well. It takes about as long as restoring them from a dump, and as much
-- free space on the disk as the database has, until it is through. Rows stay as long as they were but for provider_id
-- (8 bytes instead of 2 in delivery and event): client_id stood before a column that begins at a multiple of 8 bytes.
DO $$
DECLARE
  changed record;
  reference record;
BEGIN
  CREATE TEMP TABLE changed_column ON COMMIT DROP AS
  SELECT c.oid::regclass AS owner, a.attname AS name,
    CASE WHEN a.atttypid = 'int[]'::regtype THEN 'bigint[]' ELSE 'bigint' END AS type
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND a.atttypid IN ('int'::regtype, 'smallint'::regtype, 'int[]'::regtype)
    AND (c.relnamespace = 'members'::regnamespace AND a.attname = 'client_id'
      OR c.relnamespace = 'public'::regnamespace AND (a.attidentity <> '' OR a.attname IN (
        'client_id', 'user_id', 'role_id', 'rule_id', 'provider_id', 'token_id', 'view_role', 'manager_id', 'created_by',
        'updated_by', 'added_by', 'undone_by', 'client_ids', 'clients', 'roles')));

  -- Foreign keys go and come back, so that both sides change at once and each is checked once.
  CREATE TEMP TABLE former_reference ON COMMIT DROP AS
  SELECT conrelid::regclass AS owner, conname AS name, pg_get_constraintdef(oid) AS definition
  FROM pg_constraint
  WHERE contype = 'f' AND conparentid = 0
    AND (conrelid IN (SELECT owner FROM changed_column) OR confrelid IN (SELECT owner FROM changed_column));
  FOR reference IN SELECT * FROM former_reference LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', reference.owner, reference.name);
  END LOOP;

  FOR changed IN
    SELECT owner, string_agg(format('ALTER COLUMN %I TYPE %s', name, type), ', ') AS changes
    FROM changed_column GROUP BY owner
  LOOP
    EXECUTE format('ALTER TABLE %s %s', changed.owner, changed.changes);
  END LOOP;

  FOR reference IN SELECT * FROM former_reference LOOP
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I %s', reference.owner, reference.name, reference.definition);
  END LOOP;

  -- A column that changed its type has no statistics, and what is hot needs good plans at once.
  FOR changed IN SELECT DISTINCT owner FROM changed_column LOOP
    EXECUTE format('ANALYZE %s', changed.owner);
  END LOOP;
END $$;

-- As in 0002, but for client_id.
CREATE OR REPLACE FUNCTION create_member_table(id bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format($ddl$
    CREATE TABLE members.%I (
      client_id bigint NOT NULL,
      member_id bigint NOT NULL DEFAULT nextval('member_id_seq'),
      email text NOT NULL,
      datejoin timestamptz NOT NULL DEFAULT now(),
      dateunjoin timestamptz,
      source text,
      doi_state text NOT NULL DEFAULT 'none' CHECK (doi_state IN ('none', 'pending', 'confirmed')),
      doi_at timestamptz,
      doi_ip inet,
      hardbounced_at timestamptz,
      softbounce_count int NOT NULL DEFAULT 0,
      complained_at timestamptz,
      last_sent_at timestamptz,
      last_opened_at timestamptz,
      last_clicked_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      revision int NOT NULL DEFAULT 1,
      PRIMARY KEY (client_id, member_id)
    ) WITH (fillfactor = 90);
  $ddl$, 't' || id);
  PERFORM index_member_table(id);
END $$;

-- As in 0010, but for the type of the client.
DROP FUNCTION tell_webhooks(int, text, text, jsonb);
CREATE FUNCTION tell_webhooks(client bigint, kind text, event_id text, data jsonb) RETURNS void LANGUAGE sql AS $$
  INSERT INTO webhook_message (client_id, webhook_id, types, event_count, events)
  SELECT w.client_id, w.webhook_id, ARRAY[kind], 1, jsonb_build_array(jsonb_build_object(
    'id', event_id, 'type', kind, 'timestamp', webhook_time(clock_timestamp()), 'data', data))
  FROM webhook w
  WHERE w.client_id = client AND w.active AND w.deleted_at IS NULL AND kind = ANY (w.events)
$$;
