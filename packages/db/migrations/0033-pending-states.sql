-- What happened to members and is not applied to their rows yet: events that were read, and decisions of people whose row
-- an import or a bulk change holds. Nobody waits for a row; the claim of emails heeds what is here.
DROP TABLE member_pending_state;
CREATE TABLE member_pending_state (
  client_id int NOT NULL,
  member_table_id bigint NOT NULL,
  member_id bigint NOT NULL,
  -- Lower-case, as of the email or of the member then: finds the member that was added again, and keeps a bounce of an
  -- old address from the new one.
  address text NOT NULL CHECK (address = lower(address)),
  unsubscribed_at timestamptz,
  complained_at timestamptz,
  hardbounced_at timestamptz,
  -- Bounced softly: to be counted again.
  softbounced boolean NOT NULL DEFAULT false,
  last_opened_at timestamptz,
  last_clicked_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (client_id, member_table_id, member_id, address),
  FOREIGN KEY (client_id, member_table_id) REFERENCES member_table ON DELETE CASCADE
);

-- Transactions up to txid that had not ended when the log was read: their events are read once they have, and nobody
-- waits for them meanwhile.
ALTER TABLE event_cursor ADD COLUMN open_txids xid8[] NOT NULL DEFAULT '{}';
