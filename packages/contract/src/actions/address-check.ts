import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { email, id } from '../fields.ts'

/** What a campaign would skip a member for, in the order of domain.md 2A. */
const reason = z.enum(['unsubscribed', 'hardbounce', 'complaint', 'doi_missing'])

/** The address as a member of a datasource. */
const checkedMember = z.object({
  member_table_id: id,
  datasource: z.string(),
  member_id: id,
  /** Null: gets mail. */
  reason: reason.nullable(),
  datejoin: z.string().nullable(),
  dateunjoin: z.string().nullable(),
  hardbounced_at: z.string().nullable(),
  complained_at: z.string().nullable(),
  softbounce_count: z.int(),
  doi_state: z.string(),
})

/** An entry of a suppression list that names the address, its domain or its digest. */
const checkedEntry = z.object({
  kind: z.enum(['internal', 'client', 'campaign']),
  /** Null for the internal list. */
  blacklist_id: id.nullable(),
  name: z.string().nullable(),
  match: z.string(),
  value: z.string(),
  /** Why, from where and by whom; not told to users who may not see the list. */
  reason: z.string().nullable(),
  source: z.string().nullable(),
  added_by: z.string().nullable(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  /** Expired entries, and those of the internal list with an exception, suppress nothing. */
  in_force: z.boolean(),
})

const checkedMail = z.object({
  campagne_id: id,
  campaign: z.string(),
  ts: z.string().nullable(),
  state: z.string(),
  skip_reason: z.string().nullable(),
  reply: z.string().nullable(),
})

/** Why an address gets no mail of a client, or would get none: members, suppression lists, own choices, last mails. */
export const checkAddress = defineAction({
  name: 'checkAddress',
  area: 'audience',
  paths: ['/v2/emma/client/{client_id}/address-check'],
  permission: 'EmmaMember:get',
  slow: true,
  query: z.object({ email }),
  response: z.object({
    email: z.string(),
    members: z.array(checkedMember),
    entries: z.array(checkedEntry),
    /** Chosen on the preference page. */
    paused_until: z.string().nullable(),
    frequency: z.enum(['all', 'week', 'month']),
    /** The last mails to these members, newest first. */
    mails: z.array(checkedMail),
  }),
})
