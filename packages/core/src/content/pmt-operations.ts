import { invalid } from '@emma/contract/errors.ts'
import type { Row } from '@emma/contract/resource-schemas.ts'
import { pmt } from '@emma/contract/resources/pmt.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { compileContent } from '@emma/mail/template/compile-content.ts'
import { sql } from 'kysely'
import { type Actor, ownClient } from '../resource/actor.ts'
import { logChange } from '../resource/log-change.ts'
import type { Operations } from '../resource/operations.ts'
import { resourceOperations } from '../resource/resource-operations.ts'
import { checkProcessMail, messageOfProcess } from './check-process-mail.ts'
import { readContent, withFieldErrors } from './compile-message.ts'

type ProcessMail = Row<typeof pmt>
/** The place that one default can take. */
type Place = Pick<ProcessMail, 'client_id' | 'process' | 'lang'>

const standard = resourceOperations(pmt, {
  table: 'pmt',
  refersTo: { domain_id: { table: 'domain', key: 'domain_id' } },
})

/**
 * CRUD operations of process mails (R190). Content that does not compile, or lacks the links of its process, is
 * rejected. A new default takes the place of the one before in the same transaction. The last default of a process and
 * language may be deleted or switched off: then the shipped text is used, so that no process is without one.
 */
export function pmtOperations(trackingBase: string): Operations<typeof pmt> {
  async function assertUsable(db: Db, record: ProcessMail): Promise<void> {
    const source = await readContent(db, record.client_id, messageOfProcess(record), trackingBase)
    await withFieldErrors(source, () => compileContent(source))
    const faults = checkProcessMail(record, source.modules)
    if (faults.length > 0) throw invalid(faults)
  }

  return {
    ...standard,
    create(db, actor, clientId, input) {
      return transaction(db, async tx => {
        const { process, lang, is_default = false } = input
        const client_id = ownClient(actor, clientId ?? input.client_id)
        if (is_default) await clearDefault(tx, actor, { client_id, process, lang })
        const record = await standard.create(tx, actor, clientId, input)
        await assertUsable(tx, record)
        return record
      })
    },
    patch(db, actor, scope, id, input, options) {
      return transaction(db, async tx => {
        const before = await standard.find(tx, actor, scope, id)
        const { process, lang, client_id } = { ...before, ...input }
        const isDefault = input.is_default ?? (options.whole ? false : before.is_default)
        const place = { client_id: client_id ?? before.client_id, process, lang }
        if (isDefault && place.client_id === before.client_id) await clearDefault(tx, actor, place, id)
        const record = await standard.patch(tx, actor, scope, id, input, options)
        if (options.whole || contentFields.some(field => field in input)) await assertUsable(tx, record)
        return record
      })
    },
    restore(db, actor, scope, id) {
      return transaction(db, async tx => {
        await yieldDefault(tx, id)
        await standard.restore(tx, actor, scope, id)
      })
    },
  }
}

const contentFields = ['process', 'lang', 'subject', 'body_long', 'body_text']

/**
 * Takes the default of a process and language away from its present owner. Writers of one client are serialized, so
 * that the unique index rejects none of them.
 */
async function clearDefault(tx: Db, actor: Actor, place: Place, except = 0): Promise<void> {
  const { client_id: clientId, process, lang } = place
  await sql`select pg_advisory_xact_lock(hashtextextended(${`process mail defaults ${clientId}`}, 0))`.execute(
    tx,
  )
  const cleared = await tx
    .updateTable('pmt')
    .set(({ eb }) => ({
      is_default: false,
      updated_at: sql`now()`,
      updated_by: actor.userId,
      revision: eb('revision', '+', 1),
    }))
    .where('client_id', '=', clientId)
    .where('process', '=', process)
    .where('lang', '=', lang)
    .where('is_default', '=', true)
    .where('deleted_at', 'is', null)
    .where('pmt_id', '<>', except)
    .returning('pmt_id')
    .execute()
  for (const { pmt_id } of cleared)
    await logChange(tx, actor, {
      clientId,
      object: pmt.name,
      id: pmt_id,
      action: 'update',
      changes: { is_default: [true, false] },
    })
}

/** A deleted default whose place was taken meanwhile returns as one text among others. */
async function yieldDefault(tx: Db, id: number): Promise<void> {
  await sql`
    update pmt as r set is_default = false
    where r.pmt_id = ${id} and r.is_default and r.deleted_at is not null and exists (
      select from pmt as other
      where other.client_id = r.client_id and other.process = r.process and other.lang = r.lang
        and other.is_default and other.deleted_at is null)`.execute(tx)
}
