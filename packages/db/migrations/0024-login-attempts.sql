-- Failed attempts to log in, counted before the password is checked and for names that nobody has as for those of accounts.
-- key: SHA-256 of what is counted (account and address, account, address); people type passwords where names belong, so
-- nothing of it is kept in clear. succeeded_at: last login with that name from that address.
CREATE TABLE login_attempt (
  key bytea PRIMARY KEY,
  user_id int REFERENCES app_user ON DELETE CASCADE,
  failures int NOT NULL DEFAULT 0,
  since timestamptz NOT NULL DEFAULT now(),
  lockouts int NOT NULL DEFAULT 0,
  locked_until timestamptz,
  succeeded_at timestamptz
);
CREATE INDEX login_attempt_user ON login_attempt (user_id);
CREATE INDEX login_attempt_since ON login_attempt (since);

ALTER TABLE app_user DROP COLUMN failed_logins, DROP COLUMN locked_until, DROP COLUMN lockouts;
