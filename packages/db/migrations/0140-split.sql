-- A/B tests and holdouts of campaigns.
ALTER TYPE skip_reason ADD VALUE 'holdout';

ALTER TABLE campaign
  ADD COLUMN split jsonb,
  -- All mails of the sample have been tried once.
  ADD COLUMN split_sampled_at timestamptz,
  ADD COLUMN split_decided_at timestamptz,
  -- Index of the variant that the rest gets.
  ADD COLUMN split_winner smallint,
  ADD COLUMN split_result jsonb,
  -- Recipients wait for the winner: their due_at is far in the future.
  ADD COLUMN split_waits boolean NOT NULL DEFAULT false;
CREATE INDEX campaign_split_waits ON campaign (client_id, campagne_id) WHERE split_waits;

-- Index of the variant of a recipient of the sample; null: the rest, which gets the campaign's winner.
ALTER TABLE delivery ADD COLUMN variant smallint;
