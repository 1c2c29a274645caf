import { EmmaError } from '@emma/contract/errors.ts'
import { smtpModes } from '@emma/contract/resources/transactionalcampaign.ts'
import type { DataField } from '@emma/contract/transactional/data-fields.ts'
import type { Db } from '@emma/db/connection.ts'
import type { TenantScope } from '../resource/actor.ts'
import type { MailTemplate } from './accept-mails.ts'

/** A transactional email as SMTP submission needs it. */
export interface SubmissionTemplate extends MailTemplate {
  smtpMode: 'off' | 'template' | 'free'
  /** Its sender address. */
  sender: string
}

/** Reads a transactional email as calls and SMTP submission need it. Throws `not_found`. */
export async function readMailTemplate(
  db: Db,
  { clientIds }: TenantScope,
  id: number,
): Promise<SubmissionTemplate> {
  const found = await db
    .selectFrom('transactional')
    .select(['client_id', 'id', 'member_table_id', 'data_fields', 'rate_per_minute', 'active'])
    .select(['smtp_mode', 'fromadr'])
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
    smtpMode: smtpModes.find(mode => mode === found.smtp_mode) ?? 'off',
    sender: found.fromadr,
  }
}
