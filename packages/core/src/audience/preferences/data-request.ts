import { EmmaError } from '@emma/contract/errors.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import type { ProcessMailContent } from '@emma/contract/process-mails/shipped-process-mail.ts'
import { addressKey } from '@emma/mail/address.ts'
import { sql } from 'kysely'
import { queueProcessMail } from '../../content/queue-process-mail.ts'
import { systemActor } from '../../resource/actor.ts'
import { readDatasource } from '../datasources/datasource.ts'
import type { Confirmation } from '../double-opt-in.ts'
import {
  type ConfirmationLink,
  findRequest,
  type LinkState,
  type RequestMail,
  type RequestPurpose,
  stateOf,
  type StoredRequest,
} from '../find-request.ts'
import { type EmailRecipient, findRecipient } from '../members/email-recipient.ts'
import { eraseMember } from '../members/erase-member.ts'
import { countAttempt } from '../web-forms/count-attempt.ts'
import { changeAddress } from './change-address.ts'
import { exportPerson, type PersonExport } from './export-person.ts'

/** What a person asks for on the preference page. */
export interface DataRequest {
  purpose: Exclude<RequestPurpose, 'subscription'>
  /** Address that gets the mail: the new one, or the person's own. */
  email: string
  lang: ProcessMailContent['lang']
  ip: string
  userAgent: string | null
}

const PURPOSES = ['address', 'export', 'erasure'] as const

/** Mails per hour: asked for by one person, and to one address, so that nobody's mailbox is filled. */
const MOST_OF_PERSON = 6
const MOST_TO_ADDRESS = 3

/**
 * Queues the mail that confirms what a person asks for on the preference page, as a forwarded email opens that page too.
 * A new address gets the same mail whether it is in use or not. Requests beyond the limits are dropped without a word.
 */
export async function requestData(db: Db, person: EmailRecipient, request: DataRequest): Promise<void> {
  const { table, memberId, state } = person
  const { purpose, email, lang, ip, userAgent } = request
  if (state !== 'member') return
  const { client_id: clientId } = table
  const counted = `data request\n${table.member_table_id}/${memberId}`
  if (!(await countAttempt(db, clientId, counted, MOST_OF_PERSON))) return
  if (!(await countAttempt(db, clientId, `data request\n${addressKey(email)}`, MOST_TO_ADDRESS))) return
  await transaction(db, async tx => {
    const { doi_request_id: doiRequestId } = await tx
      .insertInto('doi_request')
      .values({
        client_id: clientId,
        member_table_id: table.member_table_id,
        member_id: memberId,
        email,
        purpose,
        source: 'preferences',
        lang,
        requested_ip: ip,
        requested_agent: userAgent?.slice(0, 1000) ?? null,
        expires_at: sql<string>`now() + interval '1 day'`,
      })
      .returning('doi_request_id')
      .executeTakeFirstOrThrow()
    const cause = `request ${doiRequestId}`
    await queueProcessMail(tx, { table, memberId, process: 'data_request', lang, cause, email, doiRequestId })
  })
}

/** Finds what a link of `requestData` is for; null if there is no such request. */
export async function findDataRequest(db: Db, mail: RequestMail): Promise<ConfirmationLink | null> {
  const request = await findRequest(db, mail, PURPOSES)
  return request && { ...request, state: stateOf(request) }
}

/** `taken`: the new address cannot be used. `data`: the copy of the person's data. */
export type DataAnswer =
  | { state: Exclude<LinkState, 'open'> | 'taken' | 'changed' | 'erasing' }
  | { state: 'exported'; data: PersonExport }

/**
 * Does what the link of a request is for, once: changes the address, returns the copy of the data, or has the person
 * erased within minutes. Only for a person's action, never for the retrieval of a URL.
 *
 * @throws EmmaError `conflict` while an import has locked the member
 */
export async function confirmDataRequest(db: Db, confirmation: Confirmation): Promise<DataAnswer> {
  return transaction(db, async tx => {
    const request = await findRequest(tx, confirmation, PURPOSES, true)
    if (!request) return { state: 'unknown' }
    const state = stateOf(request)
    if (state !== 'open') return { state }
    const { clientId, memberId, campaignId } = confirmation
    const memberTableId = request.member_table_id
    const person = await findRecipient(tx, { clientId, campaignId, memberTableId, memberId })
    if (person?.state !== 'member' || person.memberId !== memberId) return { state: 'unknown' }
    // Links to the address that the member had meanwhile do not belong to the person any more.
    const isOwn = addressKey(person.email) === addressKey(request.email)
    if (request.purpose !== 'address' && !isOwn) return { state: 'unknown' }
    await setConfirmed(tx, request, confirmation)
    if (request.purpose === 'export') return { state: 'exported', data: await exportPerson(tx, person) }
    if (request.purpose === 'erasure') return { state: 'erasing' }
    const cause = `request ${request.doi_request_id}`
    const isChanged = await changeAddress(tx, person, request.email, { lang: request.lang, cause })
    return { state: isChanged ? 'changed' : 'taken' }
  })
}

/** An erasure stays open until it is done. */
async function setConfirmed(
  tx: Db,
  { client_id, doi_request_id, purpose }: StoredRequest,
  { ip, userAgent }: Confirmation,
): Promise<void> {
  await sql`
    update doi_request
    set confirmed_at = now(), confirmed_ip = ${ip}::inet, confirmed_agent = ${userAgent?.slice(0, 1000) ?? null},
      closed_at = case when ${purpose} <> 'erasure' then now() end
    where client_id = ${client_id} and doi_request_id = ${doi_request_id}`.execute(tx)
}

/** Erasures that are done in one call. */
const MOST_ERASURES = 1000

type Erasure = Pick<StoredRequest, 'client_id' | 'doi_request_id' | 'member_table_id' | 'member_id'>

/**
 * Erases the people who confirmed it. One that fails holds up no other, and is tried again with the next call.
 *
 * @throws AggregateError with those that failed
 */
export async function eraseConfirmed(db: Db): Promise<void> {
  const { rows } = await sql<Erasure>`
    select client_id, doi_request_id, member_table_id, member_id from doi_request
    where purpose = 'erasure' and confirmed_at is not null and closed_at is null
    order by confirmed_at limit ${MOST_ERASURES}`.execute(db)
  const failures: unknown[] = []
  for (const erasure of rows) await erase(db, erasure).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw new AggregateError(failures, 'Erasures failed')
}

/** The erasure closes the request itself; a member that was deleted meanwhile leaves it open. */
async function erase(db: Db, request: Erasure): Promise<void> {
  const { client_id, doi_request_id, member_table_id, member_id } = request
  try {
    const source = await readDatasource(db, { clientIds: [client_id] }, member_table_id)
    await eraseMember(db, systemActor(client_id), source, member_id)
  } catch (error) {
    if (!(error instanceof EmmaError && error.code === 'not_found')) throw error
    await sql`
      update doi_request set closed_at = now()
      where client_id = ${client_id} and doi_request_id = ${doi_request_id}`.execute(db)
  }
}
