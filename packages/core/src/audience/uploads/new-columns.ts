import { EmmaError, invalid } from '@emma/contract/errors.ts'
import { type MemberColumn, memberColumn } from '@emma/contract/resources/membertable.ts'
import type { Db } from '@emma/db/connection.ts'
import type { Actor } from '../../resource/actor.ts'
import { readDatasource } from '../datasources/datasource.ts'
import { membertableOperations } from '../datasources/datasource-operations.ts'
import type { Mapping } from './guess-mapping.ts'
import { isWriting } from './import-target.ts'
import type { Upload } from './upload.ts'
import { faultOfIssue } from '@emma/contract/schema-faults.ts'

const settings = memberColumn.omit({ column_name: true })

/** New columns of the mapping as columns of the datasource; none in modes that only read the address. */
export function newColumns({ mode, mapping }: Pick<Upload, 'mode' | 'mapping'>): MemberColumn[] {
  return newColumnEntries({ mode, mapping }).map(({ column, new_column }) => ({
    ...settings.parse(new_column),
    column_name: column ?? '',
  }))
}

function newColumnEntries({ mode, mapping }: Pick<Upload, 'mode' | 'mapping'>): Mapping[] {
  return isWriting(mode) ? mapping.filter(entry => entry.column !== null && entry.new_column) : []
}

/**
 * Adds the new columns of the mapping to the datasource, and removes their definitions from the mapping. Call it in the
 * transaction that starts the import.
 *
 * @throws EmmaError `invalid` with the position in the mapping (`mapping.3.column`); `conflict` while an import writes
 * the datasource
 */
export async function createNewColumns(tx: Db, actor: Actor, upload: Upload): Promise<void> {
  const { client_id: clientId, member_table_id: tableId } = upload
  const added = newColumns(upload)
  if (tableId === null || added.length === 0) return
  assertNames(upload)
  const scope = { clientIds: [clientId] }
  const { columns } = await readDatasource(tx, scope, tableId)
  const last = Math.max(...columns.map(column => column.position))
  const schema = [...columns, ...added.map((column, at) => ({ ...column, position: last + 1 + at }))]
  try {
    const input = { emmamembertableschema: schema }
    await membertableOperations.patch(tx, actor, scope, tableId, input, { revision: null })
  } catch (error) {
    throw inMapping(error, columns.length, upload)
  }
  await tx
    .updateTable('data_upload')
    .set({ mapping: JSON.stringify(upload.mapping.map(({ new_column: _, ...entry }) => entry)) })
    .where('client_id', '=', clientId)
    .where('id', '=', upload.id)
    .execute()
}

/** Checks the names of new columns; the contract accepts any name in a mapping. */
function assertNames(upload: Upload): void {
  const faults = newColumnEntries(upload).flatMap(entry => {
    const { success, error } = memberColumn.shape.column_name.safeParse(entry.column)
    const [issue] = error?.issues ?? []
    return success || !issue
      ? []
      : [{ field: `mapping.${upload.mapping.indexOf(entry)}.column`, ...faultOfIssue(issue) }]
  })
  if (faults.length > 0) throw invalid(faults)
}

/** Converts errors of the schema to fields of the mapping. */
function inMapping(error: unknown, columnsBefore: number, upload: Upload): unknown {
  if (!(error instanceof EmmaError) || error.code !== 'invalid') return error
  const added = newColumnEntries(upload)
  const fields = error.fields.map(({ field, ...fault }) => {
    const [, place, part] = /^emmamembertableschema\.(\d+)\.(\w+)$/.exec(field) ?? []
    const at = upload.mapping.findIndex(entry => entry === added[Number(place) - columnsBefore])
    if (at < 0) return { field: 'mapping', ...fault }
    return { field: `mapping.${at}.${part === 'column_name' ? 'column' : `new_column.${part}`}`, ...fault }
  })
  return invalid(fields)
}
