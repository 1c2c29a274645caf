-- Send volume: emails of a client by month, with its limit and its prices.

ALTER TABLE client
  ADD COLUMN send_volume_limit bigint CHECK (send_volume_limit > 0),
  ADD COLUMN price_tiers jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN currency text NOT NULL DEFAULT 'EUR';

-- When the mails of the campaign were counted last; null: never, as for all campaigns from before this migration.
ALTER TABLE campaign ADD COLUMN send_counted_at timestamptz;
-- Campaigns that may have sent since then (core/src/billing/count-sent.ts).
CREATE INDEX campaign_to_count ON campaign (client_id, campagne_id)
WHERE expanded_at IS NOT NULL
  AND (send_counted_at IS NULL OR progress_open OR send_counted_at - updated_at < interval '10 minutes');

-- Mails of a campaign by the month in which their final reply was recorded, by the client's clock.
CREATE TABLE send_count (
  client_id bigint NOT NULL,
  campagne_id bigint NOT NULL,
  month date NOT NULL CHECK (extract(day FROM month) = 1),
  -- To members.
  sent bigint NOT NULL,
  -- To seeds and recipients of proof copies.
  copies bigint NOT NULL,
  PRIMARY KEY (client_id, campagne_id, month),
  FOREIGN KEY (client_id, campagne_id) REFERENCES campaign
);
CREATE INDEX send_count_month ON send_count (client_id, month);

-- Tests and mails of placement checks of a month.
CREATE INDEX test_campaign_sent ON test_campaign (client_id, sent_at);
CREATE INDEX ipci_result_sent ON ipci_result (client_id, sent_at);

-- Closed months. Rows are added and never changed.
CREATE TABLE send_volume (
  client_id bigint NOT NULL REFERENCES client,
  month date NOT NULL CHECK (extract(day FROM month) = 1),
  campaign bigint NOT NULL,
  recurring bigint NOT NULL,
  transactional bigint NOT NULL,
  test bigint NOT NULL,
  -- As they were when the month was closed.
  "limit" bigint,
  price_tiers jsonb NOT NULL,
  currency text NOT NULL,
  -- In hundredths of the currency; null without tiers.
  price_minor bigint,
  timezone text NOT NULL,
  -- The next month begins here, also after a change of the time zone: no mail is in two months, or in none.
  ends_at timestamptz NOT NULL,
  closed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (client_id, month)
);
