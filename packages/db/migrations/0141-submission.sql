-- SMTP submission: a second door for transactional emails.
ALTER TABLE transactional
  -- `template`: the mail's data is put into the template; `free`: the mail is sent as it is.
  ADD COLUMN smtp_mode text NOT NULL DEFAULT 'off' CHECK (smtp_mode IN ('off', 'template', 'free'));
ALTER TABLE transactional_mail
  ADD COLUMN via_smtp boolean NOT NULL DEFAULT false,
  -- Its data has its own content: html and text.
  ADD COLUMN is_free boolean NOT NULL DEFAULT false;
