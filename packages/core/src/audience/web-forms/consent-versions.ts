import type { webformConsents } from '@emma/contract/actions/web-forms.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'

/**
 * Consent texts that a form has had, newest first, with the submissions of each version and how many of them subscribed
 * somebody. A version is stored when the text changes, and is never changed itself.
 */
export async function listConsentVersions(
  db: Db,
  { client_id, webform_id }: { client_id: number; webform_id: number },
  { limit, offset }: { limit: number; offset: number },
): Promise<Answer<typeof webformConsents>> {
  const { rows } = await sql<Answer<typeof webformConsents>['data'][number] & { total: number }>`
    with versions as (
      select version, consent, created_at, count(*) over () as total from webform_consent
      where client_id = ${client_id} and webform_id = ${webform_id}
      order by version desc limit ${limit} offset ${offset}
    )
    select versions.*, coalesce(counted.submissions, 0) as submissions, coalesce(counted.confirmed, 0) as confirmed
    from versions
    left join (
      select consent_version, count(*) as submissions,
        count(*) filter (where state in ('subscribed', 'confirmed')) as confirmed
      from webform_submission
      where client_id = ${client_id} and webform_id = ${webform_id}
        and consent_version in (select version from versions)
      group by consent_version
    ) as counted on counted.consent_version = versions.version
    order by version desc`.execute(db)
  return {
    data: rows.map(({ total: _total, ...version }) => version),
    total: rows[0]?.total ?? 0,
  }
}
