-- Campaigns in local time: what recipients get in whose time zone the time is over at the start.
ALTER TYPE skip_reason ADD VALUE 'time_passed';
ALTER TABLE campaign ADD COLUMN local_past text NOT NULL DEFAULT 'tomorrow'
  CHECK (local_past IN ('tomorrow', 'now', 'skip'));
