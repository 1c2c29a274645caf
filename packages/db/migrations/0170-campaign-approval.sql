-- Approval of campaigns by a second person.

ALTER TABLE client ADD COLUMN campaign_approval boolean NOT NULL DEFAULT false;

-- The open request or approval of a campaign, or recurring campaign. What was decided before is in the audit log.
CREATE TABLE campaign_approval (
  client_id bigint NOT NULL REFERENCES client,
  subject text NOT NULL CHECK (subject IN ('campaign', 'recurring')),
  subject_id bigint NOT NULL,
  -- SHA-256 over all parts, and of each part.
  hash text NOT NULL,
  parts jsonb NOT NULL,
  -- The planned start that it is about; null: as soon as the campaign is started.
  startdate timestamptz,
  requested_by bigint NOT NULL,
  requested_at timestamptz NOT NULL DEFAULT now(),
  request_note text,
  approved_by bigint,
  approved_at timestamptz,
  approval_note text,
  PRIMARY KEY (client_id, subject, subject_id)
);
