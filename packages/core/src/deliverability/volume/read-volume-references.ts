import type { VolumeQuestion } from '@emma/contract/actions/volume.ts'
import { fieldError, invalid } from '@emma/contract/errors.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { TenantScope } from '../../resource/actor.ts'

type Asked = Pick<VolumeQuestion, 'mailclass_id' | 'esp_id' | 'domain_id' | 'list_id' | 'by_provider'>

const references = [
  { field: 'mailclass_id', table: 'mailclass', key: 'mailclass_id' },
  { field: 'esp_id', table: 'esp_login', key: 'id' },
  { field: 'domain_id', table: 'domain', key: 'domain_id' },
  { field: 'list_id', table: 'list', key: 'list_id' },
] as const

/**
 * Finds the client whose records a calculation names.
 * @returns the client, and the names of the mailbox providers by id
 * @throws EmmaError `invalid` with each field that names no record of this client
 */
export async function readVolumeReferences(
  db: Db,
  scope: TenantScope,
  asked: Asked,
): Promise<{ clientId: number; providers: Map<number, string> }> {
  const given = references.flatMap(reference => {
    const id = asked[reference.field]
    return id === undefined || id === null ? [] : [{ ...reference, id }]
  })
  const isVisible = scope.clientIds === 'all' ? sql`true` : sql`client_id = any(${scope.clientIds}::bigint[])`
  const { rows } = await sql<{ field: string; client_id: number }>`
    ${sql.join(
      given.map(
        ({ field, table, key, id }) => sql`
          select ${field}::text as field, client_id from ${sql.table(table)}
          where ${sql.ref(key)} = ${id}::bigint and deleted_at is null and ${isVisible}`,
      ),
      sql` union all `,
    )}`.execute(db)
  const owners = new Map(rows.map(row => [row.field, row.client_id]))
  const clientId = given.flatMap(({ field }) => owners.get(field) ?? [])[0]
  const known = await db.selectFrom('provider').select(['provider_id', 'name']).execute()
  const providers = new Map(known.map(row => [row.provider_id, row.name]))
  const faults = [
    ...given
      .filter(({ field }) => owners.get(field) !== clientId || clientId === undefined)
      .map(({ field }) => fieldError(field, 'field.not_there')),
    ...(asked.by_provider ?? []).flatMap(({ provider_id }, index) =>
      providers.has(provider_id) ? [] : [fieldError(`by_provider.${index}.provider_id`, 'field.not_there')],
    ),
  ]
  if (faults.length > 0 || clientId === undefined) throw invalid(faults)
  return { clientId, providers }
}
