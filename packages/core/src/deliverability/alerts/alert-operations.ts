import { fieldError, invalid } from '@emma/contract/errors.ts'
import { isMissing, type Row } from '@emma/contract/resource-schemas.ts'
import { alert } from '@emma/contract/resources/alert.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { Operations } from '../../resource/operations.ts'
import { resourceOperations } from '../../resource/resource-operations.ts'

type Alert = Row<typeof alert>

const standard = resourceOperations(alert, { table: 'alert' })

/** Fields after whose change an alert begins anew. */
const watched = ['metric', 'operator', 'threshold', 'window', 'active'] as const satisfies (keyof Alert)[]

/** CRUD operations of alerts. One whose condition was changed begins anew. */
export const alertOperations: Operations<typeof alert> = {
  ...standard,
  async create(db, actor, clientId, input) {
    assertRecipient(input)
    return standard.create(db, actor, clientId, input)
  },
  patch(db, actor, scope, id, input, options) {
    return transaction(db, async tx => {
      const before = await standard.find(tx, actor, scope, id)
      const after = await standard.patch(tx, actor, scope, id, input, options)
      assertRecipient(after)
      if (watched.every(field => before[field] === after[field])) return after
      await beginAnew(tx, after)
      return standard.find(tx, actor, scope, id)
    })
  },
}

function assertRecipient({ notify_email, notify_sms }: Partial<Pick<Alert, 'notify_email' | 'notify_sms'>>) {
  if (isMissing(notify_email) && isMissing(notify_sms))
    throw invalid([fieldError('notify_email', 'field.required'), fieldError('notify_sms', 'field.required')])
}

async function beginAnew(tx: Db, { client_id, id }: Alert): Promise<void> {
  await sql`
    update alert set state = 'unknown', value = null, memory = null, fired_at = null, next_check = now()
    where client_id = ${client_id} and id = ${id}`.execute(tx)
}
