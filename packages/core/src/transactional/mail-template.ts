import { EmmaError } from '@emma/contract/errors.ts'
import type { DataField } from '@emma/contract/transactional/data-fields.ts'
import type { Db } from '@emma/db/connection.ts'
import type { TenantScope } from '../resource/actor.ts'
import type { MailTemplate } from './accept-mails.ts'

/** Reads a transactional email as calls need it. Throws `not_found`. */
export async function readMailTemplate(
  db: Db,
  { clientIds }: TenantScope,
  id: number,
): Promise<MailTemplate> {
  const found = await db
    .selectFrom('transactional')
    .select(['client_id', 'id', 'member_table_id', 'data_fields', 'rate_per_minute', 'active'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .$if(clientIds !== 'all', query =>
      query.where('client_id', 'in', clientIds === 'all' ? [] : [...clientIds, -1]),
    )
    .executeTakeFirst()
  if (!found) throw new EmmaError('not_found')
  return {
    clientId: found.client_id,
    id: found.id,
    memberTableId: found.member_table_id,
    // Written by its schema alone.
    fields: found.data_fields as unknown as DataField[],
    ratePerMinute: found.rate_per_minute,
    active: found.active,
  }
}
