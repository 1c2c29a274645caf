import type { Frequency } from '@emma/contract/contact-frequency.ts'
import { inLanguage, type FormLanguage } from '@emma/contract/web-forms/form-texts.ts'
import { controls } from '@emma/contract/web-forms/render-form.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { queueProcessMail } from '../../content/queue-process-mail.ts'
import { systemActor } from '../../resource/actor.ts'
import { logChange } from '../../resource/log-change.ts'
import { readFrequency, setFrequency } from '../contact-frequency.ts'
import { restoreOptOuts } from '../blacklists/opt-out.ts'
import { membersTable } from '../datasources/datasource.ts'
import { markChanged } from '../datasources/datasource-stats.ts'
import { requestConfirmation } from '../double-opt-in.ts'
import { findSuppressed } from '../eligibility.ts'
import { findByAddress } from '../members/email-recipient.ts'
import { logMemberEvent } from '../members/member-event.ts'
import type { ActiveForm } from './find-form.ts'
import type { Submission } from './read-submission.ts'

/** Who submitted a form, and where: the proof of the consent. */
export interface Visitor {
  lang: FormLanguage
  page: string | null
  ip: string
  userAgent: string | null
}

interface Member {
  member_id: number
  is_subscribed: boolean
  is_mailable: boolean
}

/**
 * Subscribes the address of a submission: a new member with its values, pending if the form or the datasource requires
 * a double opt-in. Anybody can enter somebody else's address, so that a submission never changes an existing member
 * itself: its values are kept until the confirmation of the mail that it caused. People who left confirm in any case,
 * and suppressed addresses, and members who bounced or complained, get nothing.
 *
 * @throws EmmaError `conflict` while an import has locked the member
 */
export async function submitForm(
  db: Db,
  form: ActiveForm,
  { values, frequency }: Pick<Submission, 'values' | 'frequency'>,
  visitor: Visitor,
): Promise<void> {
  await transaction(db, async tx => {
    const email = String(values['email'])
    const suppressed = await findSuppressed(tx, form.client_id, [email])
    if (suppressed.size > 0) return keepSubmission(tx, form, visitor, { state: 'none' })
    const isNew = (await addMember(tx, form, values, visitor)) !== null
    const member = await findMember(tx, form, email)
    if (!member?.is_mailable) return keepSubmission(tx, form, visitor, { state: 'none' })
    const { member_id: memberId } = member
    if (form.doi || !member.is_subscribed) {
      const doiRequestId = await askToConfirm(tx, form, visitor, memberId, isNew)
      if (doiRequestId === null) return keepSubmission(tx, form, visitor, { state: 'none' })
      const changes = changesOf({ values: isNew ? {} : values, frequency })
      return keepSubmission(tx, form, visitor, { state: 'pending', memberId, doiRequestId, changes })
    }
    if (!isNew) return keepSubmission(tx, form, visitor, { state: 'none' })
    if (frequency) await chooseFrequency(tx, form, { memberId, email, frequency })
    const mail = { table: form.source, memberId, process: 'welcome', lang: visitor.lang } as const
    const formId = form.webform_id
    await queueProcessMail(tx, { ...mail, cause: `form ${formId}`, formId })
    return keepSubmission(tx, form, visitor, { state: 'subscribed', memberId })
  })
}

/** What is written at the confirmation: values by column, and the frequency by the name of its control. */
function changesOf({ values, frequency }: Pick<Submission, 'values' | 'frequency'>) {
  const { email: _address, ...changes } = values
  const all = { ...changes, ...(frequency && { [controls.frequency]: frequency }) }
  return Object.keys(all).length === 0 ? null : all
}

/**
 * Without a double opt-in, the choice is that of a stranger perhaps, and it applies to all emails of the client: an
 * address that is in another datasource, or that has chosen already, keeps what it has.
 */
async function chooseFrequency(
  tx: Db,
  { client_id, source }: ActiveForm,
  { memberId, email, frequency }: { memberId: number; email: string; frequency: Frequency },
): Promise<void> {
  const person = { table: source, campaignId: null, memberId, email, isSubscribed: true } as const
  const memberships = await findByAddress(tx, { ...person, state: 'member' })
  if (memberships.length > 1 || (await readFrequency(tx, client_id, email)) !== 'all') return
  await setFrequency(tx, client_id, email, frequency)
}

/** Null if there is a member with the address. Opt-outs and bounces of a deleted one apply again. */
async function addMember(
  tx: Db,
  form: ActiveForm,
  values: Readonly<Record<string, string | null>>,
  { page, ip, lang }: Visitor,
): Promise<number | null> {
  const { source } = form
  const consent = inLanguage(form.consent, lang)
  const given = Object.entries(values).filter(([, value]) => value !== null)
  const { rows } = await sql<{ member_id: number }>`
    insert into ${membersTable(source.member_table_id)}
      (client_id, source, ${sql.join(given.map(([name]) => sql.id(name)))})
    values (${source.client_id}, ${form.name}, ${sql.join(given.map(([, value]) => value))})
    on conflict do nothing returning member_id`.execute(tx)
  const [member] = rows
  if (!member) return null
  await restoreOptOuts(source, sql`select ${values['email']}::text as email`).execute(tx)
  await logMemberEvent(tx, source, member.member_id, {
    type: 'join',
    source: 'form',
    webform_id: form.webform_id,
    form: form.name,
    ...(consent && { consent, consent_version: form.consent_version }),
    page,
    ip,
  })
  await logChange(tx, systemActor(form.client_id), {
    clientId: form.client_id,
    object: 'member',
    id: member.member_id,
    action: 'create',
    changes: { email: [null, values['email']], source: [null, form.name] },
  })
  await markChanged(tx, source)
  return member.member_id
}

async function findMember(tx: Db, { source }: ActiveForm, email: string): Promise<Member | undefined> {
  const { rows } = await sql<Member>`
    select member_id, dateunjoin is null as is_subscribed,
      hardbounced_at is null and complained_at is null as is_mailable
    from ${membersTable(source.member_table_id)}
    where client_id = ${source.client_id} and lower(email) = lower(${email})`.execute(tx)
  return rows[0]
}

/** @returns the request that was sent; null if none was, as there was one within the hour or nothing is to be confirmed */
async function askToConfirm(
  tx: Db,
  form: ActiveForm,
  { lang, page, ip, userAgent }: Visitor,
  memberId: number,
  isNew: boolean,
): Promise<number | null> {
  const text = inLanguage(form.consent, lang)
  const outcome = await requestConfirmation(tx, {
    table: form.source,
    memberId,
    source: 'form',
    isNew,
    lang,
    formId: form.webform_id,
    ...(text && { consent: { text, version: String(form.consent_version) } }),
    ...(page && { page }),
    ...(userAgent && { userAgent }),
    ip,
  })
  if (outcome !== 'requested') return null
  const request = await tx
    .selectFrom('doi_request')
    .select('doi_request_id')
    .where('client_id', '=', form.client_id)
    .where('member_table_id', '=', form.source.member_table_id)
    .where('member_id', '=', memberId)
    .orderBy('doi_request_id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return request.doi_request_id
}

interface Kept {
  state: 'subscribed' | 'pending' | 'none'
  memberId?: number
  doiRequestId?: number
  changes?: Record<string, string | null> | null
}

async function keepSubmission(
  tx: Db,
  form: ActiveForm,
  { lang, page, ip, userAgent }: Visitor,
  { state, memberId, doiRequestId, changes }: Kept,
): Promise<void> {
  const isKept = memberId !== undefined
  await tx
    .insertInto('webform_submission')
    .values({
      client_id: form.client_id,
      webform_id: form.webform_id,
      member_table_id: form.source.member_table_id,
      state,
      lang,
      member_id: memberId ?? null,
      doi_request_id: doiRequestId ?? null,
      changes: changes ? JSON.stringify(changes) : null,
      consent_version: form.consent_version || null,
      page_url: isKept ? page : null,
      ip: isKept ? ip : null,
      user_agent: isKept ? (userAgent?.slice(0, 1000) ?? null) : null,
    })
    .execute()
}
