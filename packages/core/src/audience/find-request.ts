import type { ProcessMailContent } from '@emma/contract/process-mails/shipped-process-mail.ts'
import type { Db } from '@emma/db/connection.ts'
import { ERASED_ADDRESS } from '@emma/db/erased-address.ts'
import { sql } from 'kysely'

/** What a link confirms: a subscription, or what was asked for on the preference page. */
export type RequestPurpose = 'subscription' | 'address' | 'export' | 'erasure'

/** `used`: this or another link of the member confirmed already. `unknown`: also for erased and deleted members. */
export type LinkState = 'open' | 'used' | 'expired' | 'unknown'

/** A link of a request, and what a page may show of it. */
export interface ConfirmationLink {
  state: LinkState
  purpose: RequestPurpose
  /** Address that got the mail. */
  email: string
  lang: ProcessMailContent['lang']
  /** Client of the sender. */
  client: string
  /** Form that the person used. */
  form_id: number | null
  /** Page after the confirmation; null: the landing page. */
  confirmed_url: string | null
}

export interface StoredRequest extends Omit<ConfirmationLink, 'state'> {
  client_id: number
  doi_request_id: number
  member_table_id: number
  member_id: number
  source: 'form' | 'api' | 'import' | 'console'
  consent_text: string | null
  consent_version: string | null
  page_url: string | null
  is_closed: boolean
  is_expired: boolean
}

/** Campaign and member of a mail. */
export interface RequestMail {
  clientId: number
  campaignId: number
  memberId: number
}

/** Finds the request of a mail by its campaign and member; null if there is none with one of the purposes. */
export async function findRequest(
  db: Db,
  { clientId, campaignId, memberId }: RequestMail,
  purposes: readonly RequestPurpose[],
  isLocked = false,
): Promise<StoredRequest | null> {
  const { rows } = await sql<StoredRequest>`
    select r.client_id, r.doi_request_id, r.member_table_id, r.member_id, r.email, r.lang, client.name as client,
      r.purpose, r.source, r.form_id, f.confirmed_url, r.consent_text, r.consent_version, r.page_url,
      coalesce(r.confirmed_at, r.closed_at) is not null as is_closed, r.expires_at <= now() as is_expired
    from process_mail as p
    join doi_request as r on r.client_id = p.client_id and r.doi_request_id = p.doi_request_id
    join client on client.client_id = r.client_id
    left join webform as f on f.client_id = r.client_id and f.webform_id = r.form_id
    where p.client_id = ${clientId} and p.campagne_id = ${campaignId} and p.member_id = ${memberId}
      and r.purpose = any(${purposes}::text[]) and r.email <> ${ERASED_ADDRESS}
    ${isLocked ? sql`for update of r` : sql``}`.execute(db)
  return rows[0] ?? null
}

export function stateOf({ is_closed, is_expired }: StoredRequest): LinkState {
  if (is_closed) return 'used'
  return is_expired ? 'expired' : 'open'
}
