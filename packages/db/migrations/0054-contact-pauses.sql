-- Pauses that people chose on their preference page: no campaign of the client until then.
CREATE TABLE contact_pause (
  client_id bigint NOT NULL REFERENCES client,
  address text NOT NULL CHECK (address = lower(address)),
  paused_until timestamptz NOT NULL,
  PRIMARY KEY (client_id, address)
);
