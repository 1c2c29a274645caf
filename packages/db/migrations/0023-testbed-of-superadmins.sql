-- The testbed holds the mail of all clients: it is open to superadmins only, whatever a role says. Roles lose the permission,
-- so that none promises what is refused.
UPDATE role SET
  permissions = array(SELECT permission FROM unnest(permissions) AS permission WHERE permission NOT LIKE 'Testbed:%'),
  revision = revision + 1, updated_at = now()
WHERE EXISTS (SELECT FROM unnest(permissions) AS permission WHERE permission LIKE 'Testbed:%');

-- API tokens as well.
UPDATE api_token SET
  permissions = array(SELECT permission FROM unnest(permissions) AS permission WHERE permission NOT LIKE 'Testbed:%')
WHERE EXISTS (SELECT FROM unnest(permissions) AS permission WHERE permission LIKE 'Testbed:%');

-- Links for passwords that were left in the testbed lose their use.
UPDATE password_reset SET used_at = now() WHERE used_at IS NULL;
