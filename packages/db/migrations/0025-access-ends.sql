-- An account's address: one account has it, and it counts at the sign-in by a provider once it is confirmed (a link that was
-- mailed there, a provider, a superadmin, the command line). Accounts that shared an address before keep it until it changes.
ALTER TABLE app_user
  ADD email_confirmed_at timestamptz,
  ADD shares_email boolean NOT NULL DEFAULT false;
UPDATE app_user u SET shares_email = EXISTS (
  SELECT FROM app_user o WHERE o.deleted_at IS NULL AND lower(o.email) = lower(u.email) AND o.id < u.id)
WHERE deleted_at IS NULL;
UPDATE app_user u SET email_confirmed_at = now()
WHERE NOT shares_email AND deleted_at IS NULL
  AND (created_by IS NULL OR created_by IN (SELECT id FROM app_user WHERE superadmin))
  AND (updated_by IS NULL OR updated_by IN (SELECT id FROM app_user WHERE superadmin));
DROP INDEX app_user_email;
CREATE UNIQUE INDEX app_user_email ON app_user (lower(email)) WHERE deleted_at IS NULL AND NOT shares_email;
CREATE INDEX app_user_any_email ON app_user (lower(email)) WHERE deleted_at IS NULL;

-- is_mailed: whoever has the link reads the account's mail.
ALTER TABLE password_reset ADD is_mailed boolean NOT NULL DEFAULT false;

-- Another address is not confirmed, and links for a password that lie in the old mailbox lose their use; links and API tokens
-- of people who leave do not come back with them.
CREATE FUNCTION end_access() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF lower(NEW.email) <> lower(OLD.email) THEN
    NEW.email_confirmed_at := NULL;
    NEW.shares_email := false;
    UPDATE password_reset SET used_at = now() WHERE user_id = NEW.id AND used_at IS NULL;
  END IF;
  IF NOT NEW.active OR NEW.deleted_at IS NOT NULL THEN
    UPDATE password_reset SET used_at = now() WHERE user_id = NEW.id AND used_at IS NULL;
    UPDATE api_token SET revoked_at = now() WHERE user_id = NEW.id AND revoked_at IS NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER end_access BEFORE UPDATE OF email, active, deleted_at ON app_user
  FOR EACH ROW EXECUTE FUNCTION end_access();
