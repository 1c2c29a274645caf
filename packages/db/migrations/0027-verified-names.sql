-- A verified name belongs to one client. Where several have it, the one whose check is the latest keeps it; the others
-- prove it again.
UPDATE domain AS d
SET status = 'new', spf_ok = NULL, dkim_ok = NULL, dmarc_ok = NULL, mx_ok = NULL, cname_ok = NULL, last_check = NULL,
  revision = revision + 1
WHERE status = 'verified' AND deleted_at IS NULL AND EXISTS (
  SELECT FROM domain AS other
  WHERE other.name = d.name AND other.client_id <> d.client_id AND other.status = 'verified'
    AND other.deleted_at IS NULL
    AND (coalesce(other.last_check, '-infinity'), other.domain_id) > (coalesce(d.last_check, '-infinity'), d.domain_id));
