import { createHash } from 'node:crypto'
import {
  type AcceptedMail,
  callLimits,
  IDEMPOTENCY_HOURS,
  type MailCall,
} from '@emma/contract/actions/transactional.ts'
import { ATTACHMENT_LIMITS } from '@emma/contract/attachments.ts'
import { EmmaError, type FieldError, fieldError, invalid } from '@emma/contract/errors.ts'
import { fault } from '@emma/contract/faults.ts'
import { faultOfIssue } from '@emma/contract/schema-faults.ts'
import { type DataField, dataSchema } from '@emma/contract/transactional/data-fields.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { parseAddress } from '@emma/mail/address.ts'
import { sql } from 'kysely'

/** A transactional email as calls need it. */
export interface MailTemplate {
  clientId: number
  id: number
  memberTableId: number | null
  fields: DataField[]
  ratePerMinute: number
  active: boolean
  /** Submitted over SMTP; `isFree`: with content of its own as data. */
  isSmtp?: boolean
  isFree?: boolean
}

/**
 * Accepts the emails of calls. Calls that arrive while a statement runs share the next one, so that the database commits
 * once for many of them.
 */
export interface MailAcceptor {
  /**
   * Resolves when the emails are durable: all of them or none.
   * @throws EmmaError `invalid` with all faulty fields, `conflict` for an idempotency key of another email,
   * `wrong_state` when the transactional email is inactive
   */
  accept(template: MailTemplate, calls: readonly MailCall[], at: FieldPath): Promise<AcceptedMail[]>
}

/** @throws EmmaError `invalid` with all faulty fields of a call that is not sent */
export function assertCall(template: MailTemplate, call: MailCall): void {
  const { faults } = checkCall(template, call, '')
  if (faults.length > 0) throw invalid(faults.slice(0, MOST_FAULTS))
}

/** Path of a call in its request body, for field errors. */
export type FieldPath = (index: number) => string

interface Entry {
  template: MailTemplate
  call: MailCall
  hash: Buffer | null
}

interface Waiting {
  entries: readonly Entry[]
  resolve: (accepted: AcceptedMail[]) => void
  reject: (error: unknown) => void
}

/** Emails of one statement, unless a single call has more. */
const MOST_TOGETHER = 500
/** Statements at a time: one is committed while the next is filled. */
const STATEMENTS = 2

export function createMailAcceptor(db: Db): MailAcceptor {
  const waiting: Waiting[] = []
  let running = 0

  return {
    async accept(template, calls, at) {
      if (!template.active) throw new EmmaError('wrong_state', fault('refusal.transactional_off'))
      const checked = calls.map((call, index) => checkCall(template, call, at(index)))
      const faults = checked.flatMap(each => each.faults)
      if (faults.length > 0) throw invalid(faults.slice(0, MOST_FAULTS))
      const entries = checked.map(({ call }) => ({ template, call, hash: hashOf(call) }))
      return new Promise((resolve, reject) => {
        waiting.push({ entries, resolve, reject })
        start()
      })
    },
  }

  function start(): void {
    if (running >= STATEMENTS || waiting.length === 0) return
    running++
    void work().finally(() => {
      running--
      start()
    })
  }

  async function work(): Promise<void> {
    // Requests of this turn of the event loop come along.
    await new Promise(setImmediate)
    const together = take()
    if (together.length === 0) return
    try {
      await acceptTogether(db, together)
    } catch (error) {
      for (const { reject } of together) reject(error)
    }
  }

  function take(): Waiting[] {
    let count = 0
    let index = 0
    while (index < waiting.length && count < MOST_TOGETHER) count += waiting[index++]?.entries.length ?? 0
    return waiting.splice(0, index)
  }
}

const MOST_FAULTS = 50

/** Addresses and data as they are sent; all faulty fields. */
function checkCall(
  { fields, memberTableId }: MailTemplate,
  call: MailCall,
  at: string,
): { call: MailCall; faults: FieldError[] } {
  const faults: FieldError[] = []
  const addressOf = (field: 'email' | 'reply_to', text: string): string => {
    const parsed = parseAddress(text)
    if (parsed.ok) return parsed.email
    faults.push(fieldError(at + field, 'field.email'))
    return text
  }
  const email = addressOf('email', call.email)
  const replyTo = call.reply_to === null ? null : addressOf('reply_to', call.reply_to)
  const data = dataSchema(fields).safeParse(call.data)
  for (const issue of data.error?.issues ?? []) {
    const path = [`${at}data`, ...issue.path.map(String)].join('.')
    if (issue.code === 'unrecognized_keys')
      faults.push(...issue.keys.map(key => fieldError(`${path}.${key}`, 'field.unknown')))
    else faults.push({ field: path, ...faultOfIssue(issue) })
  }
  if (JSON.stringify(call.data).length > callLimits.dataCharacters)
    faults.push(fieldError(`${at}data`, 'field.too_large'))
  if (call.send_at !== null && Date.parse(call.send_at) > Date.now() + callLimits.days * 86_400_000)
    faults.push(fieldError(`${at}send_at`, 'field.days', { min: 0, max: callLimits.days }))
  const encoded = call.attachments.reduce((sum, { content }) => sum + content.length, 0)
  if (encoded > Math.ceil(ATTACHMENT_LIMITS.totalBytes / 3) * 4)
    faults.push(fieldError(`${at}attachments`, 'field.too_large'))
  for (const [index, { content_id: id }] of call.attachments.entries())
    if (id !== undefined && call.attachments.findIndex(each => each.content_id === id) < index)
      faults.push(fieldError(`${at}attachments.${index}.content_id`, 'field.taken'))
  if (call.member_id !== null && memberTableId === null)
    faults.push(fieldError(`${at}member_id`, 'field.not_there'))
  return { call: { ...call, email, reply_to: replyTo }, faults }
}

/** Digest of everything that is sent, for calls that may be repeated. */
function hashOf({ idempotency_key: key, ...sent }: MailCall): Buffer | null {
  return key === null ? null : createHash('sha256').update(JSON.stringify(sent)).digest()
}

/** Inserts all in one statement, then answers each call: its new emails, or those of an earlier call with its keys. */
async function acceptTogether(db: Db, together: readonly Waiting[]): Promise<void> {
  const entries = together.flatMap(each => each.entries)
  if (entries.every(({ hash, call }) => hash === null && call.attachments.length === 0)) {
    const ids = (await insert(db, entries)).values()
    for (const { entries: own, resolve } of together)
      resolve(own.map(() => acceptedAs(ids.next().value ?? null)))
    return
  }
  const answers = await transaction(db, async tx => {
    await forgetOldKeys(tx, entries)
    const ids = await insert(tx, entries)
    await insertAttachments(tx, entries, ids)
    const earlier = await findEarlier(
      tx,
      entries.filter((_, index) => ids[index] === null),
    )
    const answered = answerAll(together, ids, earlier)
    const withdrawn = answered.flatMap(({ isOther, inserted }) => (isOther ? inserted : []))
    if (withdrawn.length > 0)
      await sql`
        delete from transactional_mail as m using unnest(${withdrawn.map(({ clientId }) => clientId)}::bigint[],
          ${withdrawn.map(({ id }) => id)}::bigint[]) as w (client_id, mail_id)
        where m.client_id = w.client_id and m.mail_id = w.mail_id`.execute(tx)
    return answered
  })
  for (const [index, { isOther, accepted }] of answers.entries())
    if (isOther) together[index]?.reject(new EmmaError('conflict', fault('refusal.idempotency_key')))
    else together[index]?.resolve(accepted)
}

interface Answered {
  accepted: AcceptedMail[]
  /** One of its idempotency keys belongs to another email. */
  isOther: boolean
  inserted: { clientId: number; id: number }[]
}

function answerAll(
  together: readonly Waiting[],
  ids: readonly (number | null)[],
  earlier: ReadonlyMap<string, Earlier>,
): Answered[] {
  const next = ids.values()
  return together.map(({ entries }) => {
    const answered: Answered = { accepted: [], isOther: false, inserted: [] }
    for (const entry of entries) {
      const id = next.next().value ?? null
      const first = id === null ? earlier.get(keyOf(entry.template, entry.call.idempotency_key)) : undefined
      if (id !== null) {
        answered.accepted.push(acceptedAs(id))
        answered.inserted.push({ clientId: entry.template.clientId, id })
      } else if (first && entry.hash?.equals(first.hash))
        answered.accepted.push({ message_id: first.id, is_repeated: true })
      else answered.isOther = true
    }
    return answered
  })
}

function acceptedAs(id: number | null): AcceptedMail {
  if (id === null) throw new Error('An email without idempotency key was not inserted')
  return { message_id: id, is_repeated: false }
}

/** Inserts emails in one statement. Returns the id of each, null if its idempotency key is in use. */
async function insert(db: Db, entries: readonly Entry[]): Promise<(number | null)[]> {
  const column = <T>(read: (entry: Entry) => T) => entries.map(read)
  const { rows } = await sql<{ place: number; id: number }>`
    with call as (
      select *, nextval(pg_get_serial_sequence('transactional_mail', 'mail_id')) as mail_id
      from unnest(
        ${column(({ template }) => template.clientId)}::bigint[], ${column(({ template }) => template.id)}::bigint[],
        ${column(({ call }) => call.email)}::text[], ${column(({ call }) => call.name)}::text[],
        ${column(({ call }) => call.member_id)}::bigint[], ${column(({ call }) => call.lang)}::text[],
        ${column(({ call }) => call.subject)}::text[], ${column(({ call }) => call.reply_to)}::text[],
        ${column(({ call }) => JSON.stringify(call.data))}::jsonb[], ${column(({ call }) => call.idempotency_key)}::text[],
        ${column(({ call }) => call.attachments.length)}::smallint[], ${column(({ hash }) => hash)}::bytea[], ${column(({ call }) => call.send_at)}::timestamptz[],
        ${column(({ template }) => template.isSmtp ?? false)}::boolean[], ${column(({ template }) => template.isFree ?? false)}::boolean[]
      ) with ordinality as each (client_id, transactional_id, email, name, member_id, lang, subject, reply_to, data,
        idempotency_key, attachments, request_hash, send_at, via_smtp, is_free, place)
    ), inserted as (
      insert into transactional_mail (client_id, mail_id, transactional_id, email, name, member_id, lang, subject,
        reply_to, data, idempotency_key, attachments, request_hash, due_at, via_smtp, is_free)
      select client_id, mail_id, transactional_id, email, name, member_id, lang, subject, reply_to, data,
        idempotency_key, attachments, request_hash, greatest(coalesce(send_at, now()), now()), via_smtp, is_free
      from call
      -- In one order, so that concurrent statements with the same keys wait for each other and end.
      order by client_id, transactional_id, idempotency_key, place
      on conflict (client_id, transactional_id, idempotency_key) where idempotency_key is not null do nothing
      returning mail_id
    )
    select call.place, mail_id as id from call join inserted using (mail_id)`.execute(db)
  const ids: (number | null)[] = entries.map(() => null)
  for (const { place, id } of rows) ids[place - 1] = id
  return ids
}

async function insertAttachments(
  tx: Db,
  entries: readonly Entry[],
  ids: readonly (number | null)[],
): Promise<void> {
  const rows = entries.flatMap(({ template, call }, index) => {
    const mail_id = ids[index] ?? null
    if (mail_id === null) return []
    return call.attachments.map(({ filename, content_type, content_id = null, content }, place) => ({
      client_id: template.clientId,
      mail_id,
      place,
      filename,
      content_type,
      content_id,
      content: Buffer.from(content, 'base64'),
    }))
  })
  if (rows.length > 0) await tx.insertInto('transactional_attachment').values(rows).execute()
}

interface Earlier {
  id: number
  hash: Buffer
}

function keyOf({ clientId, id }: Pick<MailTemplate, 'clientId' | 'id'>, key: string | null): string {
  return `${clientId}/${id}/${key ?? ''}`
}

function keysOf(entries: readonly Entry[]) {
  const keyed = entries.filter(({ hash }) => hash !== null)
  return sql`unnest(${keyed.map(({ template }) => template.clientId)}::bigint[],
    ${keyed.map(({ template }) => template.id)}::bigint[],
    ${keyed.map(({ call }) => call.idempotency_key)}::text[]) as used (client_id, transactional_id, idempotency_key)`
}

async function findEarlier(tx: Db, entries: readonly Entry[]): Promise<Map<string, Earlier>> {
  if (entries.length === 0) return new Map()
  const { rows } = await sql<Earlier & { clientId: number; transactionalId: number; key: string }>`
    select client_id as "clientId", transactional_id as "transactionalId", idempotency_key as key, mail_id as id,
      request_hash as hash
    from transactional_mail join ${keysOf(entries)} using (client_id, transactional_id, idempotency_key)`.execute(
    tx,
  )
  return new Map(rows.map(row => [keyOf({ clientId: row.clientId, id: row.transactionalId }, row.key), row]))
}

/** Keys are taken for 24 hours. */
async function forgetOldKeys(tx: Db, entries: readonly Entry[]): Promise<void> {
  await sql`
    update transactional_mail as m set idempotency_key = null
    from ${keysOf(entries)}
    where m.client_id = used.client_id and m.transactional_id = used.transactional_id
      and m.idempotency_key = used.idempotency_key
      and m.created_at < now() - make_interval(hours => ${IDEMPOTENCY_HOURS})`.execute(tx)
}
