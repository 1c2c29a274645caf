-- Why a campaign does not go on, as a code with its values beside the English sentence in `error`. Campaigns that stood
-- still before have the sentence alone.
alter table campaign
  add column error_code text,
  add column error_values jsonb;
