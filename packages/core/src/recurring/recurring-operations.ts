import { type FieldError, fieldError, invalid } from '@emma/contract/errors.ts'
import { ruleParts } from '@emma/contract/recurring/schedule.ts'
import { isMissing, type Patch } from '@emma/contract/resource-schemas.ts'
import { recurring } from '@emma/contract/resources/recurring.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { readColumns } from '../audience/datasources/datasource.ts'
import { assertTimes } from '../campaigns/assert-times.ts'
import { assertSplit } from '../campaigns/split/assert-split.ts'
import { assertMayReadMembers } from '../audience/segments/rule-rights.ts'
import type { Actor } from '../resource/actor.ts'
import type { Operations } from '../resource/operations.ts'
import { resourceOperations } from '../resource/resource-operations.ts'
import { nextRun, scheduleFaults } from './next-runs.ts'
import { isDateType, type Recurring } from './recurring.ts'

const standard = resourceOperations(recurring, {
  table: 'recurring',
  json: ['schedule', 'learned_time', 'split'],
  refersTo: {
    list_id: { table: 'list', key: 'list_id' },
    exclude_list_ids: { table: 'list', key: 'list_id' },
    blacklist_ids: { table: 'blacklist', key: 'blacklist_id' },
    message_id: { table: 'message', key: 'message_id' },
    domain_id: { table: 'domain', key: 'domain_id' },
    mailclass_id: { table: 'mailclass', key: 'mailclass_id' },
    esp_id: { table: 'esp_login', key: 'id' },
    capping_id: { table: 'capping', key: 'capping_id' },
  },
})

type Input = Patch<typeof recurring>

/** Fields that the check of a recurring campaign concerns. */
const checkedFields = [
  'schedule',
  'exceptions',
  'trigger',
  'date_column',
  'list_id',
  'mailclass_id',
  'esp_id',
] as const satisfies readonly (keyof Input)[]

/** Fields that compare data of members. */
const triggerFields = [
  'trigger',
  'date_column',
  'offset_days',
  'yearly',
] as const satisfies readonly (keyof Input)[]

/** Fields that the check of an A/B test concerns. */
const splitFields = ['split', 'list_id'] as const satisfies readonly (keyof Input)[]

/** Fields that determine the next run. */
const timeFields = ['schedule', 'exceptions', 'active'] as const satisfies readonly (keyof Input)[]

/**
 * CRUD operations of recurring campaigns (R251). The next run is always later than the change: one that was switched off
 * makes up for nothing.
 */
export const recurringOperations: Operations<typeof recurring> = recurringOperationsAt(() => new Date())

/** @param now the clock, which determines the next run */
export function recurringOperationsAt(now: () => Date): Operations<typeof recurring> {
  return {
    ...standard,
    create(db, actor, clientId, input) {
      return transaction(db, async tx => {
        const columns = await datasourceOf(tx, input.list_id)
        const created = await standard.create(tx, actor, clientId, input, columns)
        if (created.trigger === 'date_field') assertMayReadMembers(actor)
        await assertSplit(tx, created)
        assertTimes(created)
        await assertFits(tx, created)
        return setNextRun(tx, actor, created, now())
      })
    },
    patch(db, actor, scope, id, input, options) {
      return transaction(db, async tx => {
        const before = await standard.find(tx, actor, scope, id)
        const columns = isMissing(input.list_id) ? {} : await datasourceOf(tx, input.list_id)
        const after = await standard.patch(tx, actor, scope, id, input, options, columns)
        if (after.trigger === 'date_field' && differs(triggerFields, before, after))
          assertMayReadMembers(actor)
        if (differs(splitFields, before, after)) await assertSplit(tx, after)
        assertTimes(after)
        if (differs(checkedFields, before, after)) await assertFits(tx, after)
        return differs(timeFields, before, after) ? setNextRun(tx, actor, after, now()) : after
      })
    },
    restore(db, actor, scope, id) {
      return transaction(db, async tx => {
        await standard.restore(tx, actor, scope, id)
        await setNextRun(tx, actor, await standard.find(tx, actor, scope, id), now())
      })
    },
  }
}

function differs(fields: readonly (keyof Recurring)[], before: Recurring, after: Recurring): boolean {
  return fields.some(field => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
}

async function datasourceOf(
  db: Db,
  listId: number | null | undefined,
): Promise<{ member_table_id?: number }> {
  if (!listId) return {}
  const list = await db
    .selectFrom('list')
    .select('member_table_id')
    .where('list_id', '=', listId)
    .executeTakeFirst()
  return list ? { member_table_id: list.member_table_id } : {}
}

/** Checks what depends on several fields, or on other records. */
async function assertFits(db: Db, record: Recurring): Promise<void> {
  const { schedule, trigger, mailclass_id: mailclassId, esp_id: espId } = record
  const faults: FieldError[] = scheduleFaults(record)
  if (mailclassId === null && espId === null) faults.push(fieldError('mailclass_id', 'field.required'))
  if (trigger === 'date_field') {
    if (!isEveryDay(schedule.rrule)) faults.push(fieldError('schedule.rrule', 'field.daily_rule'))
    if (!(await hasDateColumn(db, record))) faults.push(fieldError('date_column', 'field.date_column'))
  }
  if (faults.length > 0) throw invalid(faults)
}

/** On any other rule, members whose date is on a day without a run would get nothing. */
function isEveryDay(rrule: string): boolean {
  const parts = ruleParts(rrule)
  return parts?.get('FREQ') === 'DAILY' && (parts.get('INTERVAL') ?? '1') === '1' && !rrule.includes('BY')
}

async function hasDateColumn(db: Db, record: Recurring): Promise<boolean> {
  const { member_table_id: id, date_column: name } = record
  if (id === null || name === null) return false
  const columns = (await readColumns(db, [id])).get(id) ?? []
  return columns.some(column => column.column_name === name && isDateType(column.data_type))
}

async function setNextRun(db: Db, actor: Actor, record: Recurring, now: Date): Promise<Recurring> {
  const { client_id: clientId, recurring_id: id } = record
  const next = record.active ? nextRun(record, now) : null
  await sql`update recurring set next_run = ${next}::timestamptz
    where client_id = ${clientId} and recurring_id = ${id}`.execute(db)
  return standard.find(db, actor, { clientIds: [clientId] }, id)
}
