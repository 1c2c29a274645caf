import type { Row } from '@emma/contract/resource-schemas.ts'
import type { webform } from '@emma/contract/resources/webform.ts'
import type { PublicForm } from '@emma/contract/web-forms/render-form.ts'
import type { Db } from '@emma/db/connection.ts'
import { findBrand } from '../../content/find-brand.ts'
import { type Datasource, readDatasource } from '../datasources/datasource.ts'

/** An active form as the public pages need it. */
export type ActiveForm = PublicForm &
  Pick<
    Row<typeof webform>,
    | 'client_id'
    | 'webform_id'
    | 'thanks_url'
    | 'type'
    | 'popup_trigger'
    | 'popup_after'
    | 'popup_again'
    | 'rate_limit'
    | 'hash'
  > & { source: Datasource }

/** Finds an active form by its public name; null if there is none. Its URL is the path. */
export async function findActiveForm(db: Db, hash: string): Promise<ActiveForm | null> {
  const clientId = Number.parseInt(/^([0-9a-z]{1,11})-[\w-]{22}$/.exec(hash)?.[1] ?? '', 36)
  if (!Number.isSafeInteger(clientId)) return null
  const row = await db
    .selectFrom('webform as f')
    .innerJoin('member_table as t', join =>
      join
        .onRef('t.client_id', '=', 'f.client_id')
        .onRef('t.member_table_id', '=', 'f.member_table_id')
        .on('t.deleted_at', 'is', null),
    )
    .innerJoin('client as c', 'c.client_id', 'f.client_id')
    .selectAll('f')
    .where('f.client_id', '=', clientId)
    .where('f.hash', '=', hash)
    .where('f.active', '=', true)
    .where('f.deleted_at', 'is', null)
    .where('c.deleted_at', 'is', null)
    .where('c.is_active', '=', true)
    .executeTakeFirst()
  if (!row) return null
  const [source, brand] = await Promise.all([
    readDatasource(db, { clientIds: [clientId] }, row.member_table_id),
    findBrand(db, clientId),
  ])
  const { columns } = source
  // The columns of the row hold values of the contract's fields.
  const form = row as unknown as Row<typeof webform>
  return { ...form, doi: form.doi || source.doi_required, source, columns, brand, url: `/f/${hash}` }
}
