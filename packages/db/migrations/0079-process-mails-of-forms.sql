-- Process mails and landing pages that a form uses instead of the defaults, and its page after the confirmation.
ALTER TABLE webform
  ADD pmt_ids bigint[] NOT NULL DEFAULT '{}',
  ADD confirmed_url text;
-- The form whose texts a process mail uses; null: the defaults.
ALTER TABLE process_mail ADD webform_id bigint;
