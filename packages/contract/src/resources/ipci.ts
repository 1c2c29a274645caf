import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { storedFault } from '../fault-fields.ts'
import { count, id, instant, name, queryId } from '../fields.ts'
import { mostMailboxes } from '../placements.ts'
import { checkFault } from '../schema-faults.ts'

/**
 * Inbox placement check (R222, domain.md 2C): one mail to each chosen test mailbox, and where it arrived. Creating one
 * sends it; afterwards only its name can change.
 */
export const ipci = defineResource({
  name: 'ipci',
  area: 'deliverability',
  entity: 'IPCI',
  key: 'ipci_id',
  label: 'name',
  paths: ['/emma/ipci/campaign/'],
  tenant: true,
  fields: {
    ipci_id: id,
    name,
    /** The campaign whose content and sender it has; null: the template with the client's default sender. */
    campagne_id: id.nullable().default(null),
    message_id: id,
    domain_id: id,
    mailclass_id: id,
    login_ids: z.array(id).min(1, checkFault('field.too_few_items')).max(mostMailboxes),
    /** Value of the header X-EMMA-IPCI. */
    token: z.string(),
    /** State as of a campaign: 1 waiting to be sent, 2 awaiting arrivals, 3 finished, 6 failed. */
    valid: z.int(),
    sent_at: instant.nullable(),
    finished_at: instant.nullable(),
    nb_inbox: count,
    nb_promotions: count,
    nb_spam: count,
    nb_other: count,
    nb_missing: count,
    /** Not found yet; after the end: mailboxes that could not be read. */
    nb_waiting: count,
    /** Why nothing could be sent. */
    error: storedFault.nullable(),
  },
  readOnly: [
    'token',
    'valid',
    'sent_at',
    'finished_at',
    'nb_inbox',
    'nb_promotions',
    'nb_spam',
    'nb_other',
    'nb_missing',
    'nb_waiting',
    'error',
  ],
  required: { create: ['name', 'login_ids', 'domain_id', 'mailclass_id', 'message_id'] },
  filters: {
    campagne_id: { operator: 'eq', value: queryId },
    message_id: { operator: 'eq', value: queryId },
    valid: { operator: 'eq', value: z.coerce.number().int().min(0).max(9) },
  },
  search: ['name'],
  sort: ['name', 'sent_at', 'finished_at'],
  included: { message: { resource: 'message', via: 'message_id' } },
})
