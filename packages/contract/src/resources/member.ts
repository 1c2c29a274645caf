import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import type { Row } from '../resource-schemas.ts'
import { email, flag, id, instant, line, queryInstant } from '../fields.ts'

const doiStates = ['none', 'pending', 'confirmed'] as const

/**
 * A member of one datasource. Its record also contains the datasource's own columns, so its paths are actions
 * (actions/audience.ts), and it is not in the resource list.
 *
 * Lists include unsubscribed members unless `include_unsubscribed` is false; `onlyactive` selects members who may get
 * mail.
 */
export const member = defineResource({
  name: 'member',
  area: 'audience',
  entity: 'EmmaMember',
  key: 'member_id',
  label: 'email',
  paths: ['/v2/emma/client/{client_id}/membertable/{member_table_id}/member/'],
  tenant: true,
  deletedForEver: true,
  fields: {
    member_id: id,
    member_table_id: id,
    email,
    email_hash: z.string(),
    active: z.boolean(),
    datejoin: instant,
    dateunjoin: instant.nullable(),
    source: line().nullable(),
    doi_state: z.enum(doiStates),
    doi_at: instant.nullable(),
    doi_ip: z.string().nullable(),
    hardbounced_at: instant.nullable(),
    softbounce_count: z.int(),
    complained_at: instant.nullable(),
    last_sent_at: instant.nullable(),
    last_opened_at: instant.nullable(),
    last_clicked_at: instant.nullable(),
  },
  readOnly: [
    'member_table_id',
    'email_hash',
    'active',
    'dateunjoin',
    'doi_ip',
    'hardbounced_at',
    'softbounce_count',
    'complained_at',
    'last_sent_at',
    'last_opened_at',
    'last_clicked_at',
  ],
  required: { create: ['email'] },
  filters: {
    email: { operator: 'special', value: line() },
    abuseAfter: { operator: 'after', column: 'complained_at', value: queryInstant },
    abuseBefore: { operator: 'before', column: 'complained_at', value: queryInstant },
    hardbounceAfter: { operator: 'after', column: 'hardbounced_at', value: queryInstant },
    hardbounceBefore: { operator: 'before', column: 'hardbounced_at', value: queryInstant },
    openedAfter: { operator: 'after', column: 'last_opened_at', value: queryInstant },
    openedBefore: { operator: 'before', column: 'last_opened_at', value: queryInstant },
    dateunjoinAfter: { operator: 'after', column: 'dateunjoin', value: queryInstant },
    dateunjoinBefore: { operator: 'before', column: 'dateunjoin', value: queryInstant },
    include_unsubscribed: { operator: 'special', value: flag },
    onlyactive: { operator: 'special', value: flag },
  },
  search: ['email'],
  sort: ['email', 'datejoin', 'dateunjoin', 'last_sent_at', 'last_opened_at', 'last_clicked_at'],
  included: {},
})

/** A member as stored, with the columns of its datasource. */
export type StoredMember = Omit<Row<typeof member>, 'email_hash' | 'created_by' | 'updated_by'> & {
  [column: string]: unknown
}

/** A member in a response. */
export type MemberRecord = StoredMember & { email_hash: string }
