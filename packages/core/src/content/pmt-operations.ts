import { EmmaError, invalid } from '@emma/contract/errors.ts'
import type { ProcessMailContent } from '@emma/contract/process-mails/shipped-process-mail.ts'
import type { Patch } from '@emma/contract/resource-schemas.ts'
import { pmt } from '@emma/contract/resources/pmt.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { ownClient } from '../resource/actor.ts'
import type { Operations } from '../resource/operations.ts'
import { resourceOperations } from '../resource/resource-operations.ts'
import { clearDefault, yieldDefault } from '../resource/single-default.ts'
import { checkProcessMail, messageOfProcess } from './check-process-mail.ts'
import { type Compiler, readContent, withFieldErrors } from './compile-message.ts'
import { repeatIfChanged } from './repeat-if-changed.ts'

const processMails = { resource: pmt, table: 'pmt' } as const

const standard = resourceOperations(pmt, {
  table: 'pmt',
  refersTo: { domain_id: { table: 'domain', key: 'domain_id' } },
})

/**
 * CRUD operations of process mails (R190). Content that does not compile, or lacks the links of its process, is
 * rejected. A new default takes the place of the one before in the same transaction. The last default of a process and
 * language may be deleted or switched off: then the shipped text is used, so that no process is without one. No
 * transaction is open while a process mail is compiled.
 */
export function pmtOperations({ compile, trackingBase }: Compiler): Operations<typeof pmt> {
  async function assertUsable(db: Db, clientId: number, mail: ProcessMailContent): Promise<void> {
    const source = await readContent(db, clientId, messageOfProcess(mail), trackingBase)
    await withFieldErrors(source, () => compile(clientId, source, []))
    const faults = checkProcessMail(mail, source.modules)
    if (faults.length > 0) throw invalid(faults)
  }

  return {
    ...standard,
    async create(db, actor, clientId, input) {
      const { process, lang, is_default = false } = input
      const client_id = ownClient(actor, clientId ?? input.client_id)
      const { body_long, subject = null, body_text = null } = input
      await assertUsable(db, client_id, { process, lang, subject, body_long, body_text })
      return transaction(db, async tx => {
        if (is_default)
          await clearDefault(tx, actor, processMails, { clientId: client_id, of: { process, lang } })
        return standard.create(tx, actor, clientId, input)
      })
    },
    patch(db, actor, scope, id, input, options) {
      return repeatIfChanged(options.revision, async () => {
        const before = await standard.find(db, actor, scope, id)
        if (options.revision !== null && options.revision !== before.revision)
          throw new EmmaError('faulty_revision')
        const isContent = options.whole || contentFields.some(field => field in input)
        if (isContent)
          await assertUsable(db, before.client_id, contentAfter(before, input, options.whole === true))
        const revision = isContent ? before.revision : options.revision
        return transaction(db, async tx => {
          const { process, lang, client_id } = { ...before, ...input }
          const isDefault = input.is_default ?? (options.whole ? false : before.is_default)
          if (isDefault && (client_id ?? before.client_id) === before.client_id) {
            const group = { clientId: before.client_id, of: { process, lang } }
            await clearDefault(tx, actor, processMails, group, id)
          }
          return standard.patch(tx, actor, scope, id, input, { ...options, revision })
        })
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

/** The content as a patch saves it: a text that is absent is kept, or emptied by a whole record. */
function contentAfter(
  before: ProcessMailContent,
  input: Patch<typeof pmt>,
  isWhole: boolean,
): ProcessMailContent {
  const { process = before.process, lang = before.lang, body_long = before.body_long } = input
  const { subject, body_text } = { ...(isWhole ? { subject: null, body_text: null } : before), ...input }
  return { process, lang, subject: subject ?? null, body_long, body_text: body_text ?? null }
}
