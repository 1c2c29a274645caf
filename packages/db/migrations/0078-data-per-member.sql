-- Data feeds whose address differs by recipient: fetched for each mail, not for the campaign.
ALTER TABLE placeholder
  ADD feed_scope text NOT NULL DEFAULT 'campaign' CHECK (feed_scope IN ('campaign', 'member'));

-- Recipients whose data could not be fetched.
ALTER TYPE skip_reason ADD VALUE 'no_data';
