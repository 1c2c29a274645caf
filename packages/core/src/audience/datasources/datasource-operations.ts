import { list } from '@emma/contract/resources/list.ts'
import { campaign } from '@emma/contract/resources/campaign.ts'
import { webform } from '@emma/contract/resources/webform.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { type MemberColumn, membertable } from '@emma/contract/resources/membertable.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { Actor } from '../../resource/actor.ts'
import { assertDeletable } from '../../resource/assert-deletable.ts'
import { difference, logChange } from '../../resource/log-change.ts'
import type { Operations } from '../../resource/operations.ts'
import { resourceOperations } from '../../resource/resource-operations.ts'
import { readColumns, readDatasource } from './datasource.ts'
import { refreshMemberTableStats } from './datasource-stats.ts'
import { fixedColumns } from '../members/member-columns.ts'
import { runningUploads } from '../uploads/running-uploads.ts'
import { insertColumns, writeSchema } from './write-schema.ts'

const standard = resourceOperations(membertable, {
  table: 'member_table',
  isCached: true,
  added: ['emmamembertableschema', 'removed_columns'],
  references: [
    { resource: list, column: 'member_table_id' },
    { resource: campaign, column: 'member_table_id' },
    { resource: webform, column: 'member_table_id' },
    runningUploads('member_table_id'),
  ],
})

/**
 * CRUD operations of datasources: the record, its columns and the members table together. Columns are returned with a
 * single datasource, and with lists that request `emmamembertableschema`; they are written as a whole.
 */
export const membertableOperations: Operations<typeof membertable> = {
  ...standard,

  async list(db, actor, scope, query) {
    const page = await standard.list(db, actor, scope, query)
    if (!query.included.includes('emmamembertableschema')) return page
    const columns = await readColumns(
      db,
      page.data.map(record => record.member_table_id),
    )
    const data = page.data.map(record => ({
      ...record,
      emmamembertableschema: columns.get(record.member_table_id) ?? [],
    }))
    return { ...page, data }
  },

  async find(db, actor, scope, id) {
    const record = await standard.find(db, actor, scope, id)
    const columns = await readColumns(db, [id])
    return { ...record, emmamembertableschema: columns.get(id) ?? [] }
  },

  create(db, actor, clientId, { emmamembertableschema: schema, removed_columns: _none, ...input }) {
    return transaction(db, async tx => {
      const made = await standard.create(tx, actor, clientId, input)
      const target = { client_id: made.client_id, member_table_id: made.member_table_id }
      const scope = { clientIds: [target.client_id] }
      await insertColumns(
        tx,
        target,
        fixedColumns.map((column, position) => ({ ...column, position })),
      )
      const table = target.member_table_id
      await sql`select create_member_table(${table}), index_member_events(${table})`.execute(tx)
      if (schema !== undefined) {
        const { columns } = await readDatasource(tx, scope, target.member_table_id)
        await changeColumns(tx, actor, { ...target, columns }, schema, [])
      }
      return membertableOperations.find(tx, actor, scope, target.member_table_id)
    })
  },

  patch(
    db,
    actor,
    scope,
    id,
    { emmamembertableschema: schema, removed_columns: removed, ...input },
    options,
  ) {
    return transaction(db, async tx => {
      const record = await standard.patch(tx, actor, scope, id, input, options)
      const own = { clientIds: [record.client_id] }
      if (schema !== undefined) {
        const source = await readDatasource(tx, own, id)
        await changeColumns(tx, actor, source, schema, removed ?? [])
      }
      if (input.doi_required !== undefined) await refreshMemberTableStats(tx, record.client_id, id)
      return membertableOperations.find(tx, actor, scope, id)
    })
  },

  async remove(db, actor, scope, id, options) {
    const { revision } = await standard.find(db, actor, scope, id)
    if (options.revision !== null && options.revision !== revision) throw new EmmaError('faulty_revision')
    // Also checked before the row is locked, which may wait for an import.
    assertDeletable(await standard.removal(db, actor, scope, id))
    return standard.remove(db, actor, scope, id, options)
  },
}

/** Alters the table and logs the datasource's own columns before and after. */
async function changeColumns(
  tx: Db,
  actor: Actor,
  target: Parameters<typeof writeSchema>[1],
  requested: readonly MemberColumn[],
  removed: readonly string[],
): Promise<void> {
  const { client_id: clientId, member_table_id: id } = target
  await writeSchema(tx, target, requested, removed)
  const after = await readColumns(tx, [id])
  const changes = difference(ownColumns(target.columns), ownColumns(after.get(id)), ['emmamembertableschema'])
  if (Object.keys(changes).length > 0)
    await logChange(tx, actor, { clientId, object: membertable.name, id, action: 'update', changes })
}

function ownColumns(columns: readonly MemberColumn[] = []) {
  return { emmamembertableschema: columns.filter(column => !column.is_fixed) }
}
