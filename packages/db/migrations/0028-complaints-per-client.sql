-- Complaints suppress an address for the client that got them, no longer for the whole platform. Those of the platform's
-- list move to the clients whose event log has the complaint; entries that no event explains stay for superadmins to judge.
INSERT INTO blacklist (client_id, name, kind, match)
SELECT DISTINCT e.client_id, 'Complaints', 'client', 'email'
FROM event e JOIN internal_blacklist_entry i ON i.value = lower(e.email)
WHERE e.type = 'complaint' AND i.match = 'email' AND i.reason = 'complaint' AND i.added_by IS NULL
  AND NOT EXISTS (
    SELECT FROM blacklist b WHERE b.client_id = e.client_id AND b.name = 'Complaints' AND b.kind = 'client'
      AND b.match = 'email' AND b.deleted_at IS NULL);

INSERT INTO blacklist_entry (client_id, blacklist_id, value, reason, source)
SELECT DISTINCT b.client_id, b.blacklist_id, i.value, 'complaint', 'complaint'
FROM internal_blacklist_entry i
JOIN event e ON lower(e.email) = i.value AND e.type = 'complaint'
JOIN blacklist b ON b.client_id = e.client_id AND b.name = 'Complaints' AND b.kind = 'client' AND b.match = 'email'
  AND b.deleted_at IS NULL
WHERE i.match = 'email' AND i.reason = 'complaint' AND i.added_by IS NULL
ON CONFLICT DO NOTHING;

UPDATE blacklist b SET count = (
  SELECT count(*) FROM blacklist_entry e WHERE e.client_id = b.client_id AND e.blacklist_id = b.blacklist_id)
WHERE name = 'Complaints' AND kind = 'client' AND match = 'email' AND deleted_at IS NULL;

DELETE FROM internal_blacklist_entry i
WHERE match = 'email' AND reason = 'complaint' AND added_by IS NULL
  AND EXISTS (SELECT FROM event e WHERE lower(e.email) = i.value AND e.type = 'complaint');

-- Exceptions of the platform's list say why they are there and who made them, as its entries do.
ALTER TABLE internal_blacklist_exclude ADD COLUMN reason text, ADD COLUMN added_by int;
