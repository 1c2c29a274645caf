import { invalid } from '@emma/contract/errors.ts'
import type { Row } from '@emma/contract/resource-schemas.ts'
import { pmt } from '@emma/contract/resources/pmt.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { compileContent } from '@emma/mail/template/compile-content.ts'
import { ownClient } from '../resource/actor.ts'
import type { Operations } from '../resource/operations.ts'
import { resourceOperations } from '../resource/resource-operations.ts'
import { clearDefault, yieldDefault } from '../resource/single-default.ts'
import { checkProcessMail, messageOfProcess } from './check-process-mail.ts'
import { readContent, withFieldErrors } from './compile-message.ts'

type ProcessMail = Row<typeof pmt>

const processMails = { resource: pmt, table: 'pmt' } as const

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
        if (is_default)
          await clearDefault(tx, actor, processMails, { clientId: client_id, of: { process, lang } })
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
        if (isDefault && (client_id ?? before.client_id) === before.client_id) {
          const group = { clientId: before.client_id, of: { process, lang } }
          await clearDefault(tx, actor, processMails, group, id)
        }
        const record = await standard.patch(tx, actor, scope, id, input, options)
        if (options.whole || contentFields.some(field => field in input)) await assertUsable(tx, record)
        return record
      })
    },
    restore(db, actor, scope, id) {
      return transaction(db, async tx => {
        await yieldDefault(tx, processMails, id, ['process', 'lang'])
        await standard.restore(tx, actor, scope, id)
      })
    },
  }
}

const contentFields = ['process', 'lang', 'subject', 'body_long', 'body_text']
