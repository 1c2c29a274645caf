-- What people ask for on their preference page and confirm by a mail to their mailbox, as a forwarded email opens the
-- page as well: a new address, a copy of their data, its erasure.

ALTER TABLE pmt DROP CONSTRAINT pmt_process_check;
ALTER TABLE pmt ADD CONSTRAINT pmt_process_check CHECK (process IN (
  'doi_request', 'doi_done', 'welcome', 'unsub_done', 'profile', 'data_request', 'page_thanks', 'page_error',
  'page_unsub'));
ALTER TABLE doi_request DROP CONSTRAINT doi_request_purpose_check;
ALTER TABLE doi_request ADD CONSTRAINT doi_request_purpose_check
  CHECK (purpose IN ('subscription', 'address', 'export', 'erasure'));

-- Topics of a datasource: boolean columns with their names by language, which people choose on their preference page.
ALTER TABLE member_table_column ADD COLUMN topic jsonb;

-- Languages that people chose on their preference page.
CREATE TABLE contact_language (
  client_id bigint NOT NULL REFERENCES client,
  address text NOT NULL CHECK (address = lower(address)),
  lang text NOT NULL,
  PRIMARY KEY (client_id, address)
);

-- Erasures to be done.
CREATE INDEX doi_request_erasure ON doi_request (confirmed_at)
  WHERE purpose = 'erasure' AND confirmed_at IS NOT NULL AND closed_at IS NULL;
