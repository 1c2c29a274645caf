import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { email, flag, id, line } from '../fields.ts'

export const addressTypes = ['testaddr', 'global_seed', 'beleg', 'imapuser'] as const

/**
 * A test subscriber. testaddr gets tests; global_seed is added to every live campaign of the client; beleg gets one
 * proof copy when a campaign starts; imapuser is the address of a mailbox that tools outside EMMA read; those that
 * EMMA reads are imap_login.
 */
export const testaddress = defineResource({
  name: 'testaddress',
  area: 'audience',
  entity: 'EmmaTestAddress',
  key: 'testaddress_id',
  label: 'email',
  paths: ['/emma/testaddress/'],
  tenant: true,
  fields: {
    testaddress_id: id,
    email,
    addr_type: z.enum(addressTypes).default('testaddr'),
    active: z.boolean().default(true),
    firstname: line().nullable(),
    lastname: line().nullable(),
    member_data: z
      .record(z.string().max(63), z.union([z.string().max(1000), z.number(), z.boolean(), z.null()]))
      .default({}),
  },
  readOnly: [],
  required: { create: ['email'] },
  filters: {
    type: { operator: 'eq', column: 'addr_type', value: z.enum(addressTypes) },
    email: { operator: 'contains', value: line() },
    onlyactive: { operator: 'flag', column: 'active', value: flag },
  },
  search: ['email', 'firstname', 'lastname'],
  sort: ['email', 'addr_type', 'active'],
  included: {},
})
